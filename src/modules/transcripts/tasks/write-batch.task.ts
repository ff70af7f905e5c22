import { withConnection } from '../../../platform/database/connection.js';
import { handOver, type ThreadTask } from '../../../platform/work/thread-task.js';
import type { WrittenFormat } from '../../../lib/transcript-formats/written-formats.js';
import {
  writeBatch,
  type WritingState,
  type WrittenBatch,
} from '../../../lib/transcript-formats/transcript-writer.js';
import { readChunksOfRevision, type ChunksOfRevision } from '../transcripts.queries.js';

interface BatchToWrite extends ChunksOfRevision {
  readonly databaseUrl: string;
  readonly format: WrittenFormat;
  readonly state: WritingState;
  readonly seconds: number;
}

/** Null if the revision of the transcript has changed. */
export const WRITE_BATCH: ThreadTask<BatchToWrite, WrittenBatch | null> = { module: import.meta.url };

/** Reads chunks of a transcript and writes them as a piece of a file. */
export default async function write(batch: BatchToWrite): Promise<WrittenBatch | null> {
  const { databaseUrl, from, to, format, state, seconds } = batch;
  const chunks = await withConnection(databaseUrl, seconds, (database) =>
    readChunksOfRevision(database, batch),
  );
  if (chunks.length !== to - from) return null;
  const segments = chunks.flatMap((chunk) => chunk.segments);
  const written = writeBatch(format, segments, state);
  const text = new TextEncoder().encode(String(written.text));
  return handOver({ text, state: written.state }, [text]);
}
