import { createReadStream } from 'node:fs';
import { maxDuration, tooLong } from '../media-limits.js';
import { UnplayableMediaError } from '../unplayable-media.error.js';
import { AUDIO_RATE, LEVEL_SAMPLES, levelsIn, SAMPLE_BYTES, samplesOf } from './audio-format.js';

/** Audio in a file, in the format of `audio-format.ts`. */
export interface AudioFile {
  readonly path: string;
  /** Samples. */
  readonly length: number;
  /** Root mean square of each `LEVEL_SAMPLES`, 0 to 1. */
  readonly levels: readonly number[];
}

/** Throws `UnplayableMediaError` if the file is empty, or longer than a source of this many bytes may be. */
export async function measuredAudio(path: string, bytes: number): Promise<AudioFile> {
  const levels: number[] = [];
  let length = 0;
  // Chunks hold whole levels, so that none is split.
  const pieces = createReadStream(path, { highWaterMark: 400 * LEVEL_SAMPLES * SAMPLE_BYTES });
  for await (const piece of pieces as AsyncIterable<Buffer>) {
    const samples = samplesOf(piece);
    levels.push(...levelsIn(samples));
    length += samples.length;
  }
  if (length === 0) throw new UnplayableMediaError('The audio is damaged: none of it can be decoded.');
  if (length / AUDIO_RATE > maxDuration(bytes)) throw tooLong(bytes);
  return { path, length, levels };
}
