import type { Job } from 'graphile-worker';
import type { Pool, PoolClient } from 'pg';
import { openPool } from '../database/connection.js';
import type { AppLogger } from '../logging/app-logger.js';
import { findBusyFlags, lockChoice, unlockChoice, type Slots } from './jobs.queries.js';

/** The user and organization on whose behalf a job runs. */
export interface JobOwner {
  readonly userId: string | null;
  readonly organizationId: string | null;
}

type LockedJob = Pick<Job, 'id' | 'locked_by'>;

export interface SharedSlots extends Slots {
  /** Second key of the advisory lock under which a job is chosen. */
  readonly choiceKey: number;
}

/** The longest that a process stuck while choosing can hold up the others. */
const LOCK_TIMEOUT_MS = 500;
const LOCK_NOT_AVAILABLE = '55P03';

/** How many ended jobs a process remembers; an older one that is still not removed is counted again. */
const REMEMBERED_JOBS = 100;

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
 * Keeps the jobs of one user, organization or group from holding more than half of the slots of all workers, rounded
 * up. Before a slot claims a job, it determines which of them have used up their share; their jobs are skipped until
 * one ends. Until the job is claimed no other slot of any process may choose, or two slots could exceed the share.
 */
export class FairShare {
  /** A single connection: slots of this process use it one after another. */
  private readonly pool: Pool;
  private chooser: PoolClient | undefined;
  /**
   * Jobs of this process. graphile-worker lets a slot choose its next job before the one that has ended is unlocked.
   */
  private endedJobs: readonly string[] = [];

  constructor(
    databaseUrl: string,
    private readonly shared: SharedSlots,
    private readonly logger: AppLogger,
  ) {
    this.pool = openPool({
      connectionString: databaseUrl,
      max: 1,
      idleTimeoutMillis: 0,
      lock_timeout: LOCK_TIMEOUT_MS,
      application_name: 'mrs worker',
    });
  }

  /** Starts choosing a job and returns the flags it must not have. Must be followed by `chosen`. */
  async choose(): Promise<string[]> {
    const client = await this.pool.connect();
    this.chooser = client;
    await lockChoice(client, this.shared.choiceKey).catch((error: unknown) => {
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
}
