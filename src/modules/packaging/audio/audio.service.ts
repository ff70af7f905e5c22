import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Inject, Injectable } from '@nestjs/common';
import { SETTINGS, type Settings } from '../../../platform/config/settings.js';
import { runChild } from '../process/packager-child.js';
import type { PackageOptions, PackageRequest } from '../packager.js';
import { FfmpegTool } from '../ffmpeg/ffmpeg.tool.js';
import { inspectInChild } from '../process/inspect-in-child.js';
import { extractAudio } from './extract-audio.js';
import { LEVEL_SAMPLES, LEVELS_FILE, levelsOf, AUDIO_FILE, AUDIO_RATE } from './audio-format.js';
import type { ExtractedFiles } from './voice-files.js';

/** What one participant says, as far as the media separates participants. */
export interface Voice {
  /** A file in the format of `ExtractedAudio.path`, and on the same time line. */
  readonly path: string;
  /** Who it is; empty if the media does not say, which is the case only for a single voice. */
  readonly speaker: string;
}

/** The audio of a recording in a file. */
export interface ExtractedAudio {
  /** Everyone together. Raw mono samples at `rate` hertz: signed 16-bit little-endian, without a header. */
  readonly path: string;
  /** At least one; the file of a single voice is `path`. */
  readonly voices: readonly Voice[];
  readonly rate: typeof AUDIO_RATE;
  /** Seconds. */
  readonly duration: number;
  /** Root mean square of each `levelSeconds` of audio, 0 (silence) to 1. */
  readonly levels: Float32Array;
  readonly levelSeconds: number;
}

/**
 * Extracts the audio from media, in separate processes because media is untrusted: with FFmpeg as a library, or with the
 * program at `FFMPEG_PATH`.
 */
@Injectable()
export class AudioService {
  private readonly ffmpegPath: string | undefined;

  constructor(@Inject(SETTINGS) { ffmpegPath }: Pick<Settings, 'ffmpegPath'>) {
    this.ffmpegPath = ffmpegPath;
  }

  /**
   * Writes the audio of `source` into `folder`, with the timing that players use. Throws `UnplayableMediaError` when there
   * is none or it cannot be decoded; any other error is worth a retry.
   */
  async extract(request: PackageRequest, options: PackageOptions): Promise<ExtractedAudio> {
    const { duration, voices } = this.ffmpegPath
      ? await extractWithProgram(this.ffmpegPath, request, options)
      : await extractInChild(request, options);
    return {
      path: join(request.folder, AUDIO_FILE),
      voices: voices.map(({ name, speaker }) => ({ path: join(request.folder, name), speaker })),
      rate: AUDIO_RATE,
      duration,
      levels: levelsOf(await readFile(join(request.folder, LEVELS_FILE))),
      levelSeconds: LEVEL_SAMPLES / AUDIO_RATE,
    };
  }
}

async function extractWithProgram(
  ffmpeg: string,
  request: PackageRequest,
  { signal, onProgress }: PackageOptions,
): Promise<ExtractedFiles> {
  signal.throwIfAborted();
  const { folder } = request;
  const { size: bytes } = await stat(request.source);
  const tool = new FfmpegTool(ffmpeg, folder, signal, { bytes, duration: null });
  const result = await extractAudio(request, {
    tool,
    inspect: (source) => inspectInChild({ source, folder }, signal),
    onSize: (size) => tool.expect(size),
    onProgress,
  });
  signal.throwIfAborted();
  return result;
}

async function extractInChild(request: PackageRequest, options: PackageOptions): Promise<ExtractedFiles> {
  const { files } = await runChild({ ...request, task: 'audio' }, options);
  return files;
}
