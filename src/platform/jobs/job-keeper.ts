import { Client } from 'pg';
import { statementLog } from '../database/statement-log.js';
import type { AppLogger } from '../logging/app-logger.js';
import { JOBS_SCHEMA } from '../database/jobs-schema.js';

const ROUND_MS = 1_000;
/** A worker that has just started takes its lock a moment after its first job. */
const GRACE_SECONDS = 3;
/** First half of the advisory locks that workers hold; any number that no other program is likely to use. */
const LOCK_CLASS = 734_519;

/** SQL for the number of workers that run on this database. */
export const LIVE_WORKERS = `SELECT count(*) FROM pg_locks
  WHERE locktype = 'advisory' AND granted AND classid = ${LOCK_CLASS} AND objsubid = 2
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;

/**
 * Looks after the jobs of workers that died. Every worker holds an advisory lock on a connection of its own, which
 * PostgreSQL lets go the moment the process is gone, however it went. Whoever is left frees that worker's jobs at once;
 * graphile-worker by itself would wait for four hours. Jobs that were tried often enough are given up here too, as the
 * worker that tried last may be the one that died.
 */
export class JobKeeper {
  private client: Client | undefined;
  private timer: NodeJS.Timeout | undefined;
  private round: Promise<void> = Promise.resolve();
  private stopped = false;

  constructor(
    private readonly databaseUrl: string,
    private readonly workerId: string,
    private readonly exhaustible: ReadonlyMap<string, (key: string) => Promise<void>>,
    private readonly logger: AppLogger,
  ) {}

  async start(): Promise<void> {
    await this.connect();
    this.plan();
  }

  async stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await this.round;
    await this.client?.end();
  }

  private plan(): void {
    if (this.stopped) return;
    this.timer = setTimeout(() => {
      this.round = this.look()
        .catch((error: unknown) => this.letGo(error))
        .finally(() => this.plan());
    }, ROUND_MS);
  }

  private async connect(): Promise<Client> {
    const client = new Client({ connectionString: this.databaseUrl, application_name: 'mrs worker' });
    // A lost connection is noticed by the next round.
    client.on('error', () => undefined);
    await client.connect();
    statementLog(this.logger)?.(client);
    await client.query('SELECT pg_advisory_lock($1, hashtext($2))', [LOCK_CLASS, this.workerId]);
    this.client = client;
    return client;
  }

  /** The database was away: the lock is gone with the connection; the next round takes it again. */
  private async letGo(error: unknown): Promise<void> {
    this.logger.warn({ err: error }, 'jobs of other workers could not be looked at; trying again');
    const { client } = this;
    this.client = undefined;
    // A connection that is lost already cannot be ended; the next round makes a new one.
    client?.end(() => undefined);
  }

  private async look(): Promise<void> {
    const client = this.client ?? (await this.connect());
    await this.freeJobsOfTheDead(client);
    await this.giveUpExhausted(client);
  }

  private async freeJobsOfTheDead(client: Client): Promise<void> {
    const { rows } = await client.query<{ worker: string }>(
      `SELECT DISTINCT locked_by AS worker FROM ${JOBS_SCHEMA}.jobs
       WHERE locked_by <> $1 AND locked_at < now() - interval '${GRACE_SECONDS} s' AND NOT EXISTS (
         SELECT FROM pg_locks WHERE locktype = 'advisory' AND granted AND classid = $2 AND objsubid = 2
           AND objid = (hashtext(locked_by)::bigint & 4294967295)
           AND database = (SELECT oid FROM pg_database WHERE datname = current_database()))`,
      [this.workerId, LOCK_CLASS],
    );
    if (rows.length === 0) return;
    const dead = rows.map(({ worker }) => worker);
    await client.query(`SELECT ${JOBS_SCHEMA}.force_unlock_workers($1)`, [dead]);
    this.logger.warn({ workers: dead }, 'took over the jobs of workers that are gone');
  }

  private async giveUpExhausted(client: Client): Promise<void> {
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

/** Whether any worker runs on this database. */
export async function hasWorkers(databaseUrl: string, logger: AppLogger): Promise<boolean> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  statementLog(logger)?.(client);
  try {
    const { rows } = await client.query<{ count: string }>(LIVE_WORKERS);
    return Number(rows[0]?.count) > 0;
  } finally {
    await client.end();
  }
}
