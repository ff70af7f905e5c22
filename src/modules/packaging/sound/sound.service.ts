import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Inject, Injectable } from '@nestjs/common';
import { SETTINGS, type Settings } from '../../../platform/config/settings.js';
import { runChild } from '../process/packager-child.js';
import type { PackageOptions, PackageRequest } from '../packager.js';
import { extractWithFfmpeg } from './sound-ffmpeg.js';
import { LEVEL_SAMPLES, LEVELS_FILE, levelsOf, SOUND_FILE, SOUND_RATE } from './sound-format.js';

/** The sound of a recording in a file. */
export interface Sound {
  /** Samples of one channel, `rate` a second, signed, 16 bits, little endian, and nothing else. */
  readonly path: string;
  readonly rate: typeof SOUND_RATE;
  /** Seconds. */
  readonly duration: number;
  /** Root mean square of each `levelSeconds`, 0 (silence) to 1. */
  readonly levels: Float32Array;
  readonly levelSeconds: number;
}

/**
 * Takes the sound out of media, in a process of its own, as media comes from strangers: with mediabunny and the codecs of
 * the library, or the FFmpeg of `FFMPEG_PATH`.
 */
@Injectable()
export class SoundService {
  private readonly ffmpegPath: string | undefined;

  constructor(@Inject(SETTINGS) { ffmpegPath }: Pick<Settings, 'ffmpegPath'>) {
    this.ffmpegPath = ffmpegPath;
  }

  /**
   * Writes the sound of `source` into `folder`, at the times it has in players. Throws `UnplayableMediaError` where there
   * is none or it cannot be decoded; any other error is worth another try.
   */
  async extract(request: PackageRequest, options: PackageOptions): Promise<Sound> {
    const duration = this.ffmpegPath
      ? await extractWithFfmpeg(this.ffmpegPath, request, options)
      : await extractInChild(request, options);
    return {
      path: join(request.folder, SOUND_FILE),
      rate: SOUND_RATE,
      duration,
      levels: levelsOf(await readFile(join(request.folder, LEVELS_FILE))),
      levelSeconds: LEVEL_SAMPLES / SOUND_RATE,
    };
  }
}

async function extractInChild(request: PackageRequest, options: PackageOptions): Promise<number> {
  const result = await runChild({ ...request, task: 'sound' }, options);
  if (result.kind === 'sound') return result.duration;
  throw new Error('the packager answered another question');
}
