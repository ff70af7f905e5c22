import type { LexemesService } from '../../platform/language/lexemes.service.js';
import { summarizeExtractively } from './extractive-summary.js';
import { Summarizer, type MadeSummary, type SummarySource } from './summarizer.js';

/** Makes summaries of the meeting's own sentences; needs nothing but PostgreSQL, and sends nothing anywhere. */
export class ExtractiveSummarizer extends Summarizer {
  constructor(private readonly lexemes: LexemesService) {
    super();
  }

  summarize(source: SummarySource, signal: AbortSignal): Promise<MadeSummary> {
    return summarizeExtractively(source, (texts) => this.lexemes.of(source.language, texts), signal);
  }
}
