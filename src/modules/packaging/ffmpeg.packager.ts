import { mkdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Injectable } from '@nestjs/common';
import { fileArguments, hlsArguments } from './ffmpeg-arguments.js';
import { keyFrameGap, probe, type Probe } from './ffmpeg-probe.js';
import { FfmpegError, runFfmpeg } from './ffmpeg-process.js';
import { writeThumbnail } from './ffmpeg-thumbnail.js';
import { writeMasterPlaylist } from './master-playlist.js';
import {
  Packager,
  UnplayableMediaError,
  type MediaPackage,
  type PackageOptions,
  type PackageRequest,
} from './packager.js';
import { plan } from './packaging-plan.js';
import { inspectSource, mediaType } from './source-file.js';
import { THUMBNAIL } from './thumbnail.js';

/** Where the parts of the work end, as fractions of the whole. */
const SHARE = { file: 0.9, hls: 0.97 } as const;
/** Without a known duration progress comes closer to its end by two thirds in this time, in seconds of media. */
const GUESSED_SECONDS = 900;

/** What FFmpeg says when the media is at fault, not the disk and not the machine. */
const MEDIA_AT_FAULT =
  /invalid data found|moov atom not found|error while decoding|could not find codec parameters|does not contain any stream|unknown decoder|decoder not found|no decoder|codec not currently supported in container/i;

/** Works with an FFmpeg of the system: more kinds of files, and its encoder at full range. `ffprobe` stands beside it. */
@Injectable()
export class FfmpegPackager extends Packager {
  private readonly ffprobe: string;

  constructor(private readonly ffmpeg: string) {
    super();
    this.ffprobe = ffmpeg.replace(/ffmpeg(?=[^/\\]*$)/, 'ffprobe');
  }

  override async package(request: PackageRequest, options: PackageOptions): Promise<MediaPackage> {
    options.signal.throwIfAborted();
    // FFmpeg runs in the folder of the playlist, and a leading dash would be an option.
    const source = resolve(request.source);
    const folder = resolve(request.folder);
    try {
      return await this.make(source, folder, options);
    } catch (error) {
      if (error instanceof FfmpegError && error.lines.some((line) => MEDIA_AT_FAULT.test(line))) {
        throw new UnplayableMediaError('The file is damaged: nothing in it can be read', { cause: error });
      }
      throw error;
    }
  }

  private async make(source: string, folder: string, options: PackageOptions): Promise<MediaPackage> {
    const { signal } = options;
    const onProgress = rising(options.onProgress);
    const file = await inspectSource(source);
    const found = await this.measured(source, await probe(this.ffprobe, source, file, signal), signal);
    const planned = plan(found.facts);

    let base = { path: source, video: found.video, audio: found.audio };
    if (planned.file) {
      const path = join(folder, planned.file.path);
      const args = fileArguments(source, path, found, planned);
      await this.run(args, folder, found, signal, (done) => onProgress(SHARE.file * done));
      base = { path, video: found.video === null ? null : 0, audio: audioPlace(found) };
      if ((await stat(path)).size < 1024)
        throw new UnplayableMediaError('The file is damaged: nothing in it can be read');
    }

    const hls = join(folder, 'hls');
    await mkdir(hls, { recursive: true });
    const from = planned.file ? SHARE.file : 0;
    await this.run(hlsArguments(base.path, base), hls, found, signal, (done) =>
      onProgress(from + (SHARE.hls - from) * done),
    );
    const duration = await writeMasterPlaylist(hls);
    if (duration === 0) throw new UnplayableMediaError('The file is damaged: nothing in it can be read');
    const program = this.ffmpeg;
    await writeThumbnail({
      program,
      source: base.path,
      found: { ...found, ...base },
      duration,
      folder,
      signal,
    });
    onProgress(1);
    return {
      sourceType: mediaType(file, found.video !== null),
      duration,
      startedAt: file.startedAt,
      video: planned.file,
      playlist: 'hls/master.m3u8',
      thumbnail: THUMBNAIL,
    };
  }

  /** Adds the distance of key frames, where it decides on something. */
  private async measured(source: string, found: Probe, signal: AbortSignal): Promise<Probe> {
    const { facts } = found;
    if (found.video === null || !facts.video || !plan(facts).video?.copy) return found;
    const gap = await keyFrameGap(this.ffprobe, source, found.video, signal);
    return { ...found, facts: { ...facts, video: { ...facts.video, keyFrameGap: gap } } };
  }

  private run(
    args: readonly string[],
    cwd: string,
    { duration }: Probe,
    signal: AbortSignal,
    onProgress: (fraction: number) => void,
  ): Promise<void> {
    let rest = '';
    const onOutput = (piece: Buffer) => {
      const lines = (rest + piece.toString('latin1')).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        const [, microseconds] = /^out_time_us=(\d+)/.exec(line) ?? [];
        if (microseconds !== undefined) onProgress(fraction(Number(microseconds) / 1e6, duration));
      }
    };
    return runFfmpeg({ program: this.ffmpeg, args, cwd, signal, onOutput });
  }
}

/** Sound comes second in a file that has both. */
function audioPlace({ video, audio }: Probe): number | null {
  if (audio === null) return null;
  return video === null ? 0 : 1;
}

function fraction(time: number, duration: number | null): number {
  if (duration === null || duration <= 0) return 1 - Math.exp(-time / GUESSED_SECONDS);
  return Math.min(1, time / duration);
}

/** FFmpeg reports times of the track that is behind, which may fall. */
function rising(report: (fraction: number) => void): (fraction: number) => void {
  let highest = 0;
  return (done) => {
    highest = Math.max(highest, done);
    report(highest);
  };
}
