import { stat } from 'node:fs/promises';
import { Injectable } from '@nestjs/common';
import { chooseSound } from '../audio/choose-sound.js';
import { packageMedia } from '../engine/package-media.js';
import { Packager, type MediaPackage, type PackageOptions, type PackageRequest } from '../packager.js';
import { inspectInChild } from '../process/inspect-in-child.js';
import { runChild } from '../process/packager-child.js';
import { FfmpegTool } from './ffmpeg.tool.js';

/**
 * Uses an FFmpeg installed on the system, one process for each step. What this service itself reads of a file is read in
 * child processes too.
 */
@Injectable()
export class FfmpegPackager extends Packager {
  constructor(private readonly ffmpeg: string) {
    super();
  }

  override async package(request: PackageRequest, options: PackageOptions): Promise<MediaPackage> {
    const { signal } = options;
    signal.throwIfAborted();
    const { folder } = request;
    const { size: bytes } = await stat(request.source);
    const tool = new FfmpegTool(this.ffmpeg, folder, signal, { bytes, duration: null });
    const onProgress = monotonic(options.onProgress);
    const silent = { signal, onProgress: () => undefined };
    const result = await packageMedia(request, {
      tool,
      inspect: (source) => inspectInChild({ source, folder }, signal),
      chooseSound,
      writePlaylists: async (fragments) =>
        (await runChild({ task: 'playlists', source: fragments, folder }, silent)).made,
      onSize: (size) => tool.expect(size),
      onInspected: options.onInspected ?? (() => undefined),
      onProgress,
    });
    signal.throwIfAborted();
    return result;
  }
}

/** FFmpeg reports the time of the track that is furthest behind, which may decrease. */
function monotonic(report: (fraction: number) => void): (fraction: number) => void {
  let highest = 0;
  return (done) => {
    highest = Math.max(highest, done);
    report(highest);
  };
}
