import { runsQuery } from '../../../lib/language/dense-grams.js';
import { composed, isDense, scriptsOf } from '../../../lib/language/dense-scripts.js';
import { folded, searchable, wordsOf } from '../../../platform/database/text-search.sql.js';
import { sql, type Sql, tableOf } from '../../../platform/database/sql.js';
import { spellingsOf } from '../query/search-spellings.js';
import { combined, type PreparedUnit } from './units.queries.js';
import type { SearchQuery } from '../query/search-query.js';

/**
 * The name of a speaker as a query of labels. Names are not stemmed: `James` is not `Jame`. In dense scripts, any part
 * of a name is enough.
 */
export function speakerQuery(name: string): Sql {
  const written = composed(name);
  if (!isDense(written)) return spelledQuery(written);
  const others = scriptsOf(written).filter((part) => !isDense(part));
  const names = written.split(/\s+/u).filter(isDense).map(runsQuery);
  const query = sql`${names.join(' & ')}::text::tsquery`;
  if (!/[\p{L}\p{N}]/u.test(others.join(''))) return query;
  return sql`(${spelledQuery(others.join(' '))} && ${query})`;
}

const WORDS = `plainto_tsquery('simple', ${searchable('spelling')})`;

function spelledQuery(name: string): Sql {
  return sql`(SELECT ${() => folded(`string_agg('(' || ${WORDS}::text || ')', ' | ')`, 'tsquery')}
    FROM unnest(${spellingsOf(name)}::text[]) AS spelling WHERE numnode(${() => WORDS}) > 0)`;
}

/** Whether all words of the name occur in the label of a speaker. */
export function isSpeaker(label: string, query: Sql): Sql {
  return sql`${() => wordsOf(`'simple'`, label)} @@ ${query}`;
}

/**
 * CTEs `speakers`, the labels that match, and `said`: the rows of `readable` of which such a speaker said something
 * that matches.
 */
function foundBySpeakerSql(speaker: Sql): Sql {
  return sql`
  speakers AS MATERIALIZED (
    SELECT array_agg(label) AS labels FROM (SELECT DISTINCT unnest(speakers) AS label FROM readable WHERE chunks > 0) given
    WHERE ${isSpeaker('label', speaker)}
  ),
  -- The index knows the words of a chunk: those that match are read until one has them in a segment of the speaker.
  said AS (
    SELECT config, query, id, created_at, open, transcript, summary, false AS title_hit, false AS notes_hit,
      false AS summary_hit, chunks, saturation
    FROM readable CROSS JOIN speakers
    WHERE chunks > 0 AND readable.speakers && labels AND EXISTS (
      SELECT FROM transcript_chunks c CROSS JOIN LATERAL (
        SELECT string_agg(segment ->> 'text', E'\\n') AS text FROM json_array_elements(c.segments) AS segment
        WHERE segment ->> 'speaker' = ANY (labels)) spoken
      WHERE c.recording_id = readable.id AND c.chunk_index = ANY (readable.chunk_indexes)
        AND ${() => wordsOf('readable.config', 'spoken.text')} @@ readable.query)
  )`;
}

/** What the caller may read within one scope: an organization, or the caller's personal recordings. */
export interface ReadableScope {
  readonly id: string;
  /** Recordings created earlier are found by their titles only. ISO time, `infinity` or `-infinity`. */
  readonly openFrom: string;
  readonly transcripts: boolean;
  readonly summaries: boolean;
}

export interface Search {
  readonly query: SearchQuery;
  /** Whether it is a question, of which most words are enough even if other recordings have all of them. */
  readonly asks: boolean;
  /** Only what speakers with this name said. */
  readonly speaker: string | undefined;
  /** Which recordings the caller can see, as a condition on a row `r` of `recordings`. */
  readonly visible: Sql;
  readonly readable: readonly ReadableScope[];
  readonly limit: number;
  readonly offset: number;
}

/**
 * How much of a query a recording has to match: every unit, at least half of them, or one of them in a readable
 * transcript.
 */
export type Matching = 'full' | 'partial' | 'any';

/** CTEs `scopes` and `queries` (the units). */
export function queriesSql(units: readonly PreparedUnit[], scopes: readonly ReadableScope[]): Sql {
  return sql`
  scopes AS MATERIALIZED (SELECT * FROM ${tableOf([
    ['id', 'uuid', scopes.map(({ id }) => id)],
    ['open_from', 'timestamptz', scopes.map(({ openFrom }) => openFrom)],
    ['transcripts', 'boolean', scopes.map(({ transcripts }) => transcripts)],
    ['summaries', 'boolean', scopes.map(({ summaries }) => summaries)],
  ])}),
  queries AS MATERIALIZED (SELECT * FROM ${unitRows(units)})`;
}

export function unitRows(units: readonly PreparedUnit[]): Sql {
  return tableOf(
    [
      ['config', 'text', units.map(({ config }) => config)],
      ['alternative', 'integer', units.map(({ alternative }) => alternative)],
      ['unit', 'integer', units.map(({ unit }) => unit)],
      ['excluded', 'boolean', units.map(({ excluded }) => excluded)],
      ['optional', 'boolean', units.map(({ optional }) => optional)],
      ['query', 'tsquery', units.map(({ wide }) => wide)],
      ['exact', 'tsquery', units.map(({ exact }) => exact)],
      ['shown', 'tsquery', units.map(({ shown }) => shown)],
    ],
    'unit',
  );
}

