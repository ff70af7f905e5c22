import type { Client, ClientBase, Pool } from 'pg';
import type { EntityManager } from 'typeorm';
import { JOBS_SCHEMA } from '../database/jobs-schema.js';
import { LOCK_CLASSES } from '../database/lock-numbers.js';
import { type Database, type Sql, sql } from '../database/sql.js';
import { runPreparedOn } from '../database/prepared-query.js';

/** A worker that has just started may claim its first job before it has taken its lock. */
const GRACE = `interval '3 s'`;

const JOBS = (): string => `${JOBS_SCHEMA}.jobs`;

const WORKER_LOCKS = sql`pg_locks WHERE locktype = 'advisory' AND granted AND classid = ${() => String(LOCK_CLASSES.worker)}
  AND objsubid = 2 AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;

/** Whether the worker that has locked a job is running. */
const IS_WORKER_ALIVE = sql`EXISTS (SELECT FROM ${WORKER_LOCKS} AND objid = (hashtext(locked_by)::bigint & 4294967295))`;

/** Each worker process holds its locks on one connection. */
const LIVE_WORKERS = sql`SELECT count(DISTINCT pid) FROM ${WORKER_LOCKS}`;

/** Jobs of these tasks run in the slots; all processes are assumed to have the same number. */
export interface Slots {
  readonly tasks: readonly string[];
  /** The slots of one process. */
  readonly slots: number;
}

const slotsOfAll = ({ slots }: Slots): Sql => sql`${slots}::int * greatest(1, (${LIVE_WORKERS}))`;

/** The flags of the owners and groups that have used up their share, by the locked jobs that `counted` holds for. */
const busyFlags = (shared: Slots, counted: Sql): Sql => sql`SELECT flag
  FROM ${JOBS}, jsonb_object_keys(flags) AS flag
  WHERE locked_at IS NOT NULL AND task_identifier = ANY (${shared.tasks}::text[]) AND ${counted}
  GROUP BY flag HAVING count(*) >= ceil(${slotsOfAll(shared)} / 2.0)`;

/** Takes the lock under which a slot of a lane chooses a job. */
export async function lockChoice(client: ClientBase, choiceKey: number): Promise<void> {
  await sql(client)`SELECT pg_advisory_lock(${LOCK_CLASSES.choice}, ${choiceKey})`;
}

export async function unlockChoice(client: ClientBase): Promise<void> {
  await sql(client)`SELECT pg_advisory_unlock_all()`;
}

/** Returns the flags of owners and groups that have used up their share. `endedJobs`, as `id@worker`, do not count. */
export async function findBusyFlags(
  client: ClientBase,
  shared: Slots,
  endedJobs: readonly string[],
): Promise<string[]> {
  const isCounted = sql`concat(id, '@', locked_by) <> ALL (${endedJobs}::text[])`;
  // Prepared, as planning takes longer than the rest.
  const rows = await runPreparedOn<{ flag: string }>(client, 'busy-flags', busyFlags(shared, isCounted));
  return rows.map(({ flag }) => flag);
}

/** Whether a due job with a lower priority number would get the slot of the job `id`, as none is free for it. */
export async function isOutranked(
  pool: Pool,
  shared: Slots,
  { id, priority }: { readonly id: string; readonly priority: number },
): Promise<boolean> {
  const { tasks } = shared;
  const running = sql`SELECT count(*) FROM ${JOBS} WHERE locked_at IS NOT NULL AND task_identifier = ANY (${tasks}::text[])`;
  return sql(pool).value<boolean>`
    SELECT EXISTS (
      SELECT FROM ${JOBS}
      WHERE task_identifier = ANY (${tasks}::text[]) AND priority < ${priority}::int AND run_at <= now()
        AND locked_at IS NULL AND attempts < max_attempts
        AND ((${running}) >= ${slotsOfAll(shared)} OR flags ?| ARRAY(${busyFlags(shared, sql`true`)}))
        AND (flags ?| ARRAY(${busyFlags(shared, sql`id <> ${id}::bigint`)})) IS NOT TRUE
    )`;
}

/** Takes the lock of each worker of a process, until its connection is closed. */
export async function lockWorkers(client: Client, workerIds: readonly string[]): Promise<void> {
  await sql(client)`
    SELECT pg_advisory_lock(${LOCK_CLASSES.worker}, hashtext(id)) FROM unnest(${workerIds}::text[]) AS id`;
}

/** Whether any worker holds its lock. */
export const hasWorkers = (database: Database): Promise<boolean> =>
  sql(database).value<boolean>`SELECT (${LIVE_WORKERS}) > 0`;

/** `waiting`: seconds that the oldest of the jobs that could run has been due. */
export const findQueueState = (
  manager: EntityManager,
): Promise<{ readonly hasWorker: boolean; readonly waiting: number }> => sql(manager).row`
  SELECT (${LIVE_WORKERS}) > 0 AS "hasWorker", coalesce(extract(epoch FROM now() - min(run_at)), 0)::float8 AS waiting
  FROM ${JOBS} WHERE locked_at IS NULL AND attempts < max_attempts AND run_at <= now()`;

/** Returns the workers that have locked jobs but no longer hold a lock, other than `workerIds`. */
export async function findDeadWorkers(client: Client, workerIds: readonly string[]): Promise<string[]> {
  const rows = await sql(client)<{ worker: string }>`
    SELECT DISTINCT locked_by AS worker FROM ${JOBS}
      WHERE locked_by <> ALL (${workerIds}::text[]) AND locked_at < now() - ${() => GRACE} AND NOT ${IS_WORKER_ALIVE}`;
  return rows.map(({ worker }) => worker);
}

/** Whether a job of these tasks is running, or was chosen to. */
export const isAnyRunning = (client: Client, tasks: readonly string[]): Promise<boolean> =>
  sql(client).value<boolean>`
    SELECT EXISTS (
      SELECT FROM ${JOBS}
      WHERE task_identifier = ANY (${tasks}::text[]) AND (locked_at > now() - ${() => GRACE} OR locked_at IS NOT NULL
        AND ${IS_WORKER_ALIVE}))`;

export async function unlockWorkers(client: Client, dead: readonly string[]): Promise<void> {
  await sql(client)`SELECT ${() => JOBS_SCHEMA}.force_unlock_workers(${dead}::text[])`;
}

/** Returns the jobs of these tasks that have used up their attempts; those that a newer one has replaced have no key. */
export const findExhaustedJobs = async (
  client: Client,
  tasks: readonly string[],
): Promise<{ readonly id: string; readonly key: string | null; readonly task: string }[]> => sql(client)`
    SELECT id, key, task_identifier AS task FROM ${JOBS}
      WHERE task_identifier = ANY (${tasks}::text[]) AND attempts >= max_attempts AND locked_at IS NULL`;

export async function completeJob(client: Client | EntityManager, id: string): Promise<void> {
  await sql(client)`SELECT ${() => JOBS_SCHEMA}.complete_jobs(${[id]}::bigint[])`;
}

/** Removes the jobs of a task that have used up their attempts. */
export async function removeFailedJobs(client: ClientBase, task: string): Promise<void> {
  await sql(client)`
    SELECT ${() => JOBS_SCHEMA}.complete_jobs(ARRAY(SELECT id FROM ${JOBS}
      WHERE task_identifier = ${task}::text AND attempts >= max_attempts AND locked_at IS NULL))`;
}
