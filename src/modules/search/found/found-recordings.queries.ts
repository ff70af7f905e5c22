import type { EntityManager } from 'typeorm';
import { run, sql } from '../../../platform/database/sql.js';
import { joinListed, type ListedRow } from '../../recordings/list/public/listed-recording.sql.js';
import type { SearchQuery } from '../query/search-query.js';
import { unitsStatement, type PreparedUnit } from './units.queries.js';
import { foundSql, queriesSql, type Matching, type Search } from './found.sql.js';

interface PageRow extends Omit<ListedRow, 'id'> {
  /** Whether it has everything that was asked for. */
  readonly whole: boolean;
  readonly total: string;
  readonly any_whole: boolean | null;
  readonly id: string | null;
  readonly score: string;
  readonly config: string;
  readonly open: boolean;
  readonly transcript: boolean | null;
  readonly summary: boolean | null;
}

export type FoundPageRow = PageRow & { readonly id: string };

export interface Found {
  readonly rows: readonly FoundPageRow[];
  readonly total: number;
  readonly anyWhole: boolean;
  readonly units: readonly PreparedUnit[];
}

/** A page of the recordings that match, best first, and how many there are. */
export async function findRecordings(
  manager: EntityManager,
  search: Search,
  query: SearchQuery,
  matching: Matching,
): Promise<Found> {
  const units = await prepare(manager, search, query);
  const rows = await run<PageRow>(
    manager,
    sql`
      WITH ${queriesSql(units, search.readable)},
      ${foundSql(search, matching)},
      page AS (
        SELECT * FROM found ORDER BY whole DESC, score DESC, created_at DESC, id
        LIMIT ${search.limit}::bigint OFFSET ${search.offset}::bigint
      ),
      total AS (SELECT count(*) AS total, bool_or(whole) AS any_whole FROM found)
      SELECT total.total, total.any_whole, page.whole, page.score::text, page.config, page.open, page.transcript, page.summary, listed.*
      FROM total
      LEFT JOIN page ON true
      ${() => joinListed('page.id')}
      ORDER BY page.whole DESC, page.score DESC, page.created_at DESC, page.id`,
  );
  return {
    rows: rows.filter((row): row is FoundPageRow => row.id !== null),
    total: Number(rows[0]?.total ?? 0),
    anyWhole: rows[0]?.any_whole === true,
    units,
  };
}

/** The units of a query in every configuration that the caller's texts use. */
export async function prepare(
  manager: EntityManager,
  { readable }: Search,
  query: SearchQuery,
): Promise<PreparedUnit[]> {
  const scopes = readable.map(({ id }) => id);
  return run(manager, unitsStatement(query, scopes));
}
