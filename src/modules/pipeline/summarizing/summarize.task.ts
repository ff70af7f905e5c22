import { withConnection } from '../../../platform/database/connection.js';
import type { Database } from '../../../platform/database/sql.js';
import { lexemesOf } from '../../search/index/public/lexemes.queries.js';
import type { ModelServer } from '../../../platform/models/model-client.js';
import { inheritTrace, type TraceHeaders } from '../../../platform/telemetry/spans.js';
import { ChatSummarizer, type Summary } from './chat/chat.summarizer.js';
import type { SummarySource } from '../../../lib/extractive-summary/summary.js';
import { summarizeExtractively } from '../../../lib/extractive-summary/extractive-summary.js';
import { resolutionCuesOf } from '../../../lib/extractive-summary/resolution-cues.js';
import { RefusedError } from '../public/steps.js';
import { findSource } from './summarizing.queries.js';
import safeHtml from '../../summaries/public/safe-html.task.js';

export interface SummarizeInput {
  readonly databaseUrl: string;
  readonly recordingId: string;
  /** The chat server that writes the summary; null for an extractive summary. */
  readonly chat: ModelServer | null;
  /** Tokens that the chat server may use; null for any number. */
  readonly maxTokens: number | null;
  readonly seconds: number;
  /** Of the job, for the chat server. */
  readonly trace: TraceHeaders;
}

/** `refusal`: why a retry cannot succeed, as shown to the user. */
export type Summarized = (Summary & { readonly html: string | null }) | { readonly refusal: string };

/**
 * Summarizes a transcript, in a thread that ends when the job is stopped. Throws `RefusedError` if a retry would fail as
 * well; any other error is retried. There are two: `summarizeExtractively`, which needs nothing but PostgreSQL, and
 * `ChatSummarizer`.
 */
type Summarizer = (source: SummarySource) => Promise<Summary>;

/** A paragraph of its own, where the lists are empty for another reason than the meeting. */
const NOT_RECOGNIZED = '\n\nDecisions and action items are not recognized in the language of this meeting.';
const NO_TRANSCRIPT = 'The transcript no longer exists.';

/** Reads the transcript of a recording and summarizes it. */
export default async function summarize(input: SummarizeInput): Promise<Summarized> {
  const { databaseUrl, recordingId, seconds, trace } = input;
  inheritTrace(trace);
  return withConnection(databaseUrl, seconds, async (database) => {
    try {
      const source = await findSource(database, recordingId);
      if (!source) return { refusal: NO_TRANSCRIPT };
      const summary = await summarizerOf(input, database, source)(source);
      return { ...summary, html: safeHtml(summary.made.content) };
    } catch (error) {
      if (error instanceof RefusedError) return { refusal: error.message };
      throw error;
    }
  });
}

function summarizerOf(
  { chat, maxTokens }: SummarizeInput,
  database: Database,
  { language, segments }: SummarySource,
): Summarizer {
  const lexemes = (texts: readonly string[]): Promise<string[][]> => lexemesOf(database, language, texts);
  if (chat && segments.length > 0)
    return (source) => new ChatSummarizer(chat, { lexemes, maxTokens }).summarize(source);
  return async (source) => {
    const made = await summarizeExtractively(source, lexemes);
    const note = made.topics.length === 0 || resolutionCuesOf(language) ? '' : NOT_RECOGNIZED;
    return { made: { ...made, content: made.content + note }, quotedFrom: null };
  };
}
