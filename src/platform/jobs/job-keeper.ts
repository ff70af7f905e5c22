import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import { DatabaseClient } from '../database/servers/database-client.js';
import type { AppLogger } from '../logging/app-logger.js';
import {
  completeJob,
  findDeadWorkers,
  findExhaustedJobs,
  lockWorkers,
  unlockWorkers,
} from './jobs.queries.js';

const ROUND_MS = 1_000;

/**
 * Recovers the jobs of dead workers. Every worker holds an advisory lock for each of its lanes, which PostgreSQL
 * releases when the process dies; the remaining workers then free its jobs, which graphile-worker does after four
 * hours. Also fails jobs that have used up their attempts, as the worker of the last one may have died.
 */
export class JobKeeper {
  private client: Client | undefined;
  private readonly stopping = new AbortController();
  private rounds: Promise<void> | undefined;

  constructor(
    private readonly databaseUrl: string,
    /** The worker of every lane of this process. */
    private readonly workerIds: readonly string[],
    private readonly exhaustible: ReadonlyMap<string, (key: string) => Promise<void>>,
    private readonly logger: AppLogger,
  ) {}

  async start(): Promise<void> {
    await this.connect();
    this.rounds = this.keepChecking();
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.rounds;
    await this.client?.end();
  }

  private async keepChecking(): Promise<void> {
    const { signal } = this.stopping;
    while (await sleep(ROUND_MS, true, { signal }).catch(() => false))
      await this.check().catch((error: unknown) => this.dropConnection(error));
  }

  private async connect(): Promise<Client> {
    const client = new DatabaseClient({ connectionString: this.databaseUrl, application_name: 'mrs worker' });
    await client.connect();
    await lockWorkers(client, this.workerIds);
    this.client = client;
    return client;
  }

  /** The database was unavailable: the lock is lost with the connection; the next round takes it again. */
  private dropConnection(error: unknown): void {
    if (!this.logger.outage(error))
      this.logger.warn({ err: error }, 'could not check the jobs of other workers; retrying');
    const { client } = this;
    this.client = undefined;
    // Fails if the connection is already lost; the next round opens a new one.
    client?.end(() => undefined);
  }

  private async check(): Promise<void> {
    const client = this.client ?? (await this.connect());
    const dead = await findDeadWorkers(client, this.workerIds);
    if (dead.length > 0) {
      await unlockWorkers(client, dead);
      this.logger.warn({ workers: dead }, 'freed the jobs of dead workers');
    }
    for (const { id, key, task } of await findExhaustedJobs(client, [...this.exhaustible.keys()])) {
      if (key !== null) await this.exhaustible.get(task)?.(key);
      await completeJob(client, id);
    }
  }
}
