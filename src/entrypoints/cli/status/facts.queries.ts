import type { EntityManager } from 'typeorm';
import { INSTANCE } from '../../../modules/health/instance.queries.js';
import { JOBS_SCHEMA } from '../../../platform/database/jobs-schema.js';
import { MIGRATIONS } from '../../../platform/database/migrations.js';
import { sql } from '../../../platform/database/sql.js';
import { JOB_STATE } from '../../../platform/jobs/operator-jobs.queries.js';
import { IS_STALE, type OwnProcess } from '../../../platform/processes/processes.queries.js';

interface DatabaseFacts {
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
  return sql(manager).row<DatabaseFacts>`
    SELECT current_setting('server_version') AS version,
      ${INSTANCE} AS instance,
      pg_database_size(current_database())::float8 AS bytes,
      (SELECT count(*)::int FROM users WHERE service_of IS NULL) AS users,
      (SELECT count(*)::int FROM organizations WHERE deleted_at IS NULL) AS organizations,
      (SELECT coalesce(sum(stored_bytes), 0)::float8 FROM recordings) AS "storedBytes",
      ARRAY(SELECT name FROM unnest(${names}::text[]) AS name WHERE name NOT IN (SELECT m.name FROM migrations m))
        AS "pendingMigrations"`;
}

/** Jobs of a kind, or of all kinds together. */
export interface QueueFacts {
  /** Null: all. */
  readonly kind: string | null;
  readonly running: number;
  /** Could run now. */
  readonly waiting: number;
  readonly scheduled: number;
  /** Have used up their attempts. */
  readonly failed: number;
  /** Seconds that the oldest of those that wait has been due. */
  readonly waitingFor: number | null;
}

/** All kinds together come first. */
export const readQueues = (manager: EntityManager): Promise<QueueFacts[]> => sql(manager)<QueueFacts>`
    SELECT kind, count(*) FILTER (WHERE state = 'running')::int AS running,
      count(*) FILTER (WHERE state = 'waiting')::int AS waiting,
      count(*) FILTER (WHERE state = 'scheduled')::int AS scheduled, count(*) FILTER (WHERE state = 'failed')::int AS failed,
      extract(epoch FROM now() - min(run_at) FILTER (WHERE state = 'waiting'))::float8 AS "waitingFor"
    FROM (SELECT task_identifier AS kind, run_at, ${JOB_STATE} AS state FROM ${() => JOBS_SCHEMA}.jobs) AS jobs
    GROUP BY ROLLUP (kind) ORDER BY kind NULLS FIRST`;

/** A process on any host. */
export interface ProcessFacts extends Omit<OwnProcess, 'id' | 'uptime' | 'slowest'> {
  readonly startedAt: string;
  /** Seconds; null while it is running. */
  readonly notSeenFor: number | null;
}

interface InstallationFacts {
  readonly processes: readonly ProcessFacts[];
  /** What took longest on all hosts in the last hour, ten of each kind; times in milliseconds. */
  readonly slowest: readonly { kind: string; name: string; count: number; mean: number; longest: number }[];
  /** The last backup by `mrs backup`, on any host. `media`: with media files. `problems`: of these, were damaged. */
  readonly backup: { finishedAt: string; host: string; media: boolean; problems: number } | null;
  /** Of the audit log. */
  readonly sealedAt: string | null;
}

/** Reads what only a database of this release knows. */
export const readInstallation = (manager: EntityManager): Promise<InstallationFacts> =>
  sql(manager).row<InstallationFacts>`
    SELECT (SELECT coalesce(json_agg(p), '[]') FROM (
        SELECT host, pid, role, version, started_at AS "startedAt",
          CASE WHEN ${IS_STALE} THEN extract(epoch FROM now() - seen_at) END AS "notSeenFor"
        FROM processes ORDER BY role, host, started_at LIMIT 500) AS p) AS processes,
      (SELECT coalesce(json_agg(s), '[]') FROM (
        SELECT kind, name, count, mean, longest FROM (
          SELECT kind, name, sum(count) AS count, round(sum(total) / sum(count)) AS mean, ceil(max(longest)) AS longest,
            row_number() OVER (PARTITION BY kind ORDER BY sum(total) / sum(count) DESC, name) AS rank
          FROM processes, jsonb_to_recordset(slowest) AS d (kind text, name text, count int, total numeric, longest numeric)
          WHERE seen_at > now() - interval '1 hour' GROUP BY kind, name) AS ranked
        WHERE rank <= 10 ORDER BY kind, rank) AS s) AS slowest,
      (SELECT json_build_object('finishedAt', finished_at, 'host', host, 'media', media, 'problems', problems)
        FROM backups) AS backup,
      (SELECT to_json(sealed_at) FROM audit_seals WHERE row_ids IS NOT NULL ORDER BY to_at DESC LIMIT 1) AS "sealedAt"`;
