import { withConnection, type Database } from '../../platform/database/connection.js';
import type { ModelServer } from '../../platform/models/model-client.js';
import type { ThreadTask } from '../../platform/work/thread-task.js';
import type { TranscriptSegment } from '../transcripts/entities/transcript-chunk.entity.js';
import { ChatSummarizer } from './chat/chat.summarizer.js';
import { ExtractiveSummarizer } from './extractive/extractive.summarizer.js';
import { SummaryRefusedError, type GeneratedSummary, type SummarySource } from './summarizer.js';
import { safeHtml } from './summary-html.js';

export interface SummarizeInput {
  readonly databaseUrl: string;
  readonly recordingId: string;
  /** The chat server that writes the summary; null for an extractive summary. */
  readonly chat: ModelServer | null;
  readonly seconds: number;
}

/** `refusal`: why a retry cannot succeed, as shown to the user. */
export type Summarized =
  { readonly made: GeneratedSummary; readonly html: string | null } | { readonly refusal: string };

export const SUMMARIZE: ThreadTask<SummarizeInput, Summarized> = { module: import.meta.url };

const NO_TRANSCRIPT = 'The transcript no longer exists.';

/** Reads the transcript of a recording and summarizes it. */
export default async function summarize(input: SummarizeInput): Promise<Summarized> {
  const { databaseUrl, recordingId, chat, seconds } = input;
  return withConnection(databaseUrl, seconds, async (database) => {
    try {
      const summarizer = chat ? new ChatSummarizer(chat) : new ExtractiveSummarizer(database);
      const source = await readSource(database, recordingId);
      // An abort terminates the whole thread.
      const made = await summarizer.summarize(source, new AbortController().signal);
      return { made, html: safeHtml(made.content) };
    } catch (error) {
      if (error instanceof SummaryRefusedError) return { refusal: error.message };
      throw error;
    }
  });
}

async function readSource(database: Database, recordingId: string): Promise<SummarySource> {
  const [head] = await database.query<Omit<SummarySource, 'segments'>>(
    `SELECT r.title, t.language, t.speakers FROM recordings r JOIN transcripts t ON t.recording_id = r.id
     WHERE r.id = $1 AND t.status = 'completed'`,
    [recordingId],
  );
  if (!head) throw new SummaryRefusedError(NO_TRANSCRIPT);
  const chunks = await database.query<{ segments: TranscriptSegment[] }>(
    'SELECT segments FROM transcript_chunks WHERE recording_id = $1 ORDER BY chunk_index',
    [recordingId],
  );
  return { ...head, segments: chunks.flatMap(({ segments }) => segments) };
}
