import type { Job } from 'graphile-worker';
import { Pool, type PoolClient } from 'pg';
import type { AppLogger } from '../logging/app-logger.js';
import { JOBS_SCHEMA } from '../database/jobs-schema.js';
import { LIVE_WORKERS } from './job-keeper.js';

/** On whose behalf a job runs. */
export interface JobOwner {
  readonly userId: string | null;
  readonly organizationId: string | null;
}

type LockedJob = Pick<Job, 'id' | 'locked_by'>;

/** The slots that are shared. */
export interface SharedSlots {
  /** Jobs of these tasks run in the slots. */
  readonly tasks: readonly string[];
  /** Slots of this process; all processes are assumed to have the same number. */
  readonly slots: number;
  readonly choiceKey: number;
}

/** First key of the lock that lets only one worker process choose a job at a time. Arbitrary, but unlikely to be used by another program. */
const CHOICE_LOCK_CLASS = 734_520;
/** The longest that a process stuck while choosing can hold up the others. */
const LOCK_TIMEOUT_MS = 500;
const LOCK_NOT_AVAILABLE = '55P03';

/** How many ended jobs a process remembers; an older one that is still not removed is counted again. */
const REMEMBERED_JOBS = 100;

/** SQL for the number of slots of all processes. $2: of one. */
export const SLOTS_OF_ALL = `$2::int * greatest(1, (${LIVE_WORKERS}))`;

/**
 * SQL for the flags of the owners and groups that have used up their share, by the locked jobs that `counted` holds for.
 * $1: tasks that run in the slots; $2: slots of one process.
 */
export const busyFlags = (counted: string): string => `SELECT flag
  FROM ${JOBS_SCHEMA}.jobs, jsonb_object_keys(flags) AS flag
  WHERE locked_at IS NOT NULL AND task_identifier = ANY ($1::text[]) AND ${counted}
  GROUP BY flag HAVING count(*) >= ceil(${SLOTS_OF_ALL} / 2.0)`;

/** $3: ended jobs as in `lockOf`. */
const BUSY_FLAGS = busyFlags(`concat(id, '@', locked_by) <> ALL ($3::text[])`);
/** Another process that runs the job again locks it under its own name. */
const lockOf = ({ id, locked_by }: LockedJob): string => `${id}@${locked_by}`;

/** Flags of a job in graphile-worker. */
export function flagsOf({ userId, organizationId }: JobOwner): string[] {
  return [
    ...(userId === null ? [] : [`user:${userId}`]),
    ...(organizationId === null ? [] : [`organization:${organizationId}`]),
  ];
}

/**
 * Keeps the jobs of one user, organization or group from holding more than half of the slots of all workers, rounded up.
 * Before a slot claims a job, it determines which of them have used up their share; their jobs are skipped until one
 * ends. Until the job is claimed no other slot of any process may choose, or two slots could exceed the share.
 */
export class FairShare {
  /** A single connection: slots of this process take turns using it. */
  private readonly pool: Pool;
  private chooser: PoolClient | undefined;
  /** Jobs of this process. graphile-worker lets a slot choose its next job before the one that has ended is unlocked. */
  private endedJobs: readonly string[] = [];

  constructor(
    databaseUrl: string,
    private readonly shared: SharedSlots,
    private readonly logger: AppLogger,
  ) {
    this.pool = new Pool({
      connectionString: databaseUrl,
      max: 1,
      idleTimeoutMillis: 0,
      lock_timeout: LOCK_TIMEOUT_MS,
      application_name: 'mrs worker',
    });
    // A lost connection is replaced at the next choice. The pool emits errors of idle clients only; the others emit their own.
    this.pool.on('error', () => undefined);
    this.pool.on('connect', (client) => void client.on('error', () => undefined));
  }

  /** Starts choosing a job and returns the flags it must not have. Must be followed by `chosen`. */
  async choose(): Promise<string[]> {
    const client = await this.pool.connect();
    this.chooser = client;
    await this.lock(client);
    // A statement of its own: it sees what was committed while the lock was waited for.
    const { tasks, slots } = this.shared;
    const { rows } = await client.query<{ flag: string }>({
      // Prepared, as planning takes longer than the rest.
      name: 'busy-flags',
      text: BUSY_FLAGS,
      values: [tasks, slots, this.endedJobs],
    });
    return rows.map(({ flag }) => flag);
  }

  /** Ends the choice, whether or not a job was found. */
  async chosen(): Promise<void> {
    const client = this.chooser;
    if (!client) return;
    this.chooser = undefined;
    try {
      await client.query('SELECT pg_advisory_unlock_all()');
      client.release();
    } catch (error) {
      // The lock is gone with the connection.
      client.release(true);
      this.logger.warn({ err: error }, 'lost the connection for choosing jobs; retrying');
    }
  }

  /** The job takes up its owner's share, perhaps again after a failure. Must be called before the next choice. */
  started(job: LockedJob): void {
    this.endedJobs = this.endedJobs.filter((ended) => ended !== lockOf(job));
  }

  /** The job no longer takes up its owner's share. */
  ended(job: LockedJob): void {
    this.endedJobs = [...this.endedJobs, lockOf(job)].slice(-REMEMBERED_JOBS);
  }

  async stop(): Promise<void> {
    await this.chosen();
    await this.pool.end();
  }

  private async lock(client: PoolClient): Promise<void> {
    try {
      await client.query('SELECT pg_advisory_lock($1, $2)', [CHOICE_LOCK_CLASS, this.shared.choiceKey]);
    } catch (error) {
      if (!isLockTimeout(error)) throw error;
    }
  }
}

const isLockTimeout = (error: unknown): boolean =>
  (error as { code?: string } | null)?.code === LOCK_NOT_AVAILABLE;
