import type { Parameters } from '../../platform/database/statement.js';
import type { SearchQuery } from './search-query.js';

/** What the caller may read within one scope: an organization, or the caller's personal recordings. */
export interface ReadableScope {
  readonly id: string;
  /** For recordings created earlier, titles only. ISO time, `infinity` or `-infinity`. */
  readonly openFrom: string;
  readonly transcripts: boolean;
  readonly summaries: boolean;
}

/** CTEs `pairs` (scopes with the configurations they use) and `queries` (units as `tsquery`, by configuration). */
export function queriesSql(
  query: SearchQuery,
  scopes: readonly ReadableScope[],
  parameters: Parameters,
): string {
  return `
  scopes AS (SELECT * FROM ${rows(parameters, [
    ['id', 'uuid', scopes.map(({ id }) => id)],
    ['open_from', 'timestamptz', scopes.map(({ openFrom }) => openFrom)],
    ['transcripts', 'boolean', scopes.map(({ transcripts }) => transcripts)],
    ['summaries', 'boolean', scopes.map(({ summaries }) => summaries)],
  ])}),
  -- From one configuration to the next, which is one step in an index each.
  pairs AS (
    SELECT scopes.*, (SELECT config FROM search_entries WHERE scope_id = id ORDER BY config LIMIT 1) AS config FROM scopes
    UNION ALL
    SELECT p.id, p.open_from, p.transcripts, p.summaries, (SELECT e.config FROM search_entries e
      WHERE e.scope_id = p.id AND e.config > p.config ORDER BY e.config LIMIT 1)
    FROM pairs p WHERE p.config IS NOT NULL
  ),
  ${unitsSql('queries', query, '(SELECT DISTINCT config FROM pairs WHERE config IS NOT NULL)', parameters)}`;
}

/** A CTE of the units of a query in each configuration, without its stop words. */
export function unitsSql(name: string, query: SearchQuery, configs: string, parameters: Parameters): string {
  const units = query.flatMap((alternative, number) => alternative.map((unit) => ({ ...unit, number })));
  return `${name} AS MATERIALIZED (
    SELECT configs.config, unit.*, made.query
    FROM ${configs} configs, ${rows(
      parameters,
      [
        ['alternative', 'integer', units.map(({ number }) => number)],
        ['kind', 'text', units.map(({ kind }) => kind)],
        ['text', 'text', units.map(({ text }) => text)],
        ['excluded', 'boolean', units.map(({ excluded }) => excluded)],
      ],
      'unit',
    )},
    LATERAL (SELECT CASE unit.kind
      -- The beginning of a word is no word: its stem may be another one's, and it may look like a stop word.
      WHEN 'prefix' THEN to_tsquery(configs.config::regconfig, unit.text || ':*') || to_tsquery('simple', unit.text || ':*')
      WHEN 'phrase' THEN websearch_to_tsquery(configs.config::regconfig, '"' || unit.text || '"')
      ELSE websearch_to_tsquery(configs.config::regconfig, unit.text) END AS query) made
    WHERE numnode(made.query) > 0)`;
}

/**
 * CTE `found`: for each recording that the caller can see, its score and which of its texts matched. Only what the caller
 * can read counts, so that neither a match nor an excluded word reveals anything else.
 */
export function foundSql(visible: string): string {
  return `
  needed AS MATERIALIZED (
    SELECT config, alternative, count(*) AS units, ${all('query', '&')} AS query
    FROM queries WHERE NOT excluded GROUP BY config, alternative
  ),
  -- The units of each alternative, and where there are several all of them together in one text or chunk.
  parts AS MATERIALIZED (
    SELECT config, alternative, units, queries.query, excluded, false AS together FROM queries JOIN needed USING (config, alternative)
    UNION ALL SELECT config, alternative, units, query, false, true FROM needed WHERE units > 1
  ),
  hits AS MATERIALIZED (
    SELECT pairs.*, probes.query, hit.*
    FROM pairs JOIN (SELECT DISTINCT config, query FROM parts) probes USING (config) CROSS JOIN LATERAL (
      SELECT e.recording_id, bool_or(e.source = 'title') AS title, bool_or(e.source = 'notes') AS notes,
        bool_or(e.source = 'summary') AS summary, count(*) FILTER (WHERE e.source = 'transcript') AS chunks
      FROM search_entries e
      WHERE e.config = pairs.config AND e.scope_id = pairs.id AND e.words @@ probes.query
      GROUP BY e.recording_id) hit
  ),
  readable AS (
    SELECT hits.config, hits.query, r.id, r.created_at, open, open AND transcripts AND t.status = 'completed' AS transcript,
      open AND summaries AND s.status = 'completed' AS summary, hits.title AS title_hit, hits.notes AND open AS notes_hit,
      hits.summary AND open AND summaries AND s.status = 'completed' AS summary_hit,
      CASE WHEN open AND transcripts AND t.status = 'completed' THEN hits.chunks ELSE 0 END AS chunks,
      0.3 + 0.03 * COALESCE(t.segments_count, 0) / 20 AS saturation
    FROM hits
    JOIN recordings r ON r.id = hits.recording_id
    LEFT JOIN transcripts t ON t.recording_id = r.id
    LEFT JOIN summaries s ON s.recording_id = r.id
    CROSS JOIN LATERAL (SELECT r.created_at >= hits.open_from AS open) age
    WHERE ${visible}
  ),
  -- How much one query weighs in one recording: a word that is said often counts more, the longer the meeting the less.
  weights AS MATERIALIZED (
    SELECT readable.*, CASE WHEN title_hit THEN 8 ELSE 0 END + CASE WHEN summary_hit THEN 4 ELSE 0 END
      + CASE WHEN notes_hit THEN 3 ELSE 0 END + 2 * chunks / (chunks + saturation)::float8 AS weight
    FROM readable WHERE title_hit OR notes_hit OR summary_hit OR chunks > 0
  ),
  -- Rare ones count more: 1 for what all hits have, and from there up.
  rarity AS MATERIALIZED (
    SELECT config, query, 1 + ln((SELECT count(DISTINCT id) FROM weights)::float8 / count(*)) AS factor
    FROM weights GROUP BY config, query
  ),
  complete AS (
    SELECT id, created_at, open, transcript, summary, config, round(
      -- In the same text or chunk: half as much again, and more where that is often.
      sum(weight * CASE WHEN together THEN 1.5 ELSE factor END)::numeric, 4) AS score
    FROM weights JOIN parts USING (config, query) JOIN rarity USING (config, query)
    GROUP BY id, created_at, open, transcript, summary, config, alternative, units
    HAVING NOT bool_or(excluded) AND count(*) FILTER (WHERE NOT together) = units
  ),
  found AS MATERIALIZED (
    SELECT id, created_at, open, transcript, summary, config, max(score) AS score
    FROM complete GROUP BY id, created_at, open, transcript, summary, config
  )`;
}

/** Combines several queries: `&` for all of them, `|` for any. */
export const all = (query: string, operator: '&' | '|'): string =>
  `string_agg('(' || ${query}::text || ')', ' ${operator} ' ORDER BY ${query}::text)::tsquery`;

/** A table from arrays, one per column. */
export function rows(
  parameters: Parameters,
  columns: readonly (readonly [name: string, type: string, values: readonly unknown[]])[],
  alias = 'given',
): string {
  const bound = columns.map(([, type, values]) => parameters.bind(values, `${type}[]`));
  return `unnest(${bound.join(', ')}) AS ${alias} (${columns.map(([name]) => name).join(', ')})`;
}
