import { DataSource, type QueryRunner } from 'typeorm';
import { singleLine } from '../../../lib/text.js';
import { withClient } from '../../../platform/database/connection.js';
import { dataSourceOptions } from '../../../platform/database/data-source.js';
import { LOCKS } from '../../../platform/database/lock-numbers.js';
import { refuseUnknownSchema } from '../../../platform/database/migrate.js';
import {
  findLosses,
  migrationsAfter,
  undoMigrations,
  type Loss,
} from '../../../platform/database/rollback.js';
import { type Database, sql } from '../../../platform/database/sql.js';
import { refuseUnfinishedRestore } from '../../../platform/database/unfinished-restore.js';
import { IS_STALE } from '../../../platform/processes/processes.queries.js';
import { refused, usageError } from '../exit-status.js';
import { placeOf, withDatabaseServer } from '../host.js';
import { notice, print, type Output } from '../output.js';
import { confirm, type Confirmable } from '../prompts.js';

/** `RAISE EXCEPTION` of a migration that cannot be taken back. */
const RAISED = 'P0001';

export async function rollBack(release: string, options: Output & Confirmable): Promise<void> {
  const newer = migrationsAfter(release);
  if (newer === null) throw usageError(`release: there was none before 1.0.0, and no ${release}`);
  await withDatabaseServer(async ({ settings, url }) => {
    const place = placeOf(settings);
    const losses = await withClient(url, { application_name: 'mrs rollback' }, async (client) => {
      if (!(await sql(client).value<boolean>`SELECT pg_try_advisory_lock(${LOCKS.migration}::bigint)`))
        throw refused('A service is starting on this database, or it is being restored');
      await refuseUnfinishedRestore(client);
      await refuseUnknownSchema(client);
      await requireStopped(client);
      const applied = await sql(client).value<string[]>`SELECT array_agg(name::text) FROM migrations`;
      const undone = newer.filter(({ name }) => applied.includes(name));
      if (undone.length === 0) return null;
      return withRunner(url, async (runner) => {
        const found = await findLosses(runner, undone);
        notice(textOf(found, release));
        await confirm(`Take the database in ${place} back to release ${release}`, options);
        await runner.startTransaction();
        await undoMigrations(runner, undone);
        await runner.commitTransaction();
        return found;
      });
    });
    const next = `Start release ${release} now: a start of this one would upgrade it again.`;
    const plain =
      losses === null
        ? `The database in ${place} has nothing that release ${release} does not know. Nothing was changed.`
        : `The database in ${place} is that of release ${release}. ${next}`;
    print(options, { release, changed: losses !== null, lost: losses ?? [] }, plain);
  });
}

/** With processes of the newer release, which would fail. Those of older releases do not register. */
async function requireStopped(client: Database): Promise<void> {
  if (!(await sql(client).value<boolean>`SELECT to_regclass('processes') IS NOT NULL`)) return;
  const running = await sql(client)<{ role: string; host: string; pid: number }>`
    SELECT role, host, pid FROM processes WHERE NOT ${IS_STALE} ORDER BY host, pid LIMIT 20`;
  if (running.length === 0) return;
  const listed = running.map(({ role, host, pid }) => `${role} on ${singleLine(host)} (process ${pid})`);
  throw refused(
    `The service is running: ${listed.join(', ')}. Stop it first; a process that was killed counts as running for up to a minute`,
  );
}

/** Runs `work` on a connection without time limits. What has not been committed is rolled back with it. */
async function withRunner<Result>(
  url: string,
  work: (runner: QueryRunner) => Promise<Result>,
): Promise<Result> {
  const options = { ...dataSourceOptions({ url, poolSize: 1, entities: [] }), extra: {} };
  const dataSource = await new DataSource(options).initialize();
  try {
    return await work(dataSource.createQueryRunner());
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    throw code === RAISED ? refused(`Nothing was changed: ${message}. Restore a backup instead.`) : error;
  } finally {
    await dataSource.destroy();
  }
}

const KINDS: Readonly<Record<Loss['kind'], string>> = {
  table: 'rows, a table that it does not have',
  column: 'values, a column that it does not have',
  deleted: 'rows that it cannot have',
  changed: 'rows are changed to what it can have',
};

function textOf(losses: readonly Loss[], release: string): string {
  if (losses.length === 0) return `Release ${release} loses nothing.`;
  const lines = losses.map(({ kind, name, rows }) => `  ${name}: ${rows} (${KINDS[kind]})`);
  return [`Going back to release ${release} loses:`, ...lines].join('\n');
}
