import { open, type FileHandle } from 'node:fs/promises';
import { levelsIn, samplesOf } from '../media-engine/audio/audio-format.js';
import type { Span } from './passages.js';
import { readSpan } from './sherpa.js';

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
    const levels = await Promise.all(
      this.files.map(async (file) => levelsIn(samplesOf(await readSpan(file, span)))),
    );
    const [mine, others] = [levels[own] ?? [], levels.filter((_, voice) => voice !== own)];
    const drowned = mine.filter((level, frame) =>
      others.some((other) => (other[frame] ?? 0) > LOUDER * level),
    );
    return drowned.length > SHARE * mine.length;
  }
}
