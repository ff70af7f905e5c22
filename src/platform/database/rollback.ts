import type { QueryRunner } from 'typeorm';
import { LAST_MIGRATIONS, MIGRATIONS } from './migrations.js';
import { joined, sql } from './sql.js';

/**
 * What an older release has no place for: rows of a table or values of a column that only the newer one has; rows that
 * the older one cannot have (`deleted`), or not as they are (`changed`).
 */
export interface Loss {
  readonly kind: 'table' | 'column' | 'deleted' | 'changed';
  readonly name: string;
  readonly rows: number;
}

interface Column {
  readonly table: string;
  readonly name: string;
  /** SQL; null: none. */
  readonly default: string | null;
  /** Whether PostgreSQL itself fills it in. */
  readonly filled: boolean;
}

/** Returns the migrations that came after a release, oldest first; null if there was no such release. */
export function migrationsAfter(release: string): typeof MIGRATIONS | null {
  const last = Object.entries(LAST_MIGRATIONS).findLast(([of]) => !isOlder(release, of));
  return last ? MIGRATIONS.slice(MIGRATIONS.indexOf(last[1]) + 1) : null;
}

const isOlder = (one: string, other: string): boolean =>
  one.localeCompare(other, 'en', { numeric: true }) < 0;

/** Takes back migrations that have run, the newest first, in the transaction of `runner`. */
export async function undoMigrations(runner: QueryRunner, migrations: typeof MIGRATIONS): Promise<void> {
  for (const Migration of migrations.toReversed()) {
    await new Migration().down(runner);
    await sql(runner)`DELETE FROM migrations WHERE name = ${Migration.name}`;
  }
}

/** Finds out what `undoMigrations` would lose, by doing it in a transaction that is rolled back. */
export async function findLosses(runner: QueryRunner, migrations: typeof MIGRATIONS): Promise<Loss[]> {
  const before = await readColumns(runner);
  await runner.startTransaction();
  let after: Column[];
  let touched: Loss[];
  try {
    await undoMigrations(runner, migrations);
    after = await readColumns(runner);
    touched = await sql(runner)<Loss>`
      SELECT kind, relname AS name, rows::float8 FROM pg_stat_xact_user_tables
      CROSS JOIN LATERAL (VALUES ('deleted', n_tup_del), ('changed', n_tup_upd)) AS touched (kind, rows)
      WHERE schemaname = 'public' AND relname <> 'migrations' AND rows > 0 ORDER BY kind DESC, name`;
  } finally {
    await runner.rollbackTransaction();
  }
  const tables = new Set(after.map(({ table }) => table));
  const kept = new Set(after.map(({ table, name }) => `${table}.${name}`));
  const gone = new Set(before.map(({ table }) => table).filter((table) => !tables.has(table)));
  const losses: Loss[] = [];
  for (const name of gone) losses.push({ kind: 'table', name, rows: await countRows(runner, name) });
  for (const table of tables) {
    const columns = before.filter(
      (one) => one.table === table && !one.filled && !kept.has(`${table}.${one.name}`),
    );
    if (columns.length > 0) losses.push(...(await countValues(runner, table, columns)));
  }
  return [...losses, ...touched].filter(({ rows }) => rows > 0);
}

/** Names as SQL has them. Partitions belong to their tables. */
const readColumns = (runner: QueryRunner): Promise<Column[]> => sql(runner)<Column>`
  SELECT quote_ident(c.relname) AS table, quote_ident(a.attname) AS name, pg_get_expr(d.adbin, d.adrelid) AS default,
    a.attidentity <> '' OR a.attgenerated <> '' AS filled
  FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
  LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
  WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
  ORDER BY c.relname, a.attnum`;

const countRows = (runner: QueryRunner, table: string): Promise<number> =>
  sql(runner).value<number>`SELECT count(*)::float8 FROM ${() => table}`;

/** The rows in which a column is not what it is by default. As text: not every type can be compared. */
async function countValues(runner: QueryRunner, table: string, columns: readonly Column[]): Promise<Loss[]> {
  const counts = columns.map(
    ({ name, default: usual }) =>
      sql`count(*) FILTER (WHERE ${() => `${name}::text IS DISTINCT FROM (${usual ?? 'NULL'})::text`})`,
  );
  const found = await sql(runner).value<number[]>`
    SELECT ARRAY[${joined(counts, ', ')}]::float8[] FROM ${() => table}`;
  return columns.map(({ name }, index) => ({
    kind: 'column',
    name: `${table}.${name}`,
    rows: found[index]!,
  }));
}
