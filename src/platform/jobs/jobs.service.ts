import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import { Logger as JobsLogger, run, type Runner, type TaskList } from 'graphile-worker';
import type { EntityManager } from 'typeorm';
import { DatabaseServer } from '../database/database-server.js';
import { AppLogger } from '../logging/app-logger.js';
import { JOBS_SCHEMA } from './jobs.constants.js';

/** What a job does. It may run twice, so doing it again must change nothing; an error makes it run again later. */
export type JobHandler<Payload> = (payload: Payload) => Promise<void>;

export interface JobOptions {
  /** Not before this moment. */
  readonly runAt?: Date;
}

const CONCURRENCY = 2;
const POLL_INTERVAL_MS = 2_000;

/**
 * Work that happens after a transaction, for certain: a job is written in the transaction that causes it and runs
 * once that has committed, in whichever process is free, again and again until it succeeds.
 */
@Injectable()
export class JobsService implements BeforeApplicationShutdown {
  private readonly tasks: TaskList = {};
  private runner: Runner | undefined;

  constructor(
    private readonly database: DatabaseServer,
    private readonly logger: AppLogger,
  ) {}

  /** Names what runs a job; called by a module before `start`. */
  handle<Payload>(task: string, handler: JobHandler<Payload>): void {
    this.tasks[task] = (payload) => handler(payload as Payload);
  }

  /** Writes one job per payload in the transaction of `manager`. */
  async enqueue<Payload>(
    manager: EntityManager,
    task: string,
    payloads: readonly Payload[],
    options: JobOptions = {},
  ): Promise<void> {
    await manager.query(
      `SELECT ${JOBS_SCHEMA}.add_job($1, payload, run_at => $3::timestamptz)
       FROM json_array_elements($2::json) AS payload`,
      [task, JSON.stringify(payloads), options.runAt ?? new Date()],
    );
  }

  /** Starts taking jobs. They have connections of their own, so that they cannot starve requests. */
  async start(): Promise<void> {
    this.runner = await run({
      connectionString: this.database.url,
      maxPoolSize: CONCURRENCY + 1,
      schema: JOBS_SCHEMA,
      taskList: this.tasks,
      concurrency: CONCURRENCY,
      pollInterval: POLL_INTERVAL_MS,
      noHandleSignals: true,
      logger: new JobsLogger(() => (level, message, meta) => {
        if (level === 'error') this.logger.error({ err: meta?.['error'] }, message);
        else if (level === 'warning') this.logger.warn(message);
      }),
    });
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.runner?.stop();
  }
}
