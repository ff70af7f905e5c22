import { setTimeout as sleep } from 'node:timers/promises';
import { Logger as JobsLogger, runMigrations as migrateJobs } from 'graphile-worker';
import type { Client } from 'pg';
import { DataSource, MigrationExecutor, type QueryRunner } from 'typeorm';
import { StartError } from '../config/settings.js';
import { openPool, withClient } from './connection.js';
import { DatabaseClient } from './servers/database-client.js';
import { JOBS_SCHEMA } from './jobs-schema.js';
import { dataSourceOptions } from './data-source.js';
import { LOCKS } from './lock-numbers.js';
import { MIGRATIONS } from './migrations.js';
import { sql } from './sql.js';
import { refuseUnfinishedRestore } from './unfinished-restore.js';

const OLDEST_SERVER = 150_000;
/** Shorter than the second after which PostgreSQL looks for deadlocks: it is never a request that fails for one. */
const LOCKING_MS = 800;
const LOCK_PAUSE_MS = 700;
/** For three minutes. */
const LOCK_TRIES = 120;
/** `statement_timeout` */
const TIMED_OUT = '57014';

/** Runs all pending migrations in one transaction; processes wait for each other. Unknown migrations are refused. */
export const migrate = (url: string): Promise<void> =>
  withClient(url, { application_name: 'mrs migrate' }, async (lock) => {
    await requireUsableServer(lock);
    // While it runs, it holds the lock.
    await refuseUnfinishedRestore(lock);
    await lock.query('SELECT pg_advisory_lock($1)', [LOCKS.migration]);
    await refuseUnfinishedRestore(lock);
    await refuseUnknownSchema(lock);
    await migrateSchema(url);
    // Changes cannot be logged without the partition of their month.
    await lock.query('SELECT create_change_log_partitions(now(), 3)');
    await migrateJobSchema(url);
  });

/** Runs migrations on a separate connection, without the timeouts that apply to requests. */
export async function migrateSchema(url: string, migrations = MIGRATIONS): Promise<void> {
  const dataSource = new DataSource({
    ...dataSourceOptions({ url, poolSize: 1, entities: [] }),
    migrations,
    extra: { Client: DatabaseClient },
  });
  await dataSource.initialize();
  try {
    if (!(await dataSource.showMigrations())) return;
    const runner = dataSource.createQueryRunner();
    await lockTables(runner);
    await new MigrationExecutor(dataSource, runner).executePendingMigrations();
    await runner.commitTransaction();
  } finally {
    await dataSource.destroy();
  }
}

/**
 * Begins a transaction that holds all tables, so that requests of an older release wait until it ends. One that waited for
 * a table while it holds others could be in a deadlock with them: it gives up all and tries again.
 */
async function lockTables(runner: QueryRunner): Promise<void> {
  const tables = await sql(runner).value<string | null>`
    SELECT string_agg(oid::regclass::text, ', ' ORDER BY oid) FROM pg_class
    WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition`;
  for (let tries = 1; ; tries += 1) {
    await runner.startTransaction();
    if (tables === null) return;
    try {
      await runner.query(
        `SET LOCAL statement_timeout = ${LOCKING_MS}; LOCK TABLE ${tables}; SET LOCAL statement_timeout = 0`,
      );
      return;
    } catch (error) {
      await runner.rollbackTransaction();
      if ((error as { code?: string }).code !== TIMED_OUT) throw error;
      if (tries === LOCK_TRIES)
        throw new StartError(
          'The schema could not be upgraded: a backup or another long query uses its tables; start again when it has ended',
        );
    }
    await sleep(LOCK_PAUSE_MS);
  }
}

/** Runs those of graphile-worker, on our pool: on its own, it stops listening for errors before it has closed it. */
export async function migrateJobSchema(url: string): Promise<void> {
  const pgPool = openPool({ connectionString: url, max: 1, application_name: 'mrs migrate' });
  try {
    await migrateJobs({ pgPool, schema: JOBS_SCHEMA, logger: SILENT });
  } finally {
    await pgPool.end();
  }
}

const SILENT = new JobsLogger(() => () => undefined);

export async function requireUsableServer(client: Client): Promise<void> {
  const server = await sql(client).row<{ version: number; name: string; encoding: string; folds: boolean }>`
    SELECT current_setting('server_version_num')::int AS version, current_setting('server_version') AS name,
      current_setting('server_encoding') AS encoding, lower('Ä') = 'ä' AS folds`;
  if (server.version < OLDEST_SERVER)
    throw new StartError(`DATABASE_URL: PostgreSQL 15 or newer is required; this server is ${server.name}`);
  if (server.encoding !== 'UTF8')
    throw new StartError(`DATABASE_URL: the encoding of the database must be UTF8, not ${server.encoding}`);
  if (!server.folds)
    throw new StartError(
      'DATABASE_URL: the locale of the database only supports ASCII letters, so search could not ignore case; ' +
        'create the database with a UTF-8 locale, such as C.UTF-8 (PostgreSQL 17) or en_US.UTF-8',
    );
}

export async function refuseUnknownSchema(client: Client): Promise<void> {
  if (!(await sql(client).value<boolean>`SELECT to_regclass('migrations') IS NOT NULL`)) return;
  const known = MIGRATIONS.map(({ name }) => name);
  const [unknown] = await sql(client)<{
    name: string;
  }>`SELECT name FROM migrations WHERE name <> ALL (${known})`;
  if (unknown)
    throw new StartError(
      `The database was migrated by a newer release, or by a version before 1.0.0 (${unknown.name}); ` +
        'start that one, restore a backup, or use an empty database',
    );
}
