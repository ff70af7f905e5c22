import type { NewSegment } from '../entities/transcript-chunk.entity.js';
import type { SkippedPart } from './transcript-file.error.js';

/** The formats that are read. */
export type ReadableFormat = 'vtt' | 'srt' | 'json';

/** What a file holds; segments in the order of time. */
export interface ReadTranscript {
  readonly format: ReadableFormat;
  /** BCP 47 code; null when the file does not say. */
  readonly language: string | null;
  readonly segments: NewSegment[];
  /** The first parts that were left out, at most `SKIPPED_LISTED`. */
  readonly skipped: SkippedPart[];
  readonly skippedCount: number;
}

/** What files say about a transcript besides its segments. */
export interface TranscriptHead {
  readonly title: string;
  readonly language: string | null;
  readonly speakers: readonly string[];
  /** Seconds. */
  readonly duration: number;
  /** When the meeting was. */
  readonly createdAt?: Date;
  /** Which state of the transcript it is; JSON says so where it is known. */
  readonly revision?: number;
}

export const FILE_LIMITS = {
  segments: 100_000,
  /** Seconds; times stay below: more than eleven days. */
  time: 1_000_000,
  /** UTF-16 units of one cue, or text, with its tags and entities, which are many where every word has its time. */
  markup: 400_000,
  /** Levels of JSON in each other. */
  jsonDepth: 32,
  /** Members of objects and items of lists in JSON: some for each word of a day. */
  jsonEntries: 3_000_000,
} as const;

export const SKIPPED_LISTED = 100;
