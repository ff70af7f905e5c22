import type { EntityManager } from 'typeorm';
import { folded, searchable } from '../../../platform/database/text-search.sql.js';
import { tableOf, sql } from '../../../platform/database/sql.js';
import type { SearchQuery } from '../query/search-query.js';
import { variantsOf } from '../query/search-variants.js';

/** A unit of a query in one text search configuration, as `tsquery`. */
export interface PreparedUnit {
  readonly config: string;
  readonly alternative: number;
  /** Number of the unit within the whole query. */
  readonly unit: number;
  readonly excluded: boolean;
  readonly optional: boolean;
  /** What a text has to match. */
  readonly wide: string;
  /** What was typed, as far as it is narrower. */
  readonly exact: string | null;
  /** What to mark in a text that has not been prepared for the index. */
  readonly shown: string;
}

/** Languages that write compounds as one word. */
const COMPOUNDING = ['german', 'dutch', 'swedish', 'danish', 'norwegian'];
/** Letters of a part that finds its compounds at their beginning and end, and anywhere. */
const [PART, LONG_PART] = [5, 6];
/** Letters that a compound has besides. */
const REST = 3;
const MAX_COMPOUNDS = 100;

/**
 * Prepares the units of a query in each configuration that `scopes` use, without the stop words of the configuration.
 * The words of compounds come from the vocabulary of the scopes.
 */
export async function prepareUnits(
  manager: EntityManager,
  query: SearchQuery,
  scopes: readonly string[],
): Promise<PreparedUnit[]> {
  const units = query.flatMap((alternative, number) => alternative.map((unit) => ({ ...unit, number })));
  const variants = variantsOf(query)
    .flat()
    .flatMap((list, unit) => list.map((variant) => ({ ...variant, unit })));
  return sql(manager)`
  WITH RECURSIVE used AS (
    -- From one configuration to the next, which is one step in an index each.
    SELECT id, (SELECT config FROM search_entries WHERE scope_id = id ORDER BY config LIMIT 1) AS config
    FROM unnest(${scopes}::uuid[]) AS scopes (id)
    UNION ALL
    SELECT id, (SELECT e.config FROM search_entries e WHERE e.scope_id = id AND e.config > used.config ORDER BY e.config LIMIT 1)
    FROM used WHERE config IS NOT NULL
  ), configs AS (SELECT DISTINCT config FROM used WHERE config IS NOT NULL),
  units AS (SELECT * FROM ${tableOf([
    ['unit', 'integer', units.map((_, index) => index)],
    ['alternative', 'integer', units.map(({ number }) => number)],
    ['kind', 'text', units.map(({ kind }) => kind)],
    ['text', 'text', units.map(({ text }) => text)],
    ['excluded', 'boolean', units.map(({ excluded }) => excluded)],
    ['optional', 'boolean', units.map(({ optional }) => optional === true)],
  ])}),
  variants AS MATERIALIZED (
    SELECT config, unit, role, COALESCE(query && dense::tsquery, query) AS query FROM (
    SELECT config, unit, role, dense, CASE reading
      -- The beginning of a word is no word: its stem may be another one's, and it may look like a stop word.
      WHEN 'prefix' THEN to_tsquery(config::regconfig, ${() => BEGINNING}) || to_tsquery('simple', ${() => BEGINNING})
      WHEN 'lexeme' THEN array_to_tsvector(ARRAY[text])::text::tsquery
      WHEN 'tsquery' THEN text::tsquery
      ELSE phraseto_tsquery(config::regconfig, spelled) END AS query
    FROM configs CROSS JOIN (SELECT given.*, ${() => searchable('text')} AS spelled FROM ${tableOf([
      ['unit', 'integer', variants.map(({ unit }) => unit)],
      ['reading', 'text', variants.map(({ reading }) => reading)],
      ['text', 'text', variants.map(({ text }) => text)],
      ['role', 'text', variants.map(({ role }) => role)],
      ['dense', 'text', variants.map(({ dense }) => dense ?? null)],
    ])} OFFSET 0) written) read
  ),
  compounds AS (
    SELECT part.config, part.unit, 'wide' AS role, plainto_tsquery(part.config::regconfig, compound.word) AS query
    FROM (
      SELECT config, unit, lower(text) AS text, btrim(websearch_to_tsquery(config::regconfig, text)::text, '''') AS stem
      FROM configs CROSS JOIN units
      WHERE config = ANY (${COMPOUNDING}::text[]) AND kind = 'words' AND NOT excluded AND text ~ ${`^[[:alpha:]]{${PART},}$`}::text
    ) part CROSS JOIN LATERAL (
      SELECT DISTINCT word FROM search_words
      WHERE scope_id = ANY (${scopes}::uuid[]) AND word LIKE '%' || part.stem || '%' AND length(word) >= length(part.text) + ${REST}::int
        AND (length(part.stem) >= ${LONG_PART}::int OR word LIKE part.stem || '%' OR word LIKE '%' || part.text)
      LIMIT ${MAX_COMPOUNDS}::int) compound
    WHERE length(part.stem) >= ${PART}::int
  )
  SELECT config, alternative, unit, excluded, optional, ${() => folded('wide', 'tsquery')}::text AS wide, shown::text,
    CASE WHEN exact <> wide THEN ${() => folded('exact', 'tsquery')}::text END AS exact
  FROM (
    SELECT config, unit, ${() => combined('query', '|', `role IN ('exact', 'equal')`)} AS exact, bool_or(role = 'exact') AS whole,
      ${() => combined('query', '|', `role <> 'shown'`)} AS wide, ${() => combined('query', '|')} AS shown
    FROM (TABLE variants UNION ALL TABLE compounds) made WHERE numnode(query) > 0 GROUP BY config, unit) found
  JOIN units USING (unit)
  -- Of a stop word, only compounds with its neighbours are left.
  WHERE whole ORDER BY config, unit`;
}

/** A prefix that begins with letters and ends with digits is two words of the index. */
const BEGINNING = `regexp_replace(NULLIF(btrim(spelled), ''), '\\s+', ' <-> ', 'g') || ':*'`;

/** Combines several queries: `&` for all of them, `|` for any. */
export const combined = (query: string, operator: '&' | '|', condition = 'true'): string =>
  `(string_agg(DISTINCT '(' || ${query}::text || ')', ' ${operator} ') FILTER (WHERE ${condition}))::tsquery`;
