import type { Database } from '../../platform/database/connection.js';
import type { SpokenSegment } from '../../lib/transcript-formats/transcript.js';

/** The topics of a question, as stems of the index, and the speakers it names. */
export interface AskedAbout {
  readonly words: readonly string[];
  readonly speakers: readonly string[];
}

/** Of the chunks to read, every third is a best-matching one, read with its neighbours, because answers follow their questions. */
const WITH_NEIGHBOURS = 3;
/** Matching chunks to rank. */
const LOOKED_INTO = 500;
/** Weight of a chunk in which a speaker named in the question talks. */
const NAMED = 1.5;
/** Most bytes of JSON to read. */
const MOST_BYTES = 2_000_000;

const TALKS = (chunk: string): string =>
  `EXISTS (SELECT FROM json_array_elements(${chunk}.segments) AS segment WHERE segment ->> 'speaker' = ANY ($3))`;

/**
 * `$1` recording, `$2` stems, `$3` speakers, `$4` chunks to read, `$5` best ones among them. The index selects the chunks with the most and rarest stems of the question,
 * or, if none has any, those in which the named speakers talk. Chunks from the beginning fill the rest.
 */
const CANDIDATES = `
  WITH hits AS MATERIALIZED (
    SELECT e.chunk_index, stem FROM search_entries e CROSS JOIN LATERAL unnest(tsvector_to_array(e.words)) AS stem
    WHERE e.recording_id = $1 AND e.source = 'transcript' AND stem = ANY ($2::text[])
  ), rarity AS (
    SELECT stem, ln(1 + (SELECT count(DISTINCT chunk_index) FROM hits) / count(*)::float) AS weight FROM hits GROUP BY stem
  ), scored AS MATERIALIZED (
    SELECT chunk_index, sum(weight) AS score FROM hits JOIN rarity USING (stem)
    GROUP BY chunk_index ORDER BY score DESC, chunk_index LIMIT ${LOOKED_INTO}
  ), best AS MATERIALIZED (
    (SELECT s.chunk_index, s.score * CASE
        WHEN $3::text[] <> '{}' AND ${TALKS('c')} THEN ${NAMED} ELSE 1 END AS score
      FROM scored s JOIN transcript_chunks c ON c.recording_id = $1 AND c.chunk_index = s.chunk_index
      ORDER BY 2 DESC, 1 LIMIT $5)
    UNION ALL
    (SELECT c.chunk_index, 1 FROM transcript_chunks c
      WHERE c.recording_id = $1 AND $3::text[] <> '{}' AND NOT EXISTS (SELECT FROM hits) AND ${TALKS('c')}
      ORDER BY 1 LIMIT $5)
  ), wanted AS (
    SELECT chunk_index, max(score) AS score FROM (
      SELECT chunk_index + beside AS chunk_index, score / (1 + abs(beside)) AS score
      FROM best CROSS JOIN generate_series(-1, 1) AS beside
      UNION ALL SELECT first, 0 FROM generate_series(0, $4::int - 1) AS first
    ) listed GROUP BY chunk_index ORDER BY score DESC, chunk_index LIMIT $4
  ), room AS (
    SELECT chunk_index, segments, sum(octet_length(segments::text)) OVER (ORDER BY score DESC, chunk_index) AS used
    FROM wanted JOIN transcript_chunks c USING (chunk_index) WHERE c.recording_id = $1
  )
  SELECT segments FROM room WHERE used <= ${MOST_BYTES} ORDER BY chunk_index`;

/** The segments that may answer a question, of at most `most` chunks, in chronological order. */
export async function candidateSegments(
  database: Database,
  recordingId: string,
  { words, speakers }: AskedAbout,
  most: number,
): Promise<SpokenSegment[]> {
  const chunks = await database.query<{ segments: SpokenSegment[] }>(CANDIDATES, [
    recordingId,
    words,
    speakers,
    most,
    Math.ceil(most / WITH_NEIGHBOURS),
  ]);
  return chunks.flatMap(({ segments }) => segments);
}
