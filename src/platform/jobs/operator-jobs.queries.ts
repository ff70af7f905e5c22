import type { EntityManager } from 'typeorm';
import { JOBS_SCHEMA } from '../database/jobs-schema.js';
import { joined, sql } from '../database/sql.js';

/** `failed`: it has used up its attempts. `scheduled`: it runs later, perhaps again after a failure. */
export const JOB_STATES = ['running', 'waiting', 'scheduled', 'failed'] as const;

/** A job as operators see it. */
export interface OperatorJob {
  readonly id: string;
  readonly kind: string;
  readonly state: (typeof JOB_STATES)[number];
  readonly attempts: number;
  readonly maxAttempts: number;
  readonly runAt: Date;
  readonly createdAt: Date;
  readonly lastError: string | null;
  readonly key: string | null;
  readonly recordingId: string | null;
  /** Id of the request that caused it; null if it was none, or is not known. */
  readonly requestId: string | null;
  readonly payload: unknown;
}

export type JobFilter = Partial<Pick<OperatorJob, 'id' | 'kind' | 'state'>>;

/** That of a row of `jobs`. */
export const JOB_STATE = sql`CASE WHEN locked_at IS NOT NULL THEN 'running' WHEN attempts >= max_attempts THEN 'failed'
  WHEN run_at <= now() THEN 'waiting' ELSE 'scheduled' END`;

/** Finds jobs, in the order in which they are due. The payload is only in a table that graphile-worker calls private. */
export const findJobs = (
  manager: EntityManager,
  { id, kind, state }: JobFilter,
  limit: number,
): Promise<OperatorJob[]> => sql(manager)<OperatorJob>`
    SELECT id::text AS id, task_identifier AS kind, ${JOB_STATE} AS state, attempts, max_attempts AS "maxAttempts",
      run_at AS "runAt", created_at AS "createdAt", last_error AS "lastError", key,
      payload ->> 'recordingId' AS "recordingId", payload -> '_cause' ->> 'requestId' AS "requestId",
      payload::jsonb - '_cause' AS payload
    FROM ${() => JOBS_SCHEMA}.jobs JOIN (SELECT id, payload FROM ${() => JOBS_SCHEMA}._private_jobs) AS p USING (id)
    WHERE ${joined(
      [
        sql`true`,
        id !== undefined && sql`id = ${id}::bigint`,
        kind !== undefined && sql`task_identifier = ${kind}::text`,
        state !== undefined && sql`${JOB_STATE} = ${state}::text`,
      ],
      ' AND ',
    )}
    ORDER BY run_at, id LIMIT ${limit}::bigint`;

/** Makes jobs due now, with all their attempts. Returns how many; those that are running are left alone. */
export async function retryJobs(manager: EntityManager, ids: readonly string[]): Promise<number> {
  const rows = await sql(manager)`
    SELECT FROM ${() => JOBS_SCHEMA}.reschedule_jobs(${ids}::bigint[], run_at => now(), attempts => 0)`;
  return rows.length;
}

/** Keeps a job from running again. Returns false if it is running. */
export async function useUpAttempts(manager: EntityManager, id: string): Promise<boolean> {
  const rows = await sql(manager)`
    SELECT FROM ${() => JOBS_SCHEMA}.permanently_fail_jobs(${[id]}::bigint[], 'Dropped by an operator')`;
  return rows.length > 0;
}
