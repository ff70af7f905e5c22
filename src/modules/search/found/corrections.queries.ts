import type { EntityManager } from 'typeorm';
import { run, sql } from '../../../platform/database/sql.js';
import { foundSql, queriesSql, type Search } from './found.sql.js';
import type { PreparedUnit } from './units.queries.js';

/** A word is corrected if it has at least this many letters. */
export const SHORTEST = 3;
/** Words with trigrams in common. */
const MAX_SIMILAR = 60;

export interface SimilarWord {
  readonly text: string;
  readonly word: string;
}

/** Finds the words of the scopes with the most trigrams in common, and the word in two where both parts occur. */
export async function findSimilarWords(
  manager: EntityManager,
  texts: readonly string[],
  scopes: readonly string[],
): Promise<SimilarWord[]> {
  const isInScope = sql`scope_id = ANY (${scopes}::uuid[])`;
  return run(
    manager,
    sql`
    SELECT given.text, near.word FROM unnest(${texts}::text[]) WITH ORDINALITY AS given (text, position) CROSS JOIN LATERAL (
      (SELECT word, similarity(word, given.text) AS likeness FROM search_words
       WHERE ${isInScope} AND word % given.text
       GROUP BY word ORDER BY likeness DESC, word LIMIT ${MAX_SIMILAR}::int)
      UNION ALL
      (SELECT left(given.text, place) || ' ' || substr(given.text, place + 1), 1
       FROM generate_series(${SHORTEST}::int, length(given.text) - ${SHORTEST}::int) AS place
       WHERE EXISTS (SELECT FROM search_words WHERE ${isInScope} AND word = left(given.text, place))
         AND EXISTS (SELECT FROM search_words WHERE ${isInScope} AND word = substr(given.text, place + 1)))
    ) near
    ORDER BY given.position, near.likeness DESC, near.word`,
  );
}

/** Finds the numbers of the units that occur in something the caller can read. */
export async function findUnits(
  manager: EntityManager,
  search: Search,
  units: readonly PreparedUnit[],
): Promise<ReadonlySet<number>> {
  if (units.length === 0) return new Set();
  const found = await run<{ unit: number }>(
    manager,
    sql`
    WITH ${queriesSql(units, search.readable)},
    ${foundSql(search, 'partial')}
    SELECT DISTINCT unit FROM queries JOIN weights USING (config, query)`,
  );
  return new Set(found.map(({ unit }) => unit));
}
