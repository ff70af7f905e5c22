import type { Parameters, Statement } from '../../platform/database/statement.js';
import { looseWords, type SearchQuery } from './search-query.js';
import { CHUNKS_LOOKED_INTO, MARK, SEGMENTS_SHOWN } from './search-snippet.js';
import { broken, searchable, SUMMARY_TEXT } from '../search-index/entities/search-texts.sql.js';
import { all, rows, unitsSql } from './search.sql.js';

/** A recording on the page, and which of its texts the caller can read besides the title. */
export interface ReadableRecording {
  readonly id: string;
  readonly config: string;
  readonly notes: boolean;
  readonly summary: boolean;
  readonly transcript: boolean;
}

/**
 * The matches in the recordings of a page: one row per matching title, summary and notes, and one per best segment. Finds
 * the best chunks first, then the best segments in them.
 */
export function snippetsStatement(
  query: SearchQuery,
  page: readonly ReadableRecording[],
  parameters: Parameters,
): Statement {
  const wanted = query.map((units) => units.filter(({ excluded }) => !excluded));
  const loose = looseWords(query).map((text) => ({ kind: 'words', text, excluded: false }) as const);
  const configs = '(SELECT DISTINCT config FROM page)';
  return parameters.statement(`
  WITH page AS (SELECT * FROM ${rows(parameters, [
    ['id', 'uuid', page.map(({ id }) => id)],
    ['config', 'text', page.map(({ config }) => config)],
    ['notes', 'boolean', page.map(({ notes }) => notes)],
    ['summary', 'boolean', page.map(({ summary }) => summary)],
    ['transcript', 'boolean', page.map(({ transcript }) => transcript)],
  ])}),
  ${unitsSql('exact', wanted, configs, parameters)},
  ${unitsSql('loose', [loose], configs, parameters)},
  any_of AS MATERIALIZED (SELECT config, ${all('query', '|')} AS query FROM exact GROUP BY config),
  any_word AS MATERIALIZED (
    SELECT config, ${all('query', '|')} AS query FROM (TABLE exact UNION ALL TABLE loose) words GROUP BY config
  ),
  hits AS MATERIALIZED (
    SELECT page.id, page.config, any_of.query, e.source FROM page JOIN any_of USING (config)
    CROSS JOIN LATERAL (${entriesOf('page.id')} AND source <> 'transcript' ${FENCE}) e
    WHERE e.words @@ any_of.query
      AND (e.source = 'title' OR e.source = 'notes' AND page.notes OR e.source = 'summary' AND page.summary)
  ),
  chunks AS MATERIALIZED (
    SELECT page.id, page.config, best.chunk_index FROM page JOIN any_of USING (config) CROSS JOIN LATERAL (
      SELECT e.chunk_index FROM (${entriesOf('page.id')} AND source = 'transcript' ${FENCE}) e
      WHERE e.words @@ any_of.query
      ORDER BY (SELECT count(*) FROM exact WHERE exact.config = page.config AND e.words @@ exact.query) DESC,
        ts_rank(e.words, any_of.query) DESC, e.chunk_index LIMIT ${CHUNKS_LOOKED_INTO}) best
    WHERE page.transcript
  ),
  segments AS MATERIALIZED (
    SELECT chunks.id, chunks.config, segment,
      to_tsvector(chunks.config::regconfig, ${searchable(`segment ->> 'text'`)}) AS words
    FROM chunks JOIN transcript_chunks c ON c.recording_id = chunks.id AND c.chunk_index = chunks.chunk_index
    CROSS JOIN LATERAL json_array_elements(c.segments) AS segment
  ),
  ranked AS (
    SELECT segments.*, any_word.query, most.exact,
      row_number() OVER (PARTITION BY segments.id ORDER BY most.exact DESC,
        ts_rank(segments.words, any_word.query) DESC, (segment ->> 'id')::int) AS place,
      max(most.exact) OVER (PARTITION BY segments.id) AS best
    FROM segments JOIN any_word USING (config) CROSS JOIN LATERAL (
      SELECT count(*) AS exact FROM exact WHERE exact.config = segments.config AND segments.words @@ exact.query) most
    WHERE segments.words @@ any_word.query
  )
  SELECT hits.id, 'title' AS source, NULL::json AS segment, ${headline('hits', 'r.title')} AS snippet, 0 AS place
  FROM hits JOIN recordings r USING (id) WHERE hits.source = 'title'
  UNION ALL
  SELECT hits.id, 'summary', NULL, ${headline('hits', SUMMARY_TEXT)}, 1
  FROM hits JOIN summaries s ON s.recording_id = hits.id WHERE hits.source = 'summary'
  UNION ALL
  SELECT hits.id, 'notes', NULL, ${headline('hits', 'r.notes')}, 2
  FROM hits JOIN recordings r USING (id) WHERE hits.source = 'notes'
  UNION ALL
  SELECT shown.id, 'transcript', segment, ${headline('shown', `segment ->> 'text'`)}, 2 + place
  FROM (SELECT ranked.id, ranked.config, ranked.segment, ranked.place,
          CASE WHEN best > 0 THEN any_of.query ELSE ranked.query END AS query
        FROM ranked JOIN any_of USING (config)
        WHERE place <= ${SEGMENTS_SHOWN} AND (exact > 0 OR best = 0)) shown
  ORDER BY id, place`);
}

/** Keeps the lookup by recording id; without the fence, all hits of a common word would be read for each recording. */
const FENCE = 'OFFSET 0';
const entriesOf = (id: string): string => `SELECT * FROM search_entries WHERE recording_id = ${id}`;

/** Texts up to this length are shown whole. */
const SHORT = 300;
/** The passage is first searched for in this many characters, because a long text with many hits is slow. */
const BEGINNING = 5_000;

/** Length of a passage, and of its part before the first hit, in characters; `MaxWords` ignores non-words. */
const [SNIPPET, LEAD] = [1_000, 300];

/** The passage of a text that contains the hits. Placeholders already in the text are blanked first. */
function headline(hit: string, text: string): string {
  const { start, stop, less, greater } = MARK;
  const [from, to] = [`${start}${stop}${less}${greater}<>`, `    ${less}${greater}`];
  return `(SELECT substr(found.text, greatest(1, strpos(found.text, '${start}') - ${LEAD}), ${SNIPPET}) FROM (
    SELECT ts_headline(${hit}.config::regconfig, ${broken(`translate(part.text, '${from}', '${to}')`)}, ${hit}.query,
      'StartSel="${start}", StopSel="${stop}", '
      || CASE WHEN length(part.text) <= ${SHORT} THEN 'HighlightAll=true' ELSE 'MaxWords=36, MinWords=18, MaxFragments=1' END) AS text
    FROM (SELECT ${text} AS text OFFSET 0) whole CROSS JOIN LATERAL (
      SELECT CASE WHEN length(whole.text) > ${BEGINNING}
          AND to_tsvector(${hit}.config::regconfig, ${searchable(`left(whole.text, ${BEGINNING})`)}) @@ ${hit}.query
        THEN left(whole.text, ${BEGINNING}) ELSE whole.text END AS text OFFSET 0) part) found)`;
}
