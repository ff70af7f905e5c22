import type { EntityManager } from 'typeorm';
import { SEGMENTS_PER_CHUNK } from '../../contract/limits.js';
import { noiseIn } from '../../lib/language/noise.js';
import { run, sql } from '../../platform/database/sql.js';
import type { RenamePlan, SpeakerRename } from './speaker-renames.js';
import type { TranscriptSegment } from '../../lib/transcript-formats/transcript.js';

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
  const [done] = await run<{ speakers: string[]; unmatched: number | null }>(
    manager,
    sql`
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
           (SELECT min(rename) FROM unmatched) AS unmatched`,
  );
  return { speakers: done?.speakers ?? [], unmatched: renames[(done?.unmatched ?? 0) - 1] };
}

/** Replaces the text of segment number `segment`, as the new revision, and returns the segment. */
export async function correctSegment(
  manager: EntityManager,
  recordingId: string,
  segment: number,
  text: string,
  revision: number,
): Promise<TranscriptSegment> {
  const [chunk, place] = [chunkOfSegment(segment), segment % SEGMENTS_PER_CHUNK];
  const [noise] = noiseIn([{ text, speaker: '' }]);
  const corrected = JSON.stringify({ text, ...(noise && { noise }) });
  const [[written]] = await manager.sql<[[{ segment: TranscriptSegment }], number]>`
    WITH kept AS (
      INSERT INTO superseded_transcript_chunks (recording_id, superseded_by, chunk_index, segments)
      SELECT recording_id, ${revision}::int, chunk_index, segments FROM transcript_chunks
      WHERE recording_id = ${recordingId} AND chunk_index = ${chunk}
    )
    UPDATE transcript_chunks
    SET segments = jsonb_set(segments::jsonb, ARRAY[${String(place)}],
      ((segments::jsonb -> ${place}::int) - 'noise') || ${corrected}::jsonb)::json
    WHERE recording_id = ${recordingId} AND chunk_index = ${chunk}
    RETURNING segments -> ${place}::int AS segment`;
  return written.segment;
}

/** Returns the index of the chunk that has segment number `segment`. */
export const chunkOfSegment = (segment: number): number => Math.floor(segment / SEGMENTS_PER_CHUNK);
