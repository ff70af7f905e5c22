import { Client } from 'pg';
import type { AppLogger } from '../logging/app-logger.js';
import { JOBS_SCHEMA } from '../database/jobs-schema.js';

const ROUND_MS = 1_000;
/** A worker that has just started may claim its first job before it has taken its lock. */
const GRACE_SECONDS = 3;
/** First key of the advisory locks that workers hold. Arbitrary, but unlikely to be used by another program. */
const LOCK_CLASS = 734_519;

/** SQL that counts the worker processes running on this database. Each holds its locks on one connection. */
export const LIVE_WORKERS = `SELECT count(DISTINCT pid) FROM pg_locks
  WHERE locktype = 'advisory' AND granted AND classid = ${LOCK_CLASS} AND objsubid = 2
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;

/**
 * Recovers the jobs of dead workers. Every worker process holds an advisory lock for each of its lanes on a separate
 * connection, which PostgreSQL releases as soon as the process is gone, however it died. The remaining workers then free its
 * jobs at once; graphile-worker alone would wait four hours. Jobs that have used up their attempts are also failed here, as the worker
 * of the last attempt may be the one that died.
 */
export class JobKeeper {
  private client: Client | undefined;
  private timer: NodeJS.Timeout | undefined;
  private round: Promise<void> = Promise.resolve();
  private stopped = false;

  constructor(
    private readonly databaseUrl: string,
    /** Of every lane of this process. */
    private readonly workerIds: readonly string[],
    private readonly exhaustible: ReadonlyMap<string, (key: string) => Promise<void>>,
    private readonly logger: AppLogger,
  ) {}

  async start(): Promise<void> {
    await this.connect();
    this.scheduleNext();
  }

  async stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await this.round;
    await this.client?.end();
  }

  private scheduleNext(): void {
    if (this.stopped) return;
    this.timer = setTimeout(() => {
      this.round = this.check()
        .catch((error: unknown) => this.dropConnection(error))
        .finally(() => this.scheduleNext());
    }, ROUND_MS);
  }

  private async connect(): Promise<Client> {
    const client = new Client({ connectionString: this.databaseUrl, application_name: 'mrs worker' });
    // A lost connection is noticed by the next round.
    client.on('error', () => undefined);
    await client.connect();
    await client.query('SELECT pg_advisory_lock($1, hashtext(id)) FROM unnest($2::text[]) AS id', [
      LOCK_CLASS,
      this.workerIds,
    ]);
    this.client = client;
    return client;
  }

  /** The database was unavailable: the lock is lost with the connection; the next round takes it again. */
  private async dropConnection(error: unknown): Promise<void> {
    this.logger.warn({ err: error }, 'could not check the jobs of other workers; retrying');
    const { client } = this;
    this.client = undefined;
    // Fails if the connection is already lost; the next round opens a new one.
    client?.end(() => undefined);
  }

  private async check(): Promise<void> {
    const client = this.client ?? (await this.connect());
    await this.freeJobsOfDeadWorkers(client);
    await this.failExhausted(client);
  }

  private async freeJobsOfDeadWorkers(client: Client): Promise<void> {
    const { rows } = await client.query<{ worker: string }>(
      `SELECT DISTINCT locked_by AS worker FROM ${JOBS_SCHEMA}.jobs
       WHERE locked_by <> ALL ($1::text[]) AND locked_at < now() - interval '${GRACE_SECONDS} s' AND NOT EXISTS (
         SELECT FROM pg_locks WHERE locktype = 'advisory' AND granted AND classid = $2 AND objsubid = 2
           AND objid = (hashtext(locked_by)::bigint & 4294967295)
           AND database = (SELECT oid FROM pg_database WHERE datname = current_database()))`,
      [this.workerIds, LOCK_CLASS],
    );
    if (rows.length === 0) return;
    const dead = rows.map(({ worker }) => worker);
    await client.query(`SELECT ${JOBS_SCHEMA}.force_unlock_workers($1)`, [dead]);
    this.logger.warn({ workers: dead }, 'freed the jobs of dead workers');
  }

  private async failExhausted(client: Client): Promise<void> {
    const { rows } = await client.query<{ id: string; key: string; task: string }>(
      `SELECT id, key, task_identifier AS task FROM ${JOBS_SCHEMA}.jobs
       WHERE task_identifier = ANY ($1) AND key IS NOT NULL AND attempts >= max_attempts AND locked_at IS NULL`,
      [[...this.exhaustible.keys()]],
    );
    for (const { id, key, task } of rows) {
      await this.exhaustible.get(task)?.(key);
      await client.query(`SELECT ${JOBS_SCHEMA}.complete_jobs($1::bigint[])`, [[id]]);
    }
  }
}

/** Whether any worker is running on this database. */
export async function hasWorkers(databaseUrl: string): Promise<boolean> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ count: string }>(LIVE_WORKERS);
    return Number(rows[0]?.count) > 0;
  } finally {
    await client.end();
  }
}
