import { LIMITS, SEGMENTS_PER_CHUNK } from '../../../contract/limits.js';

/**
 * Adds the current content of `$1` as a revision: `$2` time, `$3` cause, `$4` user, or null; nobody if the user has just been
 * deleted. The statement does not see the row that it adds, hence one less of the others stays; chunks that no revision has
 * any more go with the oldest.
 */
export const RECORD_REVISION = `
  WITH added AS (
    INSERT INTO transcript_revisions (recording_id, revision, created_at, cause, created_by, language, speakers,
      segments_count, duration, confidence_known)
    SELECT recording_id, revision, $2, $3, (SELECT id FROM users WHERE id = $4 FOR KEY SHARE), language, speakers,
      segments_count, duration, confidence_known
    FROM transcripts WHERE recording_id = $1
  ), oldest AS (
    SELECT revision FROM transcript_revisions WHERE recording_id = $1
    ORDER BY revision DESC OFFSET ${LIMITS.transcriptRevisions - 2} LIMIT 1
  ), forgotten AS (
    DELETE FROM transcript_revisions WHERE recording_id = $1 AND revision < (SELECT revision FROM oldest)
  )
  DELETE FROM superseded_transcript_chunks
  WHERE recording_id = $1 AND superseded_by <= (SELECT revision FROM oldest)`;

/** Gives `$1` the figures of revision `$2`, as the new revision. Drops an attempt that is running. */
export const RESTORE_HEAD = `
  UPDATE transcripts t
  SET status = 'completed', status_reason = NULL, attempt_id = NULL, generated = false, revision = t.revision + 1,
      language = v.language, speakers = v.speakers, segments_count = v.segments_count, duration = v.duration,
      confidence_known = v.confidence_known
  FROM transcript_revisions v
  WHERE t.recording_id = $1 AND v.recording_id = $1 AND v.revision = $2
  RETURNING t.revision, t.segments_count AS "segmentsCount"`;

/** Gives `$1` the chunks of revision `$2`, of which there are `$3`, as revision `$4`. Writes only those that differ. */
export const RESTORE_CHUNKS = `
  WITH wanted AS MATERIALIZED (
    SELECT DISTINCT ON (chunk_index) chunk_index, segments FROM superseded_transcript_chunks
    WHERE recording_id = $1 AND superseded_by > $2 AND chunk_index < $3
    ORDER BY chunk_index, superseded_by
  ), different AS MATERIALIZED (
    SELECT w.chunk_index, w.segments FROM wanted w
    LEFT JOIN transcript_chunks c ON c.recording_id = $1 AND c.chunk_index = w.chunk_index
    WHERE c.segments::text IS DISTINCT FROM w.segments::text
  ), kept AS (
    INSERT INTO superseded_transcript_chunks (recording_id, superseded_by, chunk_index, segments)
    SELECT $1, $4, c.chunk_index, c.segments FROM transcript_chunks c
    WHERE c.recording_id = $1 AND (c.chunk_index >= $3 OR c.chunk_index IN (SELECT chunk_index FROM different))
  ), removed AS (
    DELETE FROM transcript_chunks WHERE recording_id = $1 AND chunk_index >= $3
  )
  INSERT INTO transcript_chunks (recording_id, chunk_index, segments)
  SELECT $1, chunk_index, segments FROM different
  ON CONFLICT (recording_id, chunk_index) DO UPDATE SET segments = excluded.segments`;

/** Number of chunks of a transcript with so many segments. */
export const chunksOfSegments = (count: number): number => Math.ceil(count / SEGMENTS_PER_CHUNK);
