import { Client } from 'pg';
import { withOwnConnection } from '../database/connection.js';
import type { AppLogger } from '../logging/app-logger.js';
import {
  completeJob,
  findDeadWorkers,
  findExhaustedJobs,
  isAnyAlive,
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
  private timer: NodeJS.Timeout | undefined;
  private round: Promise<void> = Promise.resolve();
  private stopped = false;

  constructor(
    private readonly databaseUrl: string,
    /** The worker of every lane of this process. */
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
    await lockWorkers(client, this.workerIds);
    this.client = client;
    return client;
  }

  /** The database was unavailable: the lock is lost with the connection; the next round takes it again. */
  private async dropConnection(error: unknown): Promise<void> {
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

export const hasWorkers = (databaseUrl: string): Promise<boolean> =>
  withOwnConnection(databaseUrl, 'mrs', isAnyAlive);
