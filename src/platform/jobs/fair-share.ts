import { Pool, type PoolClient, type QueryResult } from 'pg';
import type { AppLogger } from '../logging/app-logger.js';
import { JOBS_SCHEMA } from '../database/jobs-schema.js';
import { LIVE_WORKERS } from './job-keeper.js';

/** Whom a job is done for. */
export interface JobOwner {
  readonly userId: string | null;
  readonly organizationId: string | null;
}

/** Lets one worker process of all choose a job at a time; any number that no other program is likely to use. */
const CHOICE_LOCK = '734520, 0';
/** A process that stands still while it chooses holds up the others for no longer. */
const LOCK_TIMEOUT_MS = 500;
const LOCK_NOT_AVAILABLE = '55P03';

/** As graphile-worker stores them with a job. */
export function flagsOf({ userId, organizationId }: JobOwner): string[] {
  return [
    ...(userId === null ? [] : [`user:${userId}`]),
    ...(organizationId === null ? [] : [`organization:${organizationId}`]),
  ];
}

/**
 * Keeps the jobs of one user or organization from holding more than half of the places of all workers, rounded up. Before a place
 * looks for a job it asks which owners hold their share; jobs of theirs are passed over until one of them ends. Between the
 * question and the choice no other place chooses, here or in another process, or two of them could take the last one.
 */
export class FairShare {
  /** One connection: places of this process wait for it in turn. */
  private readonly pool: Pool;
  private chooser: PoolClient | undefined;

  /** `places` of this process; all are taken to have as many. */
  constructor(
    databaseUrl: string,
    private readonly places: number,
    private readonly logger: AppLogger,
  ) {
    this.pool = new Pool({
      connectionString: databaseUrl,
      max: 1,
      idleTimeoutMillis: 0,
      lock_timeout: LOCK_TIMEOUT_MS,
      application_name: 'mrs worker',
    });
    // A lost connection is replaced at the next choice. The pool reports only idle ones; those in use report themselves.
    this.pool.on('error', () => undefined);
    this.pool.on('connect', (client) => void client.on('error', () => undefined));
  }

  /** Begins the choice of a job: the flags that it must not have. `chosen` has to follow. */
  async choose(): Promise<string[]> {
    const client = await this.pool.connect();
    this.chooser = client;
    return await this.busyFlags(client);
  }

  /** Ends the choice, whatever came of it. */
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
      this.logger.warn({ err: error }, 'the connection for choosing jobs was lost; trying again');
    }
  }

  async stop(): Promise<void> {
    await this.chosen();
    await this.pool.end();
  }

  private async busyFlags(client: PoolClient): Promise<string[]> {
    try {
      // Two statements in one message: the second sees what was committed while the first waited.
      const results = await client.query(`SELECT pg_advisory_lock(${CHOICE_LOCK}); ${this.busyFlagsSql()}`);
      return toFlags((results as unknown as QueryResult<{ flag: string }>[])[1]);
    } catch (error) {
      if (!isLockTimeout(error)) throw error;
      return toFlags(await client.query<{ flag: string }>(this.busyFlagsSql()));
    }
  }

  private busyFlagsSql(): string {
    return `WITH held AS (
        SELECT flag, count(*) AS places FROM ${JOBS_SCHEMA}.jobs, jsonb_object_keys(flags) AS flag
        WHERE locked_at IS NOT NULL GROUP BY flag
      )
      SELECT flag FROM held WHERE places >= ceil(${this.places} * greatest(1, (${LIVE_WORKERS})) / 2.0)`;
  }
}

const toFlags = (result: QueryResult<{ flag: string }> | undefined): string[] =>
  (result?.rows ?? []).map(({ flag }) => flag);

const isLockTimeout = (error: unknown): boolean =>
  (error as { code?: string } | null)?.code === LOCK_NOT_AVAILABLE;
