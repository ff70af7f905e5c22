import { endianness } from 'node:os';

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

/** The content of the levels file. */
export function levelBytes(levels: readonly number[]): Buffer {
  const bytes = Buffer.from(Float32Array.from(levels).buffer);
  return endianness() === 'BE' ? bytes.swap32() : bytes;
}

export function levelsOf(bytes: Buffer): Float32Array {
  const copy = Buffer.from(new Uint8Array(bytes).buffer);
  return new Float32Array((endianness() === 'BE' ? copy.swap32() : copy).buffer);
}

/** The samples in such bytes. */
export function samplesOf(bytes: Buffer): Int16Array {
  const copy = Buffer.from(new Uint8Array(bytes).buffer);
  return new Int16Array((endianness() === 'BE' ? copy.swap16() : copy).buffer);
}
