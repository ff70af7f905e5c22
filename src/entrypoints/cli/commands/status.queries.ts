import type { EntityManager } from 'typeorm';
import { INSTANCE } from '../../../modules/health/instance.queries.js';
import { MIGRATIONS } from '../../../platform/database/migrations.js';
import { JOBS_SCHEMA } from '../../../platform/database/jobs-schema.js';
import { run, sql } from '../../../platform/database/sql.js';
import type { RecordingStatus } from '../../../policy/recording-status.js';

export interface DatabaseFacts {
  /** Of PostgreSQL. */
  readonly version: string;
  readonly bytes: number;
  readonly instance: string;
  readonly users: number;
  readonly organizations: number;
  /** Bytes that count towards quotas. */
  readonly storedBytes: number;
  /** Migrations of this release that have not run. */
  readonly pendingMigrations: readonly string[];
}

export async function readDatabaseFacts(manager: EntityManager): Promise<DatabaseFacts> {
  const names = MIGRATIONS.map(({ name }) => name);
  const [facts] = await run<DatabaseFacts>(
    manager,
    sql`SELECT current_setting('server_version') AS version,
      ${INSTANCE} AS instance,
      pg_database_size(current_database())::float8 AS bytes,
      (SELECT count(*)::int FROM users WHERE service_of IS NULL) AS users,
      (SELECT count(*)::int FROM organizations WHERE deleted_at IS NULL) AS organizations,
      (SELECT coalesce(sum(stored_bytes), 0)::float8 FROM recordings) AS "storedBytes",
      ARRAY(SELECT name FROM unnest(${names}::text[]) AS name WHERE name NOT IN (SELECT m.name FROM migrations m))
        AS "pendingMigrations"`,
  );
  return facts!;
}

export async function countByStatus(
  manager: EntityManager,
): Promise<{ readonly status: RecordingStatus; readonly count: number }[]> {
  return manager.sql`SELECT status, count(*)::int AS count FROM recordings GROUP BY status ORDER BY count DESC, status`;
}

export interface QueueFacts {
  readonly running: number;
  /** Could run now. */
  readonly waiting: number;
  readonly scheduled: number;
  /** Have used up their attempts. */
  readonly failed: number;
  /** Seconds that the oldest of those that wait has been due. */
  readonly waitingFor: number | null;
}

export async function readQueueFacts(manager: EntityManager): Promise<QueueFacts> {
  const [facts] = await run<QueueFacts>(
    manager,
    sql`SELECT count(*) FILTER (WHERE locked_at IS NOT NULL)::int AS running,
      count(*) FILTER (WHERE locked_at IS NULL AND attempts < max_attempts AND run_at <= now())::int AS waiting,
      count(*) FILTER (WHERE locked_at IS NULL AND attempts < max_attempts AND run_at > now())::int AS scheduled,
      count(*) FILTER (WHERE locked_at IS NULL AND attempts >= max_attempts)::int AS failed,
      extract(epoch FROM now() - min(run_at)
        FILTER (WHERE locked_at IS NULL AND attempts < max_attempts AND run_at <= now()))::float8 AS "waitingFor"
    FROM ${() => JOBS_SCHEMA}.jobs`,
  );
  return facts!;
}
