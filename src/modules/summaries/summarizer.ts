/** What a summary is made of. */
export interface SummarySource {
  readonly title: string;
  /** BCP 47 code; null when not known. */
  readonly language: string | null;
  /** Labels in the order in which they first speak. */
  readonly speakers: readonly string[];
  /** In order of time; times in seconds. */
  readonly segments: readonly SpokenSegment[];
}

export interface SpokenSegment {
  readonly id: number;
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** Empty when not known. */
  readonly speaker: string;
}

export interface MadeSummary {
  /** Markdown. */
  readonly content: string;
  readonly topics: readonly MadeTopic[];
}

export interface MadeTopic {
  readonly title: string;
  /** Seconds from the start of the recording; null when not known. */
  readonly start: number | null;
  readonly keyPoints: readonly MadeKeyPoint[];
}

export interface MadeKeyPoint {
  readonly point: string;
  readonly start: number | null;
  readonly details: readonly string[];
}

/** What trying again cannot mend; the message is fit for whoever asked for the summary. */
export class SummaryRefusedError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'SummaryRefusedError';
  }
}

/**
 * Makes a summary of a transcript. Abstract class, so that it is its own injection token. Adapters:
 * `extractive.summarizer.ts`, which needs nothing, and `chat.summarizer.ts`.
 */
export abstract class Summarizer {
  /** Throws `SummaryRefusedError` for what will fail again; any other error is worth another attempt. */
  abstract summarize(source: SummarySource, signal: AbortSignal): Promise<MadeSummary>;
}
