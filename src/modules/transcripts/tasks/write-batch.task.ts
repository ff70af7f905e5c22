import { withConnection } from '../../../platform/database/connection.js';
import { handOver, type ThreadTask } from '../../../platform/work/thread-task.js';
import type { TranscriptSegment } from '../entities/transcript-chunk.entity.js';
import type { WrittenFormat } from '../../../lib/transcript-formats/export-formats.js';
import {
  writeBatch,
  type WritingState,
  type WrittenBatch,
} from '../../../lib/transcript-formats/transcript-writer.js';

/** Chunks from `from` up to but not including `to`. */
export interface ChunkRange {
  readonly from: number;
  readonly to: number;
}

export interface BatchToWrite extends ChunkRange {
  readonly databaseUrl: string;
  readonly recordingId: string;
  readonly revision: number | null;
  readonly format: WrittenFormat;
  readonly state: WritingState;
  readonly seconds: number;
}

/** Null if the revision of the transcript has changed. */
export const WRITE_BATCH: ThreadTask<BatchToWrite, WrittenBatch | null> = { module: import.meta.url };

const CHUNKS_OF_REVISION = `
  SELECT c.segments FROM transcript_chunks c JOIN transcripts t ON t.recording_id = c.recording_id
  WHERE c.recording_id = $1 AND c.chunk_index >= $2 AND c.chunk_index < $3 AND t.revision = $4
  ORDER BY c.chunk_index`;

/** Reads chunks of a transcript and writes them as a piece of a file. */
export default async function write(batch: BatchToWrite): Promise<WrittenBatch | null> {
  const { databaseUrl, recordingId, from, to, revision, format, state, seconds } = batch;
  const chunks = await withConnection(databaseUrl, seconds, (database) =>
    database.query<{ segments: TranscriptSegment[] }>(CHUNKS_OF_REVISION, [recordingId, from, to, revision]),
  );
  if (chunks.length !== to - from) return null;
  const segments = chunks.flatMap((chunk) => chunk.segments);
  const written = writeBatch(format, segments, state);
  const text = new TextEncoder().encode(String(written.text));
  return handOver({ text, state: written.state }, [text]);
}
