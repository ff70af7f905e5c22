import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Inject, Injectable } from '@nestjs/common';
import { SETTINGS, type Settings } from '../../../../platform/config/settings.js';
import { runChild } from '../process/packager-child.js';
import type { PackageOptions, PackageRequest } from '../packager.js';
import {
  LEVEL_SAMPLES,
  LEVELS_FILE,
  levelsOf,
  AUDIO_FILE,
  AUDIO_RATE,
} from '../../../../lib/media-engine/audio/audio-format.js';

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

/** Extracts the audio from media, in a process of its own because media is untrusted, with the same tool as the packager. */
@Injectable()
export class AudioService {
  constructor(@Inject(SETTINGS) private readonly settings: Pick<Settings, 'ffmpegPath'>) {}

  /**
   * Writes the audio of `source` into `folder`, with the timing that players use. Throws `UnplayableMediaError` when there
   * is none or it cannot be decoded; any other error is worth a retry.
   */
  async extract(request: PackageRequest, options: PackageOptions): Promise<ExtractedAudio> {
    const ffmpeg = this.settings.ffmpegPath ?? null;
    const { duration, voices } = (await runChild({ ...request, task: 'audio', ffmpeg }, options)).files;
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
