import { SEGMENTS_PER_CHUNK } from '../../contract/limits.js';

/**
 * `$1` recording, `$2` to `$5` the parameters of a `RenamePlan`: offsets, firsts, lasts and labels, `$6` the new revision. Returns the speakers
 * afterwards, in the order in which they first speak, and the number, from 1, of a rename that matches no segment; if there
 * is one, nothing is written. Chunks in which nothing is renamed are not written either.
 *
 * Finding the rename of a segment by binary search takes the same time for one rename as for a thousand; a join takes ten
 * times as long for a thousand ranges.
 */
export const RENAME_SPEAKERS_SQL = `
  WITH spoken AS MATERIALIZED (
    SELECT chunk_index, number, speaker, ($2::jsonb -> speaker)::bigint + number AS point
    FROM (SELECT c.chunk_index, c.chunk_index * ${SEGMENTS_PER_CHUNK} + listed.position - 1 AS number, listed.speaker
          FROM transcript_chunks c
          CROSS JOIN ROWS FROM (json_to_recordset(c.segments) AS (speaker text)) WITH ORDINALITY AS listed (speaker, position)
          WHERE c.recording_id = $1) AS numbered
  ), matched AS MATERIALIZED (
    SELECT chunk_index, number, speaker, CASE WHEN point <= ($4::bigint[])[place] THEN place END AS rename
    FROM (SELECT *, width_bucket(point, $3::bigint[]) AS place FROM spoken) AS searched
  ), unmatched AS MATERIALIZED (
    SELECT generate_series(1, cardinality($3::bigint[])) AS rename EXCEPT SELECT rename FROM matched
  ), changed AS (
    SELECT chunk_index, array_agg(rename ORDER BY number) AS renames FROM matched
    WHERE NOT EXISTS (SELECT FROM unmatched) GROUP BY chunk_index HAVING count(rename) > 0
  ), kept AS (
    INSERT INTO superseded_transcript_chunks (recording_id, superseded_by, chunk_index, segments)
    SELECT c.recording_id, $6, c.chunk_index, c.segments
    FROM changed JOIN transcript_chunks c ON c.recording_id = $1 AND c.chunk_index = changed.chunk_index
  ), written AS (
    UPDATE transcript_chunks c
    SET segments = (
      SELECT json_agg(CASE WHEN rename IS NULL THEN segment
                      ELSE jsonb_set(segment::jsonb, '{speaker}', $5::jsonb -> (rename - 1))::json END ORDER BY position)
      FROM ROWS FROM (json_array_elements(c.segments), unnest(changed.renames)) WITH ORDINALITY AS listed (segment, rename, position))
    FROM changed WHERE c.recording_id = $1 AND c.chunk_index = changed.chunk_index
  ), renamed AS (
    SELECT COALESCE($5::jsonb ->> (rename - 1), speaker) AS speaker, number FROM matched
  )
  SELECT ARRAY(SELECT speaker FROM renamed WHERE speaker <> '' GROUP BY speaker ORDER BY min(number)) AS speakers,
         (SELECT min(rename) FROM unmatched) AS unmatched`;
