import type { SpokenSegment } from '../../lib/transcript-formats/transcript.js';

/** A meeting that a question is about. */
export interface Meeting {
  readonly recordingId: string;
  readonly title: string;
  /** BCP 47 code; null if unknown. */
  readonly language: string | null;
  /** In chronological order; not necessarily all. */
  readonly segments: readonly SpokenSegment[];
  /** How well the meeting as a whole matches, from 0 to 1: a factor of its passages. */
  readonly weight: number;
  /** Only passages of these speakers; null for all. */
  readonly speakers: readonly string[] | null;
}
