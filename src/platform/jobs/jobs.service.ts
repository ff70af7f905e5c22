import { Inject, Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import { EventEmitter } from 'node:events';
import { Pool } from 'pg';
import { Logger as JobsLogger, parseCronItems, run, type Runner, type WorkerEvents } from 'graphile-worker';
import type { EntityManager } from 'typeorm';
import { SETTINGS, type Settings } from '../config/settings.js';
import { DatabaseServer } from '../database/database-server.js';
import { AppLogger } from '../logging/app-logger.js';
import { FairShare, flagsOf, type JobOwner } from './fair-share.js';
import { JobKeeper } from './job-keeper.js';
import { JOBS_SCHEMA } from '../database/jobs-schema.js';

/**
 * What a job does. It may run twice, even concurrently, so it must be idempotent; if it throws, it is retried later.
 * `signal` aborts when the process is asked to stop.
 */
export type JobHandler<Payload> = (payload: Payload, signal: AbortSignal) => Promise<void>;

export interface TaskOptions {
  /** Called when the last attempt of a job with a key has failed; may be called twice. */
  readonly onExhausted?: (key: string) => Promise<void>;
  /** Cron pattern on which the task runs, in a single worker: `* * * * *` for every minute. */
  readonly schedule?: string;
}

export interface JobOptions {
  /** Earliest start. */
  readonly runAt?: Date;
  /** Due jobs with the lowest number run first. Default: 0. */
  readonly priority?: number;
  /** Number of failures after which the job is not retried. */
  readonly maxAttempts?: number;
  /** Replaces a waiting job with the same key, so that there is at most one. */
  readonly key?: string;
  /** Set for heavy work: each user and each organization holds at most half of all worker slots, rounded up. */
  readonly owner?: JobOwner;
}

interface Task extends TaskOptions {
  readonly handler: JobHandler<unknown>;
}

const MAX_ATTEMPTS = 25;
const POLL_INTERVAL_MS = 2_000;
/** Events that end a worker slot's search for a job. */
const CHOSEN = ['job:start', 'worker:getJob:empty', 'worker:getJob:error'] as const;
/** How long a stopping worker waits for its jobs to finish before aborting them. */
const STOP_AFTER_MS = 1_000;

/**
 * Work that is guaranteed to happen after a transaction: a job is written in the transaction that causes it, runs in a
 * worker process once that has committed, and is retried until it succeeds.
 */
@Injectable()
export class JobsService implements BeforeApplicationShutdown {
  private readonly tasks = new Map<string, Task>();
  private runner: Runner | undefined;
  private pool: Pool | undefined;
  private keeper: JobKeeper | undefined;
  private share: FairShare | undefined;

  constructor(
    private readonly database: DatabaseServer,
    private readonly logger: AppLogger,
    @Inject(SETTINGS) private readonly settings: Pick<Settings, 'workerConcurrency'>,
  ) {}

  /** Registers the handler of a task; called by a module on startup. */
  handle<Payload>(task: string, handler: JobHandler<Payload>, options: TaskOptions = {}): void {
    this.tasks.set(task, { ...options, handler: handler as JobHandler<unknown> });
  }

  /** Writes one job per payload in the transaction of `manager`. */
  async enqueue<Payload>(
    manager: EntityManager,
    task: string,
    payloads: readonly Payload[],
    { runAt = new Date(), maxAttempts = MAX_ATTEMPTS, priority = 0, key, owner }: JobOptions = {},
  ): Promise<void> {
    await manager.query(
      `SELECT ${JOBS_SCHEMA}.add_job($1, payload, run_at => $3::timestamptz, max_attempts => $4, job_key => $5,
                                      priority => $6, flags => $7::text[])
       FROM json_array_elements($2::json) AS payload`,
      [
        task,
        JSON.stringify(payloads),
        runAt,
        maxAttempts,
        key ?? null,
        priority,
        owner ? flagsOf(owner) : null,
      ],
    );
  }

  /** Starts running jobs. They use a separate connection pool, so that they cannot starve requests. */
  async start(): Promise<void> {
    const { workerConcurrency: concurrency } = this.settings;
    const events: WorkerEvents = new EventEmitter();
    const workerId = new Promise<string>((resolve) =>
      events.once('pool:create', ({ workerPool }) => resolve(workerPool.id)),
    );
    const share = new FairShare(this.database.url, concurrency, this.logger);
    this.share = share;
    for (const event of CHOSEN) events.on(event, () => void share.chosen());
    this.runner = await run({
      pgPool: this.openPool(concurrency + 1),
      schema: JOBS_SCHEMA,
      taskList: Object.fromEntries(
        [...this.tasks].map(([name, { handler }]) => [
          name,
          (payload: unknown, { abortSignal }: { abortSignal: AbortSignal }) => handler(payload, abortSignal),
        ]),
      ),
      parsedCronItems: parseCronItems(this.scheduled()),
      concurrency,
      forbiddenFlags: () => share.choose(),
      pollInterval: POLL_INTERVAL_MS,
      gracefulShutdownAbortTimeout: STOP_AFTER_MS,
      noHandleSignals: true,
      events,
      logger: new JobsLogger(() => (level, message, meta) => {
        if (level === 'error') this.logger.error({ err: meta?.['error'] }, message);
        else if (level === 'warning') this.logger.warn(message);
      }),
    });
    this.keeper = new JobKeeper(this.database.url, await workerId, this.exhaustible(), this.logger);
    await this.keeper.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.runner?.stop();
    await this.keeper?.stop();
    await this.share?.stop();
    await this.pool?.end();
  }

  /** For graphile-worker. A lost connection fails the running statement and is replaced; it must not end the process. */
  private openPool(max: number): Pool {
    this.pool = new Pool({ connectionString: this.database.url, max, application_name: 'mrs jobs' });
    this.pool.on('error', () => undefined);
    this.pool.on('connect', (client) => void client.on('error', () => undefined));
    return this.pool;
  }

  /** Failed runs are not retried: the next one is due soon. */
  private scheduled() {
    return [...this.tasks].flatMap(([task, { schedule }]) =>
      schedule === undefined
        ? []
        : [{ task, match: schedule, options: { jobKey: task, maxAttempts: 1, backfillPeriod: 0 } }],
    );
  }

  private exhaustible(): ReadonlyMap<string, (key: string) => Promise<void>> {
    const tasks = [...this.tasks].flatMap(([name, { onExhausted }]) =>
      onExhausted ? [[name, onExhausted] as const] : [],
    );
    return new Map(tasks);
  }
}
