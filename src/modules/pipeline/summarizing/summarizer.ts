import type { GeneratedSummary, SummarySource } from '../../../lib/extractive-summary/summary.js';

export interface Summary {
  readonly made: GeneratedSummary;
  /** Second from which a limit on cost left the meeting to the extractive summarizer; null if none did. */
  readonly quotedFrom: number | null;
}

/**
 * Summarizes a transcript, in a thread that ends when the job is stopped. Throws `RefusedError` if a retry would fail as
 * well; any other error is retried. There are two: `summarizeExtractively`, which needs nothing but PostgreSQL,
 * and `ChatSummarizer`.
 */
export type Summarizer = (source: SummarySource) => Promise<Summary>;
