import type { Database } from '../../../platform/database/connection.js';
import { lexemesOf } from '../../../platform/language/lexemes.js';
import { summarizeExtractively } from './extractive-summary.js';
import { Summarizer, type GeneratedSummary, type SummarySource } from '../summarizer.js';

/** Summarizes with the meeting's own sentences. Needs only PostgreSQL, and sends nothing to other services. */
export class ExtractiveSummarizer extends Summarizer {
  constructor(private readonly database: Database) {
    super();
  }

  summarize(source: SummarySource, signal: AbortSignal): Promise<GeneratedSummary> {
    return summarizeExtractively(source, (texts) => lexemesOf(this.database, source.language, texts), signal);
  }
}
