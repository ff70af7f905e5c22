import { withConnection, type Database } from '../../../platform/database/connection.js';
import { lexemesOf } from '../../search/index/public/lexemes.queries.js';
import type { ModelServer } from '../../../platform/models/model-client.js';
import type { ThreadTask } from '../../../platform/work/thread-task.js';
import { ChatSummarizer } from './chat/chat.summarizer.js';
import { summarizeExtractively } from '../../../lib/extractive-summary/extractive-summary.js';
import { SummaryRefusedError, type Summarizer } from './summarizer.js';
import safeHtml from '../../summaries/public/safe-html.task.js';
import type { SpokenSegment } from '../../../lib/transcript-formats/transcript.js';
import type { GeneratedSummary, SummarySource } from '../../../lib/extractive-summary/summary.js';

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
      const made = await summarizerOf(chat, database)(await readSource(database, recordingId));
      return { made, html: safeHtml(made.content) };
    } catch (error) {
      if (error instanceof SummaryRefusedError) return { refusal: error.message };
      throw error;
    }
  });
}

function summarizerOf(chat: ModelServer | null, database: Database): Summarizer {
  if (chat) return (source) => new ChatSummarizer(chat).summarize(source);
  return (source) => summarizeExtractively(source, (texts) => lexemesOf(database, source.language, texts));
}

async function readSource(database: Database, recordingId: string): Promise<SummarySource> {
  const [head] = await database.query<Omit<SummarySource, 'segments'>>(
    `SELECT r.title, t.language, t.speakers FROM recordings r JOIN transcripts t ON t.recording_id = r.id
     WHERE r.id = $1 AND t.status = 'completed'`,
    [recordingId],
  );
  if (!head) throw new SummaryRefusedError(NO_TRANSCRIPT);
  const chunks = await database.query<{ segments: SpokenSegment[] }>(
    'SELECT segments FROM transcript_chunks WHERE recording_id = $1 ORDER BY chunk_index',
    [recordingId],
  );
  return { ...head, segments: chunks.flatMap(({ segments }) => segments) };
}
