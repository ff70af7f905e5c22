import { EventEmitter } from 'node:events';
import type { Pool } from 'pg';
import {
  Logger as JobsLogger,
  run,
  type ParsedCronItem,
  type Runner,
  type TaskList,
  type WorkerEvents,
} from 'graphile-worker';
import { JOBS_SCHEMA } from '../database/jobs-schema.js';
import type { AppLogger } from '../logging/app-logger.js';
import { FairShare } from './fair-share.js';

/** A running job, and the number that it was chosen by or would have now. */
export interface ChosenJob {
  readonly id: string;
  readonly priority: number;
}

const POLL_INTERVAL_MS = 2_000;
/** Events that end a worker slot's search for a job. */
const CHOSEN = ['job:start', 'worker:getJob:empty', 'worker:getJob:error'] as const;
/** While the reason stays the same, a lane that cannot choose jobs says so once in this time. */
const WARN_EVERY_MS = 60_000;
/** How long a stopping worker waits for its jobs to finish before aborting them. */
const STOP_AFTER_MS = 1_000;

/** Runs the jobs of some tasks in slots of their own. */
export class JobLane {
  private readonly tasks: readonly string[];
  private readonly share: FairShare;
  private readonly events: WorkerEvents = new EventEmitter();
  private runner: Runner | undefined;
  private failure = { message: '', at: -Infinity };

  constructor(
    private readonly options: {
      readonly taskList: TaskList;
      /** The schedule on which the lane enqueues jobs, of whatever lane. */
      readonly cronItems: ParsedCronItem[];
      readonly slots: number;
      /** Second key of the advisory lock under which a slot of the lane chooses a job. */
      readonly choiceKey: number;
      /** Shared by all lanes. */
      readonly pool: Pool;
      /** Where it chooses jobs. */
      readonly choosing: Pool;
    },
    private readonly logger: AppLogger,
  ) {
    const { taskList, slots, choiceKey, choosing } = options;
    this.tasks = Object.keys(taskList);
    this.share = new FairShare(choosing, { tasks: this.tasks, slots }, choiceKey, logger);
    this.events.on('worker:getJob:error', ({ error }) => this.warnOfFailure(error as Error));
    this.events.on('job:start', ({ job }) => this.share.started(job));
    for (const event of CHOSEN) this.events.on(event, () => void this.share.chosen());
    this.events.on('job:complete', ({ job }) => this.share.ended(job));
  }

  /** Returns the name under which the lane locks jobs. */
  async start(): Promise<string> {
    let workerId = '';
    this.events.once('pool:create', ({ workerPool }) => (workerId = workerPool.id));
    const { taskList, cronItems, slots, pool } = this.options;
    this.runner = await run({
      pgPool: pool,
      schema: JOBS_SCHEMA,
      taskList,
      parsedCronItems: cronItems,
      concurrency: slots,
      forbiddenFlags: () => this.share.choose(),
      pollInterval: POLL_INTERVAL_MS,
      gracefulShutdownAbortTimeout: STOP_AFTER_MS,
      noHandleSignals: true,
      events: this.events,
      logger: new JobsLogger(() => (level, message, meta) => {
        // What fails is logged by `JobsService`.
        if (meta?.['failure'] === true) return;
        if (this.logger.outage(meta?.['error'] ?? meta?.['fatalError'])) return;
        if (level === 'error') this.logger.error({ err: meta?.['error'] }, message);
        else if (level === 'warning') this.logger.warn(message);
      }),
    });
    return workerId;
  }

  async stop(): Promise<void> {
    await this.runner?.stop();
    await this.share.chosen();
  }

  /** A slot that has failed to choose a job tries again every two seconds, and the library says nothing. */
  private warnOfFailure(error: Error): void {
    if (this.logger.outage(error)) return;
    const { message } = error;
    if (message === this.failure.message && performance.now() - this.failure.at < WARN_EVERY_MS) return;
    this.failure = { message, at: performance.now() };
    this.logger.warn({ err: error, tasks: this.tasks }, 'could not choose a job; retrying');
  }
}
