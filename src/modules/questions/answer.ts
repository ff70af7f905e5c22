export const ANSWER_MODES = ['written', 'passages'] as const;
export type AnswerMode = (typeof ANSWER_MODES)[number];

/** A segment, or part of one, that supports an answer. Times in seconds. */
export interface CitedSegment {
  readonly id: number;
  readonly start: number;
  readonly end: number;
  /** Empty if unknown. */
  readonly speaker: string;
  /** Verbatim. */
  readonly quote: string;
}

export interface Answer {
  readonly mode: AnswerMode;
  readonly text: string;
  readonly citations: readonly CitedSegment[];
}
