import type { EntityManager } from 'typeorm';
import { escapeLike, joined, type Sql, sql } from '../../platform/database/sql.js';
import {
  readNameCursor,
  writeNameCursor,
  type NamePosition,
  type CursorPage,
} from '../../platform/http/replies/cursor.js';
import { LIMITS } from '../../contract/limits.js';

/** Without `limit` and `cursor`, a list is returned as a whole. */
export interface NameListQuery {
  readonly search?: string;
  readonly limit?: number;
  readonly cursor?: string;
}

export interface NamePage<Row> {
  readonly rows: readonly Row[];
  /** Null for a list as a whole. */
  readonly paging: Omit<CursorPage<Row>, 'rows'> | null;
}

/** The parts of a statement. */
interface NameListStatement {
  readonly columns: Sql;
  readonly from: Sql;
  readonly where: Sql;
  /** The table whose `name` and `id` the list is ordered by. */
  readonly alias: string;
  /** The text that a search must match a part of, ignoring case. */
  readonly searched: string;
}

/** Reads a list ordered by name, or a page of it. */
export async function readNameList<Row extends NamePosition>(
  manager: EntityManager,
  { search, limit, cursor }: NameListQuery,
  { columns, from, where, alias, searched }: NameListStatement,
): Promise<NamePage<Row>> {
  const after = readNameCursor(cursor);
  const size = limit ?? (cursor === undefined ? undefined : LIMITS.page.default);
  const order = (): string => `${alias}.name, ${alias}.id`;
  const conditions = [
    where,
    search !== undefined && sql`lower(${() => searched}) LIKE lower(${`%${escapeLike(search)}%`}::text)`,
    after && sql`(${order}) > (${after.name}::text, ${after.id}::uuid)`,
  ];
  const found = await sql(manager)<Row>`
    SELECT ${columns} FROM ${from} WHERE ${joined(conditions, ' AND ')} ORDER BY ${order}
      ${size === undefined ? sql`` : sql`LIMIT ${size + 1}::int`}`;
  if (size === undefined) return { rows: found, paging: null };
  const rows = found.slice(0, size);
  const last = rows.at(-1);
  const hasMore = found.length > size;
  return {
    rows,
    paging: { limit: size, hasMore, nextCursor: hasMore && last ? writeNameCursor(last) : null },
  };
}
