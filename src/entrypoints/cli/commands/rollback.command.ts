import type { Client } from 'pg';
import type { QueryRunner } from 'typeorm';
import { singleLine } from '../../../lib/text.js';
import { withClient } from '../../../platform/database/connection.js';
import { LOCKS } from '../../../platform/database/lock-numbers.js';
import { refuseUnknownSchema } from '../../../platform/database/migrate.js';
import { MIGRATIONS, migrationsAfter } from '../../../platform/database/migrations.js';
import { sql } from '../../../platform/database/sql.js';
import { refuseUnfinishedRestore } from '../../../platform/database/unfinished-restore.js';
import { IS_STALE } from '../../../platform/processes/processes.queries.js';
import { refused, usageError } from '../exit-status.js';
import { placeOf, withDatabaseServer } from '../host.js';
import { notice, print, type Output } from '../output.js';
import { confirm, type Confirmable } from '../prompts.js';

/** `RAISE EXCEPTION` of a migration that cannot be taken back. */
const RAISED = 'P0001';

/** A table, or a column (`table.name`), that the older release has not, and the rows that have something in it. */
interface Loss {
  readonly name: string;
  readonly rows: number;
}

/** Takes the database back to an older release: all or nothing, and only while no service runs. */
export async function rollBack(release: string, options: Output & Confirmable): Promise<void> {
  const newer = migrationsAfter(release);
  if (newer.length === MIGRATIONS.length)
    throw usageError(`release: there was none before 1.0.0, and no ${release}`);
  await withDatabaseServer(async ({ settings, url }) => {
    const place = placeOf(settings);
    const lost = await withClient(url, { application_name: 'mrs rollback' }, async (client) => {
      await requireAlone(client);
      const applied = await sql(client).value<string[]>`SELECT array_agg(name::text) FROM migrations`;
      const undone = newer.filter(({ name }) => applied.includes(name)).toReversed();
      if (undone.length === 0) return null;
      const losses = await findLosses(client, undone);
      notice(textOf(losses, release));
      await confirm(`Take the database in ${place} back to release ${release}`, options);
      await sql(client)`BEGIN`;
      await undo(client, undone);
      await sql(client)`COMMIT`;
      return losses;
    });
    const plain =
      lost === null
        ? `The database in ${place} has nothing that release ${release} does not know. Nothing was changed.`
        : `The database in ${place} is that of release ${release}. Start that release now: a start of this one would upgrade it again.`;
    print(options, { release, changed: lost !== null, lost: lost ?? [] }, plain);
  });
}

/** Keeps services from starting as long as the client is connected. Those of 1.0.0 do not register. */
async function requireAlone(client: Client): Promise<void> {
  if (!(await sql(client).value<boolean>`SELECT pg_try_advisory_lock(${LOCKS.migration}::bigint)`))
    throw refused('A service is starting on this database, or it is being restored');
  await refuseUnfinishedRestore(client);
  await refuseUnknownSchema(client);
  if (!(await sql(client).value<boolean>`SELECT to_regclass('processes') IS NOT NULL`)) return;
  const running = await sql(client)<{ role: string; host: string; pid: number }>`
    SELECT role, host, pid FROM processes WHERE NOT ${IS_STALE} ORDER BY host, pid LIMIT 20`;
  if (running.length === 0) return;
  const listed = running.map(({ role, host, pid }) => `${role} on ${singleLine(host)} (process ${pid})`);
  throw refused(
    `The service is running: ${listed.join(', ')}. Stop it first; a process that was killed counts as running for up to a minute`,
  );
}

/** In a transaction of the caller. Of a query runner, migrations use only what a client has, too. */
async function undo(client: Client, migrations: typeof MIGRATIONS): Promise<void> {
  const runner = client as unknown as QueryRunner;
  try {
    for (const Migration of migrations) {
      await new Migration().down(runner);
      await sql(client)`DELETE FROM migrations WHERE name = ${Migration.name}`;
    }
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    throw code === RAISED ? refused(`Nothing was changed: ${message}. Restore a backup instead.`) : error;
  }
}

/** Undoes the migrations in a transaction that is rolled back, and counts what has something in what was gone. */
async function findLosses(client: Client, migrations: typeof MIGRATIONS): Promise<Loss[]> {
  const before = await readColumns(client);
  await sql(client)`BEGIN`;
  await undo(client, migrations);
  const after = await readColumns(client);
  await sql(client)`ROLLBACK`;

  const kept = new Set(after.flatMap(({ table, name }) => [table, name]));
  const holding = new Map<string, string>();
  for (const { table, name, usual } of before) {
    if (!kept.has(table)) holding.set(table, table);
    // As text: not every type can be compared.
    else if (!kept.has(name))
      holding.set(name, `${table} WHERE ${name}::text IS DISTINCT FROM (${usual})::text`);
  }
  const losses: Loss[] = [];
  for (const [name, rows] of holding)
    losses.push({ name, rows: await sql(client).value<number>`SELECT count(*)::float8 FROM ${() => rows}` });
  return losses.filter(({ rows }) => rows > 0);
}

/** Names and defaults as SQL has them, without columns that PostgreSQL fills in itself. Partitions belong to their tables. */
const readColumns = (client: Client) => sql(client)<{ table: string; name: string; usual: string }>`
  SELECT quote_ident(c.relname) AS table, quote_ident(c.relname) || '.' || quote_ident(a.attname) AS name,
    coalesce(pg_get_expr(d.adbin, d.adrelid), 'NULL') AS usual
  FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
  LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
  WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
    AND a.attidentity = '' AND a.attgenerated = ''
  ORDER BY c.relname, a.attnum`;

function textOf(losses: readonly Loss[], release: string): string {
  if (losses.length === 0) return `Release ${release} loses nothing.`;
  const lines = losses.map(({ name, rows }) => `  ${name}: ${rows}`);
  return [`Going back to release ${release} loses (rows that use a table or column):`, ...lines].join('\n');
}
