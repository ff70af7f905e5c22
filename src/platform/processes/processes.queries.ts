import type { EntityManager } from 'typeorm';
import { sql } from '../database/sql.js';
import type { Duration } from '../telemetry/slowest.js';

export type ProcessRole = 'api' | 'worker';

/** A process that registers itself. */
export interface OwnProcess {
  readonly id: string;
  readonly host: string;
  readonly pid: number;
  readonly role: ProcessRole;
  readonly version: string;
  /** How long it has been running, in seconds: clocks of hosts differ, so that only the database tells the time. */
  readonly uptime: number;
  readonly slowest: readonly Duration[];
}

/** Holds for a process that has missed several heartbeats: it is gone, or cannot reach the database. */
export const IS_STALE = sql`seen_at < now() - interval '45 s'`;

/** Writes that the process runs, and removes those that it has replaced on its host, and old ones. */
export async function writeHeartbeat(manager: EntityManager, own: OwnProcess): Promise<void> {
  const { id, host, pid, role, version, uptime, slowest } = own;
  const startedAt = sql`now() - make_interval(secs => ${uptime}::float8)`;
  await sql(manager)`
    WITH gone AS (
      DELETE FROM processes WHERE seen_at < now() - interval '1 day' OR ${IS_STALE}
        AND host = ${host}::text AND role = ${role}::text AND seen_at < ${startedAt})
    INSERT INTO processes (id, host, pid, role, version, started_at, seen_at, slowest)
    VALUES (${id}::uuid, ${host}::text, ${pid}::int, ${role}::text, ${version}, ${startedAt}, now(), ${JSON.stringify(slowest)}::jsonb)
    ON CONFLICT (id) DO UPDATE SET seen_at = now(), slowest = excluded.slowest`;
}

export async function removeProcess(manager: EntityManager, id: string): Promise<void> {
  await sql(manager)`DELETE FROM processes WHERE id = ${id}::uuid`;
}
