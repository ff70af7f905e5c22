import type { EntityManager } from 'typeorm';
import { JOBS_SCHEMA } from '../database/jobs-schema.js';
import { runPrepared } from '../database/prepared-query.js';
import { type Sql, sql } from '../database/sql.js';
import type { JobOwner } from './fair-share.js';
import { withCause } from './job-cause.js';

export interface JobOptions<Payload = unknown> {
  /** Earliest start. */
  readonly runAt?: Date;
  /** Due jobs with the lowest number run first. Default: 0. */
  readonly priority?: number;
  /** Number of failures after which the job is not retried. */
  readonly maxAttempts?: number;
  /** Replaces a waiting job with the same key, so that there is at most one. Several payloads need a key each. */
  readonly key?: string | ((payload: Payload) => string);
  /** Leaves a waiting job with the same key where it is in time, so that jobs enqueued often still run. */
  readonly keepsRunAt?: true;
  /** Set for heavy work: each user and each organization holds at most half of all slots of a lane, rounded up. */
  readonly owner?: JobOwner;
  /** Jobs of the same group, of all users together, hold at most half of all slots of a lane, rounded up. */
  readonly group?: string;
  /** Adds the number of the owner's unfinished jobs, up to 50: another user's first runs before their second. */
  readonly afterOwn?: true;
}

const MAX_ATTEMPTS = 25;
/** The most that `afterOwn` adds to a priority. */
const MAX_OWN = '50';

/** Writes a job for each payload; one enqueued again is not counted as the owner's. Prepared: half the time. */
export async function addJobs<Payload>(
  manager: EntityManager,
  task: string,
  payloads: readonly Payload[],
  options: JobOptions<Payload> = {},
): Promise<void> {
  const { runAt = new Date(), maxAttempts = MAX_ATTEMPTS, priority = 0, key, owner, group } = options;
  const keys = typeof key === 'function' ? payloads.map(key) : key === undefined ? null : [key];
  const keyMode = options.keepsRunAt ? 'preserve_run_at' : 'replace';
  const ownFlags = owner ? flagsOf(owner) : [];
  const flags = group === undefined ? ownFlags : [...ownFlags, `group:${group}`];
  const [counted] = options.afterOwn ? ownFlags : [];
  const added = counted === undefined ? sql`` : sql` + ${ownJobs(task, counted, keys ?? [])}`;
  await runPrepared(
    manager,
    counted === undefined ? 'add-jobs' : 'add-own-jobs',
    sql`SELECT ${() => JOBS_SCHEMA}.add_job(${task}::text, ${withCause(sql`payload`)}, run_at => ${runAt}::timestamptz,
          max_attempts => ${maxAttempts}::int, job_key => (${keys}::text[])[nth], job_key_mode => ${keyMode}::text, priority => ${priority}::int${added},
          flags => ${flags.length > 0 ? flags : null}::text[])
       FROM json_array_elements(${JSON.stringify(payloads)}::json) WITH ORDINALITY AS new(payload, nth)`,
  );
}

/** How many unfinished jobs with the flag of the owner there are before the `nth` of the new ones. */
function ownJobs(task: string, flag: string, keys: readonly string[]): Sql {
  // A list of its own: the text of the statement is the same with keys and without.
  const own = sql`SELECT count(*) FROM (
      SELECT FROM ${() => JOBS_SCHEMA}.jobs
      WHERE task_identifier = ${task}::text AND flags ? ${flag}::text AND (attempts < max_attempts OR locked_at IS NOT NULL)
        AND (key = ANY (${[...keys]}::text[])) IS NOT TRUE
      LIMIT ${() => MAX_OWN}
    ) AS own`;
  return sql`least(${() => MAX_OWN}, (${own}) + nth - 1)::int`;
}

/** Flags of a job in graphile-worker. */
const flagsOf = ({ userId, organizationId }: JobOwner): string[] => [
  ...(userId === null ? [] : [`user:${userId}`]),
  ...(organizationId === null ? [] : [`organization:${organizationId}`]),
];
