import { open, type FileHandle } from 'node:fs/promises';
import type { Span } from './passages.js';
import { AUDIO_RATE, SAMPLE_BYTES } from './sherpa.js';

/** Samples that are compared at a time: 50 ms. */
const FRAME = AUDIO_RATE / 20;
/** 10 dB: a microphone hears its own speaker that much louder than the others do. */
const LOUDER = 10 ** (10 / 20);
/** Share of a stretch of speech in which somebody else must be louder. */
const SHARE = 0.5;

/** Tells whether what is heard in one voice is said in another: microphones also pick up who sits nearby. */
export class Crosstalk {
  private constructor(private readonly files: readonly FileHandle[]) {}

  /** The voices are files on the same time line. */
  static async between(voices: readonly { readonly path: string }[]): Promise<Crosstalk> {
    return new Crosstalk(await Promise.all(voices.map(({ path }) => open(path))));
  }

  async close(): Promise<void> {
    await Promise.all(this.files.map((file) => file.close()));
  }

  /** Whether a stretch of speech in the voice with index `own` comes from another one. */
  async isFromOther(span: Span, own: number): Promise<boolean> {
    if (this.files.length === 1) return false;
    const levels = await Promise.all(this.files.map((file) => levelsOf(file, span)));
    const [mine, others] = [levels[own] ?? [], levels.filter((_, voice) => voice !== own)];
    const drowned = mine.filter((level, frame) =>
      others.some((other) => (other[frame] ?? 0) > LOUDER * level),
    );
    return drowned.length > SHARE * mine.length;
  }
}

/** Root mean squares of the frames of a stretch. */
async function levelsOf(file: FileHandle, { start, end }: Span): Promise<number[]> {
  const first = Math.round(start * AUDIO_RATE);
  const bytes = Buffer.alloc(Math.max(0, Math.round(end * AUDIO_RATE) - first) * SAMPLE_BYTES);
  const { bytesRead } = await file.read(bytes, 0, bytes.length, first * SAMPLE_BYTES);
  const levels: number[] = [];
  for (let from = 0; from < bytesRead; from += FRAME * SAMPLE_BYTES) {
    levels.push(levelOf(bytes.subarray(from, Math.min(from + FRAME * SAMPLE_BYTES, bytesRead))));
  }
  return levels;
}

function levelOf(samples: Buffer): number {
  let squares = 0;
  for (let offset = 0; offset + 1 < samples.length; offset += SAMPLE_BYTES) {
    squares += samples.readInt16LE(offset) ** 2;
  }
  return Math.sqrt((squares * SAMPLE_BYTES) / samples.length);
}
