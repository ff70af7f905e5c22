import { createReadStream } from 'node:fs';
import { maxDuration, tooLong } from '../media-limits.js';
import { UnplayableMediaError } from '../media.errors.js';

/** Sample rate of extracted audio in hertz: what speech recognition works with. */
export const AUDIO_RATE = 16_000;
/** Signed, little endian. */
export const SAMPLE_BYTES = 2;
/** Samples in one level: 50 ms. */
export const LEVEL_SAMPLES = AUDIO_RATE / 20;

/** File names in the folder that audio is extracted into: the mix of all voices, and its levels. */
export const AUDIO_FILE = 'audio.s16le';
export const LEVELS_FILE = 'levels.f32le';
/** Every file that extraction may leave. */
export const EXTRACTED_FILE = /^(?:[a-z0-9-]+\.s16le|levels\.f32le)$/;

/** The content of the levels file; little endian as samples are, and every machine with binaries of `node-av`. */
export const levelBytes = (levels: readonly number[]): Buffer =>
  Buffer.from(Float32Array.from(levels).buffer);

export const levelsOf = (bytes: Buffer): Float32Array => new Float32Array(new Uint8Array(bytes).buffer);

export const samplesOf = (bytes: Buffer): Int16Array => new Int16Array(new Uint8Array(bytes).buffer);

const FULL_SCALE = 32_767;

/** Root mean square of each `LEVEL_SAMPLES`, 0 to 1. */
export function levelsIn(samples: Int16Array): number[] {
  const levels: number[] = [];
  for (let from = 0; from < samples.length; from += LEVEL_SAMPLES) {
    let squares = 0;
    for (const sample of samples.subarray(from, from + LEVEL_SAMPLES)) squares += sample ** 2;
    levels.push(Math.sqrt(squares / LEVEL_SAMPLES) / FULL_SCALE);
  }
  return levels;
}

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
