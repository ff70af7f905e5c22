import type { EntityManager } from 'typeorm';
import { type Database, sql } from '../../platform/database/sql.js';
import type { TranscriptDraftHead } from './entities/transcript.entity.js';
import type { ChunkBatch, StoredTranscript } from './stored-transcript.js';
import type { TranscriptSegment } from '../../lib/transcript-formats/transcript.js';

/** Completes the transcript with these figures, drops an attempt that is running, and returns the new revision. */
export async function writeHead(
  manager: EntityManager,
  recordingId: string,
  { language, speakers, segmentsCount, duration, confidenceKnown }: StoredTranscript,
  generated: boolean,
): Promise<number> {
  const { revision } = await sql(manager).row<{ revision: number }>`
    INSERT INTO transcripts (recording_id, status, language, speakers, segments_count, duration, confidence_known, generated)
    VALUES (${recordingId}, 'completed', ${language}, ${speakers}, ${segmentsCount}, ${duration}, ${confidenceKnown}, ${generated})
    ON CONFLICT (recording_id) DO UPDATE
    SET status = excluded.status, status_reason = NULL, attempt_id = NULL, language = excluded.language,
        speakers = excluded.speakers, segments_count = excluded.segments_count, duration = excluded.duration,
        confidence_known = excluded.confidence_known, generated = excluded.generated, revision = transcripts.revision + 1
    RETURNING revision`;
  return revision;
}

/** The chunks of the transcript in their order, each as JSON. */
export async function readChunks(manager: EntityManager, recordingId: string): Promise<string[]> {
  const chunks = await sql(manager)<{ json: string }>`
    SELECT segments::text AS json FROM transcript_chunks WHERE recording_id = ${recordingId} ORDER BY chunk_index`;
  return chunks.map(({ json }) => json);
}

/** Writes, and keeps for the revision before, only the chunks that differ. */
export async function writeChunks(
  manager: EntityManager,
  recordingId: string,
  revision: number,
  { from, json }: ChunkBatch,
): Promise<void> {
  // Bytes are sent as they are, without conversion to text.
  const bytes = Buffer.from(json.buffer, json.byteOffset, json.length);
  await sql(manager)`
    WITH sent AS MATERIALIZED (
      SELECT ${from}::int + place - 1 AS chunk_index, segments
      FROM json_array_elements(${bytes}::json) WITH ORDINALITY AS chunks (segments, place)
    ), kept AS (
      INSERT INTO superseded_transcript_chunks (recording_id, superseded_by, chunk_index, segments)
      SELECT c.recording_id, ${revision}::int, c.chunk_index, c.segments
      FROM sent JOIN transcript_chunks c ON c.recording_id = ${recordingId} AND c.chunk_index = sent.chunk_index
      WHERE c.segments::text <> sent.segments::text
    )
    INSERT INTO transcript_chunks AS c (recording_id, chunk_index, segments)
    SELECT ${recordingId}::uuid, chunk_index, segments FROM sent
    ON CONFLICT (recording_id, chunk_index) DO UPDATE SET segments = excluded.segments
    WHERE c.segments::text <> excluded.segments::text`;
}

/** Removes the chunks after the first `count`, and keeps them for the revision before. */
export async function removeChunks(
  manager: EntityManager,
  recordingId: string,
  revision: number,
  count: number,
): Promise<void> {
  await sql(manager)`
    WITH removed AS (
      DELETE FROM transcript_chunks WHERE recording_id = ${recordingId} AND chunk_index >= ${count}
      RETURNING recording_id, chunk_index, segments
    )
    INSERT INTO superseded_transcript_chunks (recording_id, superseded_by, chunk_index, segments)
    SELECT recording_id, ${revision}::int, chunk_index, segments FROM removed`;
}

/** What a save of a draft writes: `chunks`, a JSON list of all chunks from index `from` on, are its last ones. */
interface DraftToSave {
  readonly recordingId: string;
  readonly attempt: string;
  /** 0 to 1. */
  readonly progress: number;
  readonly head: TranscriptDraftHead;
  readonly from: number;
  readonly chunks: string;
}

/** Returns false, and writes nothing, if the attempt is no longer current. */
export async function saveDraft(
  manager: EntityManager,
  { recordingId, attempt, progress, head, from, chunks }: DraftToSave,
): Promise<boolean> {
  const { count } = await sql(manager).row<{ count: number }>`
    WITH current AS (
      UPDATE transcripts SET progress = ${progress}, draft = ${JSON.stringify(head)}
      WHERE recording_id = ${recordingId} AND attempt_id = ${attempt} AND status = 'processing' RETURNING recording_id
    ), sent AS MATERIALIZED (
      SELECT ${from}::int + place - 1 AS chunk_index, segments
      FROM json_array_elements(${chunks}::json) WITH ORDINALITY AS listed (segments, place)
    ), written AS (
      INSERT INTO transcript_draft_chunks (attempt_id, chunk_index, recording_id, segments)
      SELECT ${attempt}::uuid, chunk_index, recording_id, segments FROM current CROSS JOIN sent
      ON CONFLICT (attempt_id, chunk_index) DO UPDATE SET segments = excluded.segments
    ), removed AS (
      DELETE FROM transcript_draft_chunks
      WHERE attempt_id IN (SELECT ${attempt}::uuid FROM current) AND chunk_index >= ${from}::int + (SELECT count(*) FROM sent)
    )
    SELECT count(*)::int AS count FROM current`;
  return count > 0;
}

export interface ChunksOfRevision {
  readonly recordingId: string;
  readonly revision: number | null;
  /** Chunks from `from` up to but not including `to`. */
  readonly from: number;
  readonly to: number;
}

/** Reads chunks of the transcript in a thread; none if its revision has changed. */
export async function readChunksOfRevision(
  database: Database,
  { recordingId, revision, from, to }: ChunksOfRevision,
): Promise<{ readonly segments: TranscriptSegment[] }[]> {
  return sql(database)`
    SELECT c.segments FROM transcript_chunks c JOIN transcripts t ON t.recording_id = c.recording_id
    WHERE c.recording_id = ${recordingId} AND c.chunk_index >= ${from} AND c.chunk_index < ${to} AND t.revision = ${revision}
    ORDER BY c.chunk_index`;
}
