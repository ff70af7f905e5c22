import type { Job } from 'graphile-worker';
import type { Pool, PoolClient } from 'pg';
import { openPool } from '../database/connection.js';
import { sql } from '../database/sql.js';
import type { AppLogger } from '../logging/app-logger.js';
import { findBusyFlags, lockChoice, unlockChoice, type Slots } from './jobs.queries.js';

/** The user and organization on whose behalf a job runs. */
export interface JobOwner {
  readonly userId: string | null;
  readonly organizationId: string | null;
}

type LockedJob = Pick<Job, 'id' | 'locked_by'>;

/** The longest that a process stuck while choosing can hold up the others. */
const LOCK_TIMEOUT_MS = 500;
const LOCK_NOT_AVAILABLE = '55P03';

/** Where jobs are chosen, for one lane or for several in turn. */
export const openChoosingPool = (url: string): Pool =>
  openPool({
    connectionString: url,
    max: 1,
    idleTimeoutMillis: 0,
    onConnect: (client) => sql(client)`SET lock_timeout = ${() => String(LOCK_TIMEOUT_MS)}`,
    application_name: 'mrs worker',
  });

/** How many ended jobs a process remembers; an older one that is still not removed is counted again. */
const REMEMBERED_JOBS = 100;

/** Another process that runs the job again locks it under its own name. */
const lockOf = ({ id, locked_by }: LockedJob): string => `${id}@${locked_by}`;

/**
 * Keeps the jobs of one user, organization or group from holding more than half of the slots of all workers, rounded
 * up: before a slot claims a job, it finds out which have used up their share. Until then no other slot of any process
 * may choose, or two could exceed the share.
 */
export class FairShare {
  private chooser: PoolClient | undefined;
  /** graphile-worker lets a slot choose its next job before the one that has ended is unlocked. */
  private endedJobs: readonly string[] = [];

  constructor(
    /** Of a single connection: slots of this process use it one after another. */
    private readonly pool: Pool,
    private readonly shared: Slots,
    /** Second key of the advisory lock under which a job is chosen. */
    private readonly choiceKey: number,
    private readonly logger: AppLogger,
  ) {}

  /** Starts choosing a job and returns the flags it must not have. Must be followed by `chosen`. */
  async choose(): Promise<string[]> {
    const client = await this.pool.connect();
    this.chooser = client;
    await lockChoice(client, this.choiceKey).catch((error: unknown) => {
      if ((error as { code?: string } | null)?.code !== LOCK_NOT_AVAILABLE) throw error;
    });
    // A statement of its own: it sees what was committed while the lock was waited for.
    return findBusyFlags(client, this.shared, this.endedJobs);
  }

  /** Ends the choice, whether or not a job was found. */
  async chosen(): Promise<void> {
    const client = this.chooser;
    if (!client) return;
    this.chooser = undefined;
    try {
      await unlockChoice(client);
      client.release();
    } catch (error) {
      // The lock is gone with the connection.
      client.release(true);
      if (!this.logger.outage(error))
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
}
