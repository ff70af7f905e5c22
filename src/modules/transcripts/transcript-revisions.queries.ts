import type { EntityManager } from 'typeorm';
import { SEGMENTS_PER_CHUNK, LIMITS } from '../../contract/limits.js';
import { noiseIn } from '../../lib/language/noise.js';
import type { SpeakerStatistics } from '../../lib/transcript-formats/speaker-statistics.js';
import { sql } from '../../platform/database/sql.js';
import type { RenamePlan, SpeakerRename } from './speaker-renames.js';
import type { TranscriptSegment } from '../../lib/transcript-formats/transcript.js';
import type { RevisionOrigin } from '../pipeline/public/content.js';
import type { RevisionCause } from './entities/transcript-revision.entity.js';
import { chunksOfSegments } from './stored-transcript.js';

/**
 * Renames speakers, as the new revision. Returns the speakers afterwards, in the order in which they first speak, and a
 * rename that matches no segment; if there is one, nothing is written. Chunks in which nothing is renamed are not
 * written either.
 *
 * Finding the rename of a segment by binary search takes the same time for one rename as for a thousand; a join takes
 * ten times as long for a thousand ranges.
 */
export async function renameSpeakers(
  manager: EntityManager,
  recordingId: string,
  { offsets, renames }: RenamePlan,
  revision: number,
): Promise<{ readonly speakers: string[]; readonly unmatched: SpeakerRename | undefined }> {
  const offsetOf = ({ from }: SpeakerRename): number => offsets.get(from) ?? 0;
  const id = sql`${recordingId}::uuid`;
  const firsts = sql`${renames.map((rename) => offsetOf(rename) + rename.first)}::bigint[]`;
  const lasts = sql`${renames.map((rename) => offsetOf(rename) + rename.last)}::bigint[]`;
  const labels = sql`${JSON.stringify(renames.map(({ to }) => to))}::jsonb`;
  const [done] = await sql(manager)<{ speakers: string[]; unmatched: number | null }>`
    WITH spoken AS MATERIALIZED (
      SELECT chunk_index, number, speaker,
        (${JSON.stringify(Object.fromEntries(offsets))}::jsonb -> speaker)::bigint + number AS point
      FROM (SELECT c.chunk_index, c.chunk_index * ${() => String(SEGMENTS_PER_CHUNK)} + listed.position - 1 AS number, listed.speaker
            FROM transcript_chunks c
            CROSS JOIN ROWS FROM (json_to_recordset(c.segments) AS (speaker text)) WITH ORDINALITY AS listed (speaker, position)
            WHERE c.recording_id = ${id}) AS numbered
    ), matched AS MATERIALIZED (
      SELECT chunk_index, number, speaker, CASE WHEN point <= (${lasts})[place] THEN place END AS rename
      FROM (SELECT *, width_bucket(point, ${firsts}) AS place FROM spoken) AS searched
    ), unmatched AS MATERIALIZED (
      SELECT generate_series(1, cardinality(${firsts})) AS rename EXCEPT SELECT rename FROM matched
    ), changed AS (
      SELECT chunk_index, array_agg(rename ORDER BY number) AS renames FROM matched
      WHERE NOT EXISTS (SELECT FROM unmatched) GROUP BY chunk_index HAVING count(rename) > 0
    ), kept AS (
      INSERT INTO superseded_transcript_chunks (recording_id, superseded_by, chunk_index, segments)
      SELECT c.recording_id, ${revision}::int, c.chunk_index, c.segments
      FROM changed JOIN transcript_chunks c ON c.recording_id = ${id} AND c.chunk_index = changed.chunk_index
    ), written AS (
      UPDATE transcript_chunks c
      SET segments = (
        SELECT json_agg(CASE WHEN rename IS NULL THEN segment
                        ELSE jsonb_set(segment::jsonb, '{speaker}', ${labels} -> (rename - 1))::json END ORDER BY position)
        FROM ROWS FROM (json_array_elements(c.segments), unnest(changed.renames)) WITH ORDINALITY AS listed (segment, rename, position))
      FROM changed WHERE c.recording_id = ${id} AND c.chunk_index = changed.chunk_index
    ), renamed AS (
      SELECT COALESCE(${labels} ->> (rename - 1), speaker) AS speaker, number FROM matched
    )
    SELECT ARRAY(SELECT speaker FROM renamed WHERE speaker <> '' GROUP BY speaker ORDER BY min(number)) AS speakers,
           (SELECT min(rename) FROM unmatched) AS unmatched`;
  return { speakers: done?.speakers ?? [], unmatched: renames[(done?.unmatched ?? 0) - 1] };
}

/** Replaces the text of segment number `segment`, as the new revision. Returns the segment, and its text before. */
export async function correctSegment(
  manager: EntityManager,
  recordingId: string,
  segment: number,
  text: string,
  revision: number,
): Promise<{ readonly segment: TranscriptSegment; readonly before: string }> {
  const [chunk, place] = [chunkOfSegment(segment), segment % SEGMENTS_PER_CHUNK];
  const [noise] = noiseIn([{ text, speaker: '' }]);
  const corrected = JSON.stringify({ text, ...(noise && { noise }) });
  return sql(manager).row<{ segment: TranscriptSegment; before: string }>`
    WITH kept AS (
      INSERT INTO superseded_transcript_chunks (recording_id, superseded_by, chunk_index, segments)
      SELECT recording_id, ${revision}::int, chunk_index, segments FROM transcript_chunks
      WHERE recording_id = ${recordingId} AND chunk_index = ${chunk}
      RETURNING segments -> ${place}::int ->> 'text' AS text
    )
    UPDATE transcript_chunks
    SET segments = jsonb_set(segments::jsonb, ARRAY[${String(place)}],
      ((segments::jsonb -> ${place}::int) - 'noise') || ${corrected}::jsonb)::json
    WHERE recording_id = ${recordingId} AND chunk_index = ${chunk}
    RETURNING segments -> ${place}::int AS segment, (SELECT text FROM kept) AS before`;
}

export const chunkOfSegment = (segment: number): number => Math.floor(segment / SEGMENTS_PER_CHUNK);

/**
 * Adds the current content as a revision, in the transaction that has written it, and stores the statistics of its
 * speakers; it has no author if the user has just been deleted. The statement does not see the row that it adds, hence
 * one less of the others stays. The chunks of the oldest go with it.
 */
export async function recordRevision(
  manager: EntityManager,
  recordingId: string,
  { cause, userId }: RevisionOrigin<RevisionCause>,
  statistics: readonly SpeakerStatistics[],
  now: Date,
): Promise<void> {
  await sql(manager)`
    WITH counted AS (
      UPDATE transcripts SET speaker_statistics = ${JSON.stringify(statistics)}::jsonb WHERE recording_id = ${recordingId}
    ), added AS (
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

/** Removes all revisions before the current one, with their chunks. */
export async function forgetRevisions(manager: EntityManager, recordingId: string): Promise<void> {
  await sql(manager)`
    WITH earlier AS (
      DELETE FROM transcript_revisions v USING transcripts t
      WHERE v.recording_id = ${recordingId} AND t.recording_id = v.recording_id AND v.revision < t.revision
    )
    DELETE FROM superseded_transcript_chunks WHERE recording_id = ${recordingId}`;
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
  const [head] = await sql(manager)<{ revision: number; segmentsCount: number }>`
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
  await sql(manager)`
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
    ON CONFLICT (recording_id, chunk_index) DO UPDATE SET segments = excluded.segments`;
}
