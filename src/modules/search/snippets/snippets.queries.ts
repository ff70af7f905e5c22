import type { EntityManager } from 'typeorm';
import { tableOf, type Sql, sql } from '../../../platform/database/sql.js';
import { wordsOf } from '../../../platform/database/text-search.sql.js';
import { namedSpeaker, SUMMARY_TEXT } from '../index/public/search-texts.sql.js';
import type { TranscriptSegment } from '../../../lib/transcript-formats/transcript.js';
import type { SearchSource } from '../index/entities/search-entry.entity.js';
import type { DenseMarks } from './dense-marks.js';
import { headline, CHUNKS_LOOKED_INTO, CHUNKS_OF_SPEAKER, SEGMENTS_SHOWN } from './snippet.js';
import type { FoundPageRow } from '../found/found-recordings.queries.js';
import { isSpeaker, unitRows } from '../found/found.sql.js';
import { combined, type PreparedUnit } from '../found/units.queries.js';

export interface MatchRow {
  readonly id: string;
  readonly source: SearchSource;
  readonly segment: TranscriptSegment | null;
  /** Has placeholders for marks; see `toHtml`. */
  readonly snippet: string;
}

/**
 * Finds the matches in the recordings of a page: one row per matching title, summary and notes, and one per best
 * segment. Finds the best chunks first, then the best segments in them. `loose` are the words of phrases, for segments
 * that contain only part of one.
 */
export async function findMatches(
  manager: EntityManager,
  { units, loose, speaker, marks }: SnippetQuery,
  page: readonly FoundPageRow[],
): Promise<MatchRow[]> {
  const wanted = units.filter(({ excluded }) => !excluded);
  const marked = sql`${marks.query}::text`;
  const isSaid = speaker ? isSpeaker(`segment ->> 'speaker'`, speaker) : sql`true`;
  return sql(manager)`
  WITH page AS (SELECT * FROM ${tableOf([
    ['id', 'uuid', page.map(({ id }) => id)],
    ['config', 'text', page.map(({ config }) => config)],
    ['notes', 'boolean', page.map(({ open }) => open && !speaker)],
    ['summary', 'boolean', page.map(({ summary }) => summary === true && !speaker)],
    ['transcript', 'boolean', page.map(({ transcript }) => transcript === true)],
  ])}),
  exact AS MATERIALIZED (SELECT * FROM ${unitRows(wanted)}),
  loose AS MATERIALIZED (SELECT * FROM ${unitRows(loose)}),
  any_of AS MATERIALIZED (
    SELECT config, ${() => combined('query', '|')} AS query, ${() => combined('shown', '|')} AS shown FROM exact GROUP BY config
  ),
  any_word AS MATERIALIZED (
    SELECT config, ${() => combined('query', '|')} AS query, ${() => combined('shown', '|')} AS shown
    FROM (TABLE exact UNION ALL TABLE loose) words GROUP BY config
  ),
  hits AS MATERIALIZED (
    SELECT page.id, page.config, any_of.query, any_of.shown, e.source FROM page JOIN any_of USING (config)
    CROSS JOIN LATERAL (${() => entriesOf('page.id')} AND source <> 'transcript' ${() => FENCE}) e
    WHERE e.words @@ any_of.query
      AND (e.source = 'title' AND ${speaker === null}::boolean OR e.source = 'notes' AND page.notes OR e.source = 'summary' AND page.summary)
  ),
  chunks AS MATERIALIZED (
    SELECT page.id, page.config, best.chunk_index FROM page JOIN any_of USING (config) CROSS JOIN LATERAL (
      SELECT e.chunk_index FROM (${() => entriesOf('page.id')} AND source = 'transcript' ${() => FENCE}) e
      WHERE e.words @@ any_of.query
      ORDER BY (SELECT count(*) FROM exact WHERE exact.config = page.config AND e.words @@ exact.query) DESC,
        ts_rank(e.words, any_of.query) DESC, e.chunk_index
      LIMIT ${speaker ? CHUNKS_OF_SPEAKER : CHUNKS_LOOKED_INTO}::int) best
    WHERE page.transcript
  ),
  segments AS MATERIALIZED (
    SELECT chunks.id, chunks.config, segment, ${() => wordsOf('chunks.config', SPOKEN)} AS words
    FROM chunks JOIN transcript_chunks c ON c.recording_id = chunks.id AND c.chunk_index = chunks.chunk_index
    CROSS JOIN LATERAL json_array_elements(c.segments) AS segment
    WHERE ${isSaid}
  ),
  ranked AS (
    SELECT segments.*, any_word.query, any_word.shown, most.exact,
      row_number() OVER (PARTITION BY segments.id ORDER BY most.exact DESC,
        ts_rank(segments.words, any_word.query) DESC, (segment ->> 'id')::int) AS place,
      max(most.exact) OVER (PARTITION BY segments.id) AS best
    FROM segments JOIN any_word USING (config) CROSS JOIN LATERAL (
      SELECT count(*) AS exact FROM exact WHERE exact.config = segments.config AND segments.words @@ exact.query) most
    WHERE segments.words @@ any_word.query
  ),
  shown AS MATERIALIZED (
    SELECT hits.*, NULL::json AS segment, ${marked} AS marks, CASE hits.source WHEN 'title' THEN 0 WHEN 'summary' THEN 1 ELSE 2 END AS place,
      CASE hits.source WHEN 'title' THEN r.title WHEN 'notes' THEN r.notes
        ELSE (SELECT ${() => SUMMARY_TEXT} FROM summaries s WHERE s.recording_id = hits.id) END AS text
    FROM hits JOIN recordings r USING (id)
    UNION ALL
    SELECT ranked.id, ranked.config, CASE WHEN best > 0 THEN any_of.query ELSE ranked.query END,
      CASE WHEN best > 0 THEN any_of.shown ELSE ranked.shown END, 'transcript', segment,
      CASE WHEN best > 0 THEN ${marked} ELSE ${marks.loose}::text END, 2 + place, segment ->> 'text'
    FROM ranked JOIN any_of USING (config)
    WHERE place <= ${SEGMENTS_SHOWN}::int AND (exact > 0 OR best = 0)
  )
  SELECT id, source, segment, ${() => headline('shown')} AS snippet, place FROM shown ORDER BY id, place`;
}

/** What to show matches of. */
interface SnippetQuery {
  readonly units: readonly PreparedUnit[];
  readonly loose: readonly PreparedUnit[];
  /** The name of the speaker whose segments are shown, as `speakerQuery` has it; null for all. */
  readonly speaker: Sql | null;
  readonly marks: DenseMarks;
}

/** Who said it belongs to what was said: "Ada budget" finds what Ada said about the budget. */
const SPOKEN = `concat_ws(E'\\n', segment ->> 'text', ${namedSpeaker(`segment ->> 'speaker'`)})`;

/** Keeps the lookup by recording id; without the fence, all hits of a common word would be read for each recording. */
const FENCE = 'OFFSET 0';
const entriesOf = (id: string): string => `SELECT * FROM search_entries WHERE recording_id = ${id}`;
