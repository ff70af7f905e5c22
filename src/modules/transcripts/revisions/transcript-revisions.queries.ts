import type { EntityManager } from 'typeorm';
import { LIMITS } from '../../../contract/limits.js';
import { run, sql } from '../../../platform/database/sql.js';
import type { RevisionOrigin } from '../../pipeline/public/content-revision.js';
import type { RevisionCause } from '../entities/transcript-revision.entity.js';
import { chunksOfSegments } from '../stored-transcript.js';

/**
 * Adds the current content as a revision, in the transaction that has written it, once its head has the new revision;
 * by nobody if the user has just been deleted. The statement does not see the row that it adds, hence one less of the
 * others stays; chunks that no revision has any more go with the oldest.
 */
export async function recordRevision(
  manager: EntityManager,
  recordingId: string,
  { cause, userId }: RevisionOrigin<RevisionCause>,
  now: Date,
): Promise<void> {
  await manager.sql`
    WITH added AS (
      INSERT INTO transcript_revisions (recording_id, revision, created_at, cause, created_by, language, speakers,
        segments_count, duration, confidence_known)
      SELECT recording_id, revision, ${now}::timestamptz, ${cause}::text,
        (SELECT id FROM users WHERE id = ${userId}::uuid FOR KEY SHARE), language, speakers, segments_count, duration, confidence_known
      FROM transcripts WHERE recording_id = ${recordingId}
    ), oldest AS (
      SELECT revision FROM transcript_revisions WHERE recording_id = ${recordingId}
      ORDER BY revision DESC OFFSET ${LIMITS.revisions - 2} LIMIT 1
    ), forgotten AS (
      DELETE FROM transcript_revisions WHERE recording_id = ${recordingId} AND revision < (SELECT revision FROM oldest)
    )
    DELETE FROM superseded_transcript_chunks
    WHERE recording_id = ${recordingId} AND superseded_by <= (SELECT revision FROM oldest)`;
}

/**
 * Gives the transcript the figures of an earlier revision, as the new revision, which it returns; null if there is no
 * such revision. Drops an attempt that is running.
 */
export async function restoreHead(
  manager: EntityManager,
  recordingId: string,
  revision: number,
): Promise<{ readonly revision: number; readonly segmentsCount: number } | null> {
  const [[head]] = await manager.sql<[{ revision: number; segmentsCount: number }[], number]>`
    UPDATE transcripts t
    SET status = 'completed', status_reason = NULL, attempt_id = NULL, generated = false, revision = t.revision + 1,
        language = v.language, speakers = v.speakers, segments_count = v.segments_count, duration = v.duration,
        confidence_known = v.confidence_known
    FROM transcript_revisions v
    WHERE t.recording_id = ${recordingId} AND v.recording_id = ${recordingId} AND v.revision = ${revision}
    RETURNING t.revision, t.segments_count AS "segmentsCount"`;
  return head ?? null;
}

/** Gives the transcript the chunks of `earlier`, as the revision of `head`. Writes only those that differ. */
export async function restoreChunks(
  manager: EntityManager,
  recordingId: string,
  earlier: number,
  head: { readonly revision: number; readonly segmentsCount: number },
): Promise<void> {
  const [id, count] = [sql`${recordingId}::uuid`, sql`${chunksOfSegments(head.segmentsCount)}::int`];
  await run(
    manager,
    sql`
    WITH wanted AS MATERIALIZED (
      SELECT DISTINCT ON (chunk_index) chunk_index, segments FROM superseded_transcript_chunks
      WHERE recording_id = ${id} AND superseded_by > ${earlier}::int AND chunk_index < ${count}
      ORDER BY chunk_index, superseded_by
    ), different AS MATERIALIZED (
      SELECT w.chunk_index, w.segments FROM wanted w
      LEFT JOIN transcript_chunks c ON c.recording_id = ${id} AND c.chunk_index = w.chunk_index
      WHERE c.segments::text IS DISTINCT FROM w.segments::text
    ), kept AS (
      INSERT INTO superseded_transcript_chunks (recording_id, superseded_by, chunk_index, segments)
      SELECT c.recording_id, ${head.revision}::int, c.chunk_index, c.segments FROM transcript_chunks c
      WHERE c.recording_id = ${id} AND (c.chunk_index >= ${count} OR c.chunk_index IN (SELECT chunk_index FROM different))
    ), removed AS (
      DELETE FROM transcript_chunks WHERE recording_id = ${id} AND chunk_index >= ${count}
    )
    INSERT INTO transcript_chunks (recording_id, chunk_index, segments)
    SELECT ${id}, chunk_index, segments FROM different
    ON CONFLICT (recording_id, chunk_index) DO UPDATE SET segments = excluded.segments`,
  );
}
