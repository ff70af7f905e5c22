import type { Database } from '../../../platform/database/connection.js';
import { lexemesOf } from '../../../platform/language/lexemes.js';
import { summarizeExtractively } from './extractive-summary.js';
import { Summarizer, type MadeSummary, type SummarySource } from '../summarizer.js';

/** Makes summaries of the meeting's own sentences; needs nothing but PostgreSQL, and sends nothing anywhere. */
export class ExtractiveSummarizer extends Summarizer {
  constructor(private readonly database: Database) {
    super();
  }

  summarize(source: SummarySource, signal: AbortSignal): Promise<MadeSummary> {
    return summarizeExtractively(source, (texts) => lexemesOf(this.database, source.language, texts), signal);
  }
}
