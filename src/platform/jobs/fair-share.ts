import { Pool, type PoolClient, type QueryResult } from 'pg';
import type { AppLogger } from '../logging/app-logger.js';
import { JOBS_SCHEMA } from '../database/jobs-schema.js';
import { LIVE_WORKERS } from './job-keeper.js';

/** On whose behalf a job runs. */
export interface JobOwner {
  readonly userId: string | null;
  readonly organizationId: string | null;
}

/** Lets only one worker process choose a job at a time. Arbitrary, but unlikely to be used by another program. */
const CHOICE_LOCK = '734520, 0';
/** The longest that a process stuck while choosing can hold up the others. */
const LOCK_TIMEOUT_MS = 500;
const LOCK_NOT_AVAILABLE = '55P03';

/** Flags of a job in graphile-worker. */
export function flagsOf({ userId, organizationId }: JobOwner): string[] {
  return [
    ...(userId === null ? [] : [`user:${userId}`]),
    ...(organizationId === null ? [] : [`organization:${organizationId}`]),
  ];
}

/**
 * Keeps the jobs of one user or organization from holding more than half of the slots of all workers, rounded up. Before
 * a slot claims a job, it determines which owners have used up their share; their jobs are skipped until one of them
 * ends. Until the job is claimed no other slot of any process may choose, or two slots could exceed the share.
 */
export class FairShare {
  /** A single connection: slots of this process take turns using it. */
  private readonly pool: Pool;
  private chooser: PoolClient | undefined;

  /** `places`: slots of this process; all processes are assumed to have the same number. */
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
    // A lost connection is replaced at the next choice. The pool emits errors of idle clients only; the others emit their own.
    this.pool.on('error', () => undefined);
    this.pool.on('connect', (client) => void client.on('error', () => undefined));
  }

  /** Starts choosing a job and returns the flags it must not have. Must be followed by `chosen`. */
  async choose(): Promise<string[]> {
    const client = await this.pool.connect();
    this.chooser = client;
    return await this.busyFlags(client);
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

  async stop(): Promise<void> {
    await this.chosen();
    await this.pool.end();
  }

  private async busyFlags(client: PoolClient): Promise<string[]> {
    try {
      // Two statements in one round trip: the second sees what was committed while the first waited.
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