/** What a unit adds to the score of a text that has it as typed, and not only in another form. */
const EXACT = 0.5;
/** What all units together in one text or chunk add. */
const TOGETHER = 1.5;

/**
 * CTE `found`: for each recording that the caller can see, its score and which of its texts matched. Only what the
 * caller can read counts, so that neither a match nor an excluded word reveals anything else.
 */
export function foundSql({ visible, ...search }: Search, matching: Matching): Sql {
  const speaker = search.speaker === undefined ? null : speakerQuery(search.speaker);
  return sql`
  needed AS MATERIALIZED (
    SELECT config, alternative, count(*) AS units, ${() => combined('query', '&')} AS query
    FROM queries WHERE NOT excluded AND NOT optional GROUP BY config, alternative
  ),
  -- The units of each alternative; what counts in addition: as typed, and all of them together in one text or chunk.
  parts AS MATERIALIZED (
    SELECT config, alternative, units, q.query, excluded, NOT excluded AND NOT optional AS needed, 1.0 AS share
    FROM queries q JOIN needed USING (config, alternative)
    UNION ALL SELECT config, alternative, units, exact, false, false, ${EXACT}::numeric
    FROM queries JOIN needed USING (config, alternative) WHERE exact IS NOT NULL AND NOT excluded
    UNION ALL SELECT config, alternative, units, query, false, false, NULL FROM needed WHERE units > 1
  ),
  hits AS MATERIALIZED (
    SELECT scopes.*, probes.config, probes.query, hit.*
    FROM scopes CROSS JOIN (SELECT DISTINCT config, query FROM parts) probes CROSS JOIN LATERAL (
      SELECT e.recording_id, bool_or(e.source = 'title') AS title, bool_or(e.source = 'notes') AS notes,
        bool_or(e.source = 'summary') AS summary, count(*) FILTER (WHERE e.source = 'transcript') AS chunks,
        ${speaker ? sql`array_agg(e.chunk_index) FILTER (WHERE e.source = 'transcript')` : sql`NULL::int[]`} AS chunk_indexes
      FROM search_entries e
      WHERE e.config = probes.config AND e.scope_id = scopes.id AND e.words @@ probes.query
      GROUP BY e.recording_id) hit
  ),
  readable AS (
    SELECT hits.config, hits.query, r.id, r.created_at, open, open AND transcripts AND t.status = 'completed' AS transcript,
      open AND summaries AND s.status = 'completed' AS summary, hits.title AS title_hit, hits.notes AND open AS notes_hit,
      hits.summary AND open AND summaries AND s.status = 'completed' AS summary_hit,
      CASE WHEN open AND transcripts AND t.status = 'completed' THEN hits.chunks ELSE 0 END AS chunks,
      0.3 + 0.03 * COALESCE(t.segments_count, 0) / 20 AS saturation, t.speakers, hits.chunk_indexes
    FROM hits
    JOIN recordings r ON r.id = hits.recording_id
    LEFT JOIN transcripts t ON t.recording_id = r.id
    LEFT JOIN summaries s ON s.recording_id = r.id
    CROSS JOIN LATERAL (SELECT r.created_at >= hits.open_from AS open) age
    WHERE ${visible}
  ),
  ${speaker ? foundBySpeakerSql(speaker) : sql`said AS (SELECT * FROM readable)`},
  -- How much one query weighs in one recording: a word that is said often counts more, the longer the meeting the less.
  weights AS MATERIALIZED (
    SELECT said.*, CASE WHEN title_hit THEN 8 ELSE 0 END + CASE WHEN summary_hit THEN 4 ELSE 0 END
      + CASE WHEN notes_hit THEN 3 ELSE 0 END + 2 * chunks / (chunks + saturation)::float8 AS weight
    FROM said WHERE title_hit OR notes_hit OR summary_hit OR chunks > 0
  ),
  -- Rare ones count more: 1 for what all hits have, and from there up.
  rarity AS MATERIALIZED (
    SELECT config, query, 1 + ln((SELECT count(DISTINCT id) FROM weights)::float8 / count(*)) AS factor
    FROM weights GROUP BY config, query
  ),
  complete AS (
    SELECT id, created_at, open, transcript, summary, config, count(*) FILTER (WHERE needed) >= units AS whole,
      round(sum(weight * COALESCE(share * factor, ${TOGETHER}::numeric))::numeric, 4) AS score
    FROM weights JOIN parts USING (config, query) JOIN rarity USING (config, query)
    GROUP BY id, created_at, open, transcript, summary, config, alternative, units
    HAVING NOT bool_or(excluded) AND count(*) FILTER (WHERE needed) >= ${() => LEAST[matching]}
  ),
  found AS MATERIALIZED (
    SELECT id, created_at, open, transcript, summary, config, bool_or(whole) AS whole, max(score) AS score
    FROM complete GROUP BY id, created_at, open, transcript, summary, config
  )`;
}

/** Units that a recording has to match. */
const LEAST: Readonly<Record<Matching, string>> = {
  full: 'units',
  partial: 'ceil(units / 2.0)',
  any: '1 AND transcript',
};
