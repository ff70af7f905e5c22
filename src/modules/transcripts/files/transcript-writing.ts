import type { TranscriptSegment } from '../entities/transcript-chunk.entity.js';
import type { TranscriptHead } from './transcript-files.js';

/** Progress of a file, passed from one batch of segments to the next, also between threads. */
export interface WritingState {
  /** Segments written. */
  readonly count: number;
  /** Speaker of the last paragraph; null before the first. */
  speaker: string | null;
  /** Characters of the last paragraph. */
  length: number;
}

export const BEGINNING: WritingState = { count: 0, speaker: null, length: 0 };

/** A format of transcript files. */
export interface TranscriptWriter {
  readonly opening: (head: TranscriptHead) => string;
  /** May change the speaker and length of `state`. */
  readonly batch: (segments: readonly TranscriptSegment[], state: WritingState) => string;
  readonly closing: (head: TranscriptHead, state: WritingState) => string;
}
