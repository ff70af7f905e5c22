import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const FOLDER = resolve('test/data/media/formats');

/** A file that is packaged, from `test/data/media/formats/formats.json`. All video has 128 by 96 pixels. */
export interface TakenFormat {
  readonly file: string;
  /** Detected from its first bytes; null if they are too few for that. */
  readonly type: string | null;
  /** Container and codecs as `docs/uploads.md` calls them. */
  readonly container: string;
  readonly video: string | null;
  readonly audio: string | null;
  /** The tracks that are copied; the others are converted to H.264 and AAC. */
  readonly copied: readonly ('video' | 'audio')[];
  /** Duration of what is in it. */
  readonly seconds: number;
  /** Duration that its header claims, if more is missing than a player would notice. */
  readonly claims?: number;
  /** What is unusual about it. */
  readonly case?: string;
}

export interface RefusedFormat {
  readonly file: string;
  readonly type: string;
  /** Pattern of the reason. */
  readonly reason: string;
}

interface Formats {
  /** File name extensions of each container, in the order of the documentation. */
  readonly containers: Readonly<Record<string, readonly string[]>>;
  readonly taken: readonly TakenFormat[];
  readonly refused: readonly RefusedFormat[];
}

export const FORMATS = JSON.parse(readFileSync(join(FOLDER, 'formats.json'), 'utf8')) as Formats;
export const { taken: TAKEN, refused: REFUSED } = FORMATS;

export const formatPath = (file: string): string => join(FOLDER, file);
