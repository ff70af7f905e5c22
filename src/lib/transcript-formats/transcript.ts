import type { SkippedPart } from './transcript-file.error.js';

/** What somebody says. */
export interface Segment {
  /** Seconds from the start of the recording. */
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** Empty if unknown. */
  readonly speaker: string;
  /** 0 to 1; 1 if unknown. */
  readonly confidence: number;
}

/** A segment of a transcript that is kept; they are numbered in their order, from 0. */
export interface TranscriptSegment extends Segment {
  readonly id: number;
  /** Whether it is not speech; absent for speech. */
  readonly noise?: boolean;
}

/** A segment for those who do not care how sure the transcription is. */
export type SpokenSegment = Omit<TranscriptSegment, 'confidence'>;

/** The content of a file; segments in chronological order. */
export interface ReadTranscript {
  /** The name of a `TextFormat`, `vtt` or `json`. */
  readonly format: string;
  /** BCP 47 code; null if the file has none. */
  readonly language: string | null;
  readonly segments: Segment[];
  /** The first skipped parts, at most `SKIPPED_LISTED`. */
  readonly skipped: SkippedPart[];
  readonly skippedCount: number;
}

/** The metadata of a transcript in a file. */
export interface TranscriptHead {
  readonly title: string;
  readonly language: string | null;
  readonly speakers: readonly string[];
  /** Seconds. */
  readonly duration: number;
  /** When the meeting took place. */
  readonly createdAt?: Date;
  /** Whether confidences are known; JSON includes it if given. */
  readonly confidenceKnown?: boolean;
  /** Revision of the transcript; JSON includes it if known. */
  readonly revision?: number;
  /** Segments of a page in the API; JSON says how many pages there are. */
  readonly segmentsPerPage: number;
}

/** The first four are those of the API for a transcript (`LIMITS`). */
export const FILE_LIMITS = {
  /** Code points of a segment's text. */
  text: 10_000,
  /** Code points of a speaker's name. */
  speaker: 200,
  /** Distinct speakers. */
  speakers: 1_000,
  segments: 100_000,
  /** Exclusive upper bound of times, in seconds: more than eleven days. */
  time: 1_000_000,
  /** UTF-16 units of one cue including tags and entities, which are many if every word has a timestamp. */
  markup: 400_000,
  /** Levels of nesting in JSON. */
  jsonDepth: 32,
  /** Members of objects and items of lists in JSON: several for each word of a whole day. */
  jsonEntries: 3_000_000,
} as const;

export const SKIPPED_LISTED = 100;

export const DOCX_TYPE = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
