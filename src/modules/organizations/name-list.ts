import type { DataSource } from 'typeorm';
import { escapeLike } from '../../platform/database/like.js';
import { Parameters } from '../../platform/database/statement.js';
import { readNameCursor, writeNameCursor, type NamePosition } from '../../platform/http/name-cursor.js';

/** Without `limit` and `cursor`, a list is returned as a whole. */
export interface NameListQuery {
  readonly search?: string;
  readonly limit?: number;
  readonly cursor?: string;
}

export interface NamePage<Row> {
  readonly rows: readonly Row[];
  /** Null for a list as a whole. */
  readonly paging: {
    readonly limit: number;
    readonly hasMore: boolean;
    readonly nextCursor: string | null;
  } | null;
}

/** The parts of a statement. `values` are `$1` and so on. */
interface NameListStatement {
  readonly columns: string;
  readonly from: string;
  readonly where: string;
  readonly values: readonly unknown[];
  /** Of the table whose `name` and `id` the list is ordered by. */
  readonly alias: string;
  /** The text that a search must match a part of, ignoring case. */
  readonly searched: string;
}

const DEFAULT_LIMIT = 20;

/** Reads a list ordered by name, or a page of it. */
export async function nameList<Row extends NamePosition>(
  dataSource: DataSource,
  { search, limit, cursor }: NameListQuery,
  { columns, from, where, values, alias, searched }: NameListStatement,
): Promise<NamePage<Row>> {
  const parameters = new Parameters();
  for (const value of values) parameters.add(value);
  const conditions = [where];
  if (search !== undefined) {
    conditions.push(`lower(${searched}) LIKE lower(${parameters.bind(`%${escapeLike(search)}%`, 'text')})`);
  }
  const after = readNameCursor(cursor);
  if (after) {
    const position = `${parameters.bind(after.name, 'text')}, ${parameters.bind(after.id, 'uuid')}`;
    conditions.push(`(${alias}.name, ${alias}.id) > (${position})`);
  }
  const size = limit ?? (cursor === undefined ? undefined : DEFAULT_LIMIT);
  const limited = size === undefined ? '' : `LIMIT ${parameters.bind(size + 1, 'int')}`;
  const { sql, parameters: bound } = parameters.statement(
    `SELECT ${columns} FROM ${from} WHERE ${conditions.join(' AND ')} ORDER BY ${alias}.name, ${alias}.id ${limited}`,
  );
  const found: Row[] = await dataSource.query(sql, bound);
  if (size === undefined) return { rows: found, paging: null };
  const rows = found.slice(0, size);
  const last = rows.at(-1);
  const hasMore = found.length > size;
  return {
    rows,
    paging: { limit: size, hasMore, nextCursor: hasMore && last ? writeNameCursor(last) : null },
  };
}
