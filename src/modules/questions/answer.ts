export const ANSWER_MODES = ['written', 'passages'] as const;
export type AnswerMode = (typeof ANSWER_MODES)[number];

/** A segment, or a part of one, that an answer rests on; times in seconds. */
export interface CitedSegment {
  readonly id: number;
  readonly start: number;
  readonly end: number;
  /** Empty when not known. */
  readonly speaker: string;
  /** Word for word. */
  readonly quote: string;
}

export interface Answer {
  readonly mode: AnswerMode;
  readonly text: string;
  readonly citations: readonly CitedSegment[];
}
