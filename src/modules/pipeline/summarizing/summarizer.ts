import type { SummaryTopic } from '../../summaries/entities/summary.entity.js';
import type { TranscriptSegment } from '../../../lib/transcript-formats/transcript.js';

/** Times in seconds; the speaker is empty if unknown. */
export type SpokenSegment = Omit<TranscriptSegment, 'confidence'>;

/** The input of a summary. */
export interface SummarySource {
  readonly title: string;
  /** BCP 47 code; null if unknown. */
  readonly language: string | null;
  /** Labels, in the order in which they first speak. */
  readonly speakers: readonly string[];
  /** In chronological order. */
  readonly segments: readonly SpokenSegment[];
}

export interface GeneratedSummary {
  /** Markdown. */
  readonly content: string;
  readonly topics: readonly SummaryTopic[];
}

/** A failure that a retry cannot fix. The message is shown to the user. */
export class SummaryRefusedError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'SummaryRefusedError';
  }
}

/**
 * Summarizes a transcript, in a thread that ends when the job is stopped. Throws `SummaryRefusedError` if a retry would fail as
 * well; any other error is retried. There are two: `summarizeExtractively`, which needs nothing but PostgreSQL, and
 * `ChatSummarizer`.
 */
export type Summarizer = (source: SummarySource) => Promise<GeneratedSummary>;
