import { rows, type Parameters, type Statement } from '../../platform/database/statement.js';
import {
  broken,
  HAS_ACCENT,
  searchable,
  vectorOf,
  wordsOf,
} from '../../platform/language/text-search.sql.js';
import { namedSpeaker, SUMMARY_TEXT } from '../search-index/entities/search-texts.sql.js';
import { CHUNKS_LOOKED_INTO, CHUNKS_OF_SPEAKER, MARK, SEGMENTS_SHOWN } from './search-snippet.js';
import { isSpeaker } from './search-speaker.sql.js';
import { combined, type PreparedUnit } from './search-units.sql.js';
import { unitRows } from './search.sql.js';

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
 * the best chunks first, then the best segments in them. `loose` are the words of phrases, for segments that contain only
 * part of one.
 */
export function snippetsStatement(
  { units, loose, speaker }: SnippetQuery,
  page: readonly ReadableRecording[],
  parameters: Parameters,
): Statement {
  const wanted = units.filter(({ excluded }) => !excluded);
  const isSaid = speaker ? isSpeaker(`segment ->> 'speaker'`, speaker) : 'true';
  return parameters.statement(`
  WITH page AS (SELECT * FROM ${rows(parameters, [
    ['id', 'uuid', page.map(({ id }) => id)],
    ['config', 'text', page.map(({ config }) => config)],
    ['notes', 'boolean', page.map(({ notes }) => notes && !speaker)],
    ['summary', 'boolean', page.map(({ summary }) => summary && !speaker)],
    ['transcript', 'boolean', page.map(({ transcript }) => transcript)],
  ])}),
  exact AS MATERIALIZED (SELECT * FROM ${unitRows(wanted, parameters)}),
  loose AS MATERIALIZED (SELECT * FROM ${unitRows(loose, parameters)}),
  any_of AS MATERIALIZED (
    SELECT config, ${combined('query', '|')} AS query, ${combined('shown', '|')} AS shown FROM exact GROUP BY config
  ),
  any_word AS MATERIALIZED (
    SELECT config, ${combined('query', '|')} AS query, ${combined('shown', '|')} AS shown
    FROM (TABLE exact UNION ALL TABLE loose) words GROUP BY config
  ),
  hits AS MATERIALIZED (
    SELECT page.id, page.config, any_of.query, any_of.shown, e.source FROM page JOIN any_of USING (config)
    CROSS JOIN LATERAL (${entriesOf('page.id')} AND source <> 'transcript' ${FENCE}) e
    WHERE e.words @@ any_of.query
      AND (e.source = 'title' AND ${!speaker} OR e.source = 'notes' AND page.notes OR e.source = 'summary' AND page.summary)
  ),
  chunks AS MATERIALIZED (
    SELECT page.id, page.config, best.chunk_index FROM page JOIN any_of USING (config) CROSS JOIN LATERAL (
      SELECT e.chunk_index FROM (${entriesOf('page.id')} AND source = 'transcript' ${FENCE}) e
      WHERE e.words @@ any_of.query
      ORDER BY (SELECT count(*) FROM exact WHERE exact.config = page.config AND e.words @@ exact.query) DESC,
        ts_rank(e.words, any_of.query) DESC, e.chunk_index
      LIMIT ${speaker ? CHUNKS_OF_SPEAKER : CHUNKS_LOOKED_INTO}) best
    WHERE page.transcript
  ),
  segments AS MATERIALIZED (
    SELECT chunks.id, chunks.config, segment, ${wordsOf('chunks.config', SPOKEN)} AS words
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
          CASE WHEN best > 0 THEN any_of.query ELSE ranked.query END AS query,
          CASE WHEN best > 0 THEN any_of.shown ELSE ranked.shown END AS shown
        FROM ranked JOIN any_of USING (config)
        WHERE place <= ${SEGMENTS_SHOWN} AND (exact > 0 OR best = 0)) shown
  ORDER BY id, place`);
}

/** What to show matches of. */
export interface SnippetQuery {
  readonly units: readonly PreparedUnit[];
  readonly loose: readonly PreparedUnit[];
  /** The name of the speaker whose segments are shown, as `speakerQuery` has it; null for all. */
  readonly speaker: string | null;
}

/** Who said it belongs to what was said: "Ada budget" finds what Ada said about the budget. */
const SPOKEN = `concat_ws(E'\\n', segment ->> 'text', ${namedSpeaker(`segment ->> 'speaker'`)})`;

/** Keeps the lookup by recording id; without the fence, all hits of a common word would be read for each recording. */
const FENCE = 'OFFSET 0';
const entriesOf = (id: string): string => `SELECT * FROM search_entries WHERE recording_id = ${id}`;

/** Texts up to this length are shown whole. */
const SHORT = 300;
/** The passage is first searched for in this many characters, because a long text with many hits is slow. */
const BEGINNING = 5_000;

/** Length of a passage, and of its part before the first hit, in characters; `MaxWords` ignores non-words. */
const [SNIPPET, LEAD] = [1_000, 300];

/**
 * The passage of a text that contains the hits. Placeholders already in the text are blanked first. PostgreSQL marks words of
 * the text as it is, so those that only match without their accents are added to what it looks for.
 */
function headline(hit: string, text: string): string {
  const { start, stop, less, greater } = MARK;
  const [from, to] = [`${start}${stop}${less}${greater}<>`, `    ${less}${greater}`];
  return `(SELECT substr(found.text, greatest(1, strpos(found.text, '${start}') - ${LEAD}), ${SNIPPET}) FROM (
    SELECT ts_headline(${hit}.config::regconfig, ${broken(`translate(part.text, '${from}', '${to}')`)},
      CASE WHEN part.text ~ '${HAS_ACCENT}' THEN ${hit}.shown || ${accented(hit)} ELSE ${hit}.shown END,
      'StartSel="${start}", StopSel="${stop}", '
      || CASE WHEN length(part.text) <= ${SHORT} THEN 'HighlightAll=true' ELSE 'MaxWords=36, MinWords=18, MaxFragments=1' END) AS text
    FROM (SELECT ${text} AS text OFFSET 0) whole CROSS JOIN LATERAL (
      SELECT CASE WHEN length(whole.text) > ${BEGINNING}
          AND ${wordsOf(`${hit}.config`, `left(whole.text, ${BEGINNING})`)} @@ ${hit}.query
        THEN left(whole.text, ${BEGINNING}) ELSE whole.text END AS text OFFSET 0) part) found)`;
}

/** The accented words of the passage that match without their accents. */
const accented = (hit: string): string => `COALESCE((
  SELECT string_agg(strip(to_tsvector(${hit}.config::regconfig, token))::text, ' | ')::tsquery
  FROM ts_parse('default', ${searchable('part.text')})
  WHERE token ~ '${HAS_ACCENT}' AND ${vectorOf(`${hit}.config`, 'token')} @@ ${hit}.query), ''::tsquery)`;
