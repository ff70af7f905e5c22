/** The input of a summary. */
export interface SummarySource {
  readonly title: string;
  /** BCP 47 code; null if unknown. */
  readonly language: string | null;
  /** Labels, in the order in which they first speak. */
  readonly speakers: readonly string[];
  /** In chronological order; times in seconds. */
  readonly segments: readonly SpokenSegment[];
}

export interface SpokenSegment {
  readonly id: number;
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** Empty if unknown. */
  readonly speaker: string;
}

export interface GeneratedSummary {
  /** Markdown. */
  readonly content: string;
  readonly topics: readonly GeneratedTopic[];
}

export interface GeneratedTopic {
  readonly title: string;
  /** Seconds from the start of the recording; null if unknown. */
  readonly start: number | null;
  readonly keyPoints: readonly GeneratedKeyPoint[];
}

export interface GeneratedKeyPoint {
  readonly point: string;
  readonly start: number | null;
  readonly details: readonly string[];
}

/** A failure that a retry cannot fix. The message is shown to the user. */
export class SummaryRefusedError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'SummaryRefusedError';
  }
}

/**
 * Summarizes a transcript. An abstract class, so that it is its own injection token. Adapters:
 * `extractive.summarizer.ts`, which needs nothing, and `chat.summarizer.ts`.
 */
export abstract class Summarizer {
  /** Throws `SummaryRefusedError` if a retry would fail as well; any other error is retried. */
  abstract summarize(source: SummarySource, signal: AbortSignal): Promise<GeneratedSummary>;
}
