import { Inject, Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import type { Pool } from 'pg';
import { parseCronItems, type Job, type Task as LaneTask } from 'graphile-worker';
import type { EntityManager } from 'typeorm';
import { SETTINGS, type Settings } from '../config/settings.js';
import { openPool } from '../database/connection.js';
import { areRemovalsHeld } from '../database/backup-lock.js';
import { DatabaseServer } from '../database/servers/database-server.js';
import { AppLogger } from '../logging/app-logger.js';
import { observed } from '../telemetry/observed.js';
import { continueTrace } from '../telemetry/spans.js';
import { runCausedBy } from '../telemetry/cause.js';
import { addJobs } from './enqueue.queries.js';
import { splitCause } from './job-cause.js';
import { openChoosingPool } from './fair-share.js';
import { JobKeeper } from './job-keeper.js';
import { JobLane, type ChosenJob } from './job-lane.js';
import { completeJob, isOutranked, removeFailedJobs } from './jobs.queries.js';
import { LANES, LANE_NAMES, type Lane } from './lanes.js';
import type { OperatorJob } from './operator-jobs.queries.js';
import type { WorkerLoop } from './worker-loop.js';

/** What a job does. It may run twice, even at once, and is retried if it throws. `signal`: the process stops. */
export type JobHandler<Payload> = (payload: Payload, signal: AbortSignal, job: ChosenJob) => Promise<void>;

export interface TaskOptions {
  /** Called when the last attempt of a job with a key has failed; may be called twice. */
  readonly onExhausted?: (key: string) => Promise<void>;
  /** Whose slots the jobs run in. Default: `default`. */
  readonly lane?: Lane;
  /** It runs so often that only failures are of interest in the log. */
  readonly quiet?: true;
  /** Whether it removes objects that rows referred to: while a backup copies them, the jobs wait. */
  readonly removesObjects?: true;
  /** Cron pattern on which the task runs, in a single worker: `* * * * *` for every minute. */
  readonly schedule?: string;
}

interface Task extends TaskOptions {
  readonly lane: Lane;
  readonly handler: JobHandler<unknown>;
}

/** Within ten seconds: one that never succeeds has failed before the next run replaces it. */
const SCHEDULED = { maxAttempts: 3, backfillPeriod: 0 } as const;
/** When a job that waits for a backup looks again. */
const AFTER_BACKUP_MS = 60_000;

/** Work that is guaranteed to happen after a transaction: a job is written in it, and retried until it succeeds. */
@Injectable()
export class JobsService implements BeforeApplicationShutdown {
  private readonly tasks = new Map<string, Task>();
  private readonly lanes: JobLane[] = [];
  private readonly loops: WorkerLoop[] = [];
  private pool: Pool | undefined;
  private readonly choosing: Pool[] = [];
  private keeper: JobKeeper | undefined;

  constructor(
    private readonly database: DatabaseServer,
    private readonly logger: AppLogger,
    @Inject(SETTINGS) private readonly settings: Pick<Settings, 'workerConcurrency'>,
  ) {}

  /** Registers the handler of a task; called by a module on startup. */
  handle<Payload>(task: string, handler: JobHandler<Payload>, options: TaskOptions = {}): void {
    this.tasks.set(task, { lane: 'default', ...options, handler: handler as JobHandler<unknown> });
  }

  /** Registers what a worker process runs besides jobs. */
  runAlongside(loop: WorkerLoop): void {
    this.loops.push(loop);
  }

  /** Writes one job per payload in the transaction of `manager`. */
  readonly enqueue = addJobs;

  /** Ends a job that has used up its attempts, as after the last of them. */
  async giveUp(manager: EntityManager, { id, kind, key }: OperatorJob): Promise<void> {
    if (key !== null) await this.tasks.get(kind)?.onExhausted?.(key);
    await completeJob(manager, id);
  }

  /** Whether a due job of the lane would get the slot of this job, which then enqueues itself again and returns. */
  async isOutranked(task: string, job: ChosenJob): Promise<boolean> {
    const lane = this.tasks.get(task)?.lane;
    if (!lane || !this.pool) throw new Error(`This process runs no jobs of ${task}`);
    const tasks = this.tasksOf(lane).map(([name]) => name);
    return isOutranked(this.pool, { tasks, slots: LANES[lane](this.settings) }, job);
  }

  /** Starts running jobs. They use a separate connection pool, so that they cannot starve requests. */
  async start(): Promise<void> {
    const lanes = LANE_NAMES.filter((lane) => this.tasksOf(lane).length > 0);
    const slots = lanes.map((lane) => LANES[lane](this.settings));
    // A connection for each slot, and one for each lane to be notified of new jobs.
    const most = lanes.length + slots.reduce((sum, count) => sum + count, 0);
    const { jobs, choosers } = this.database.plan?.worker() ?? { jobs: most, choosers: most };
    const pool = openPool({
      connectionString: this.database.url,
      max: Math.min(most, jobs),
      application_name: 'mrs jobs',
    });
    this.pool = pool;
    const workerIds: string[] = [];
    const choosingPools = Math.min(lanes.length, choosers);
    this.choosing.push(...Array.from({ length: choosingPools }, () => openChoosingPool(this.database.url)));
    for (const name of lanes) workerIds.push(await this.open(name, pool).start());
    const exhaustible = [...this.tasks].flatMap(([name, { onExhausted }]) =>
      onExhausted ? [[name, onExhausted] as const] : [],
    );
    this.keeper = new JobKeeper(this.database.url, workerIds, new Map(exhaustible), this.logger);
    await this.keeper.start();
    for (const loop of this.loops) await loop.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all([...this.lanes, ...this.loops].map((running) => running.stop()));
    await this.keeper?.stop();
    await Promise.all([...this.choosing, this.pool].map(async (pool) => pool?.end()));
  }

  private open(name: Lane, pool: Pool): JobLane {
    const options = {
      taskList: Object.fromEntries(this.tasksOf(name)),
      // One lane enqueues the scheduled jobs; each of them runs in the lane of its task.
      cronItems: parseCronItems(name === 'default' ? this.scheduled() : []),
      slots: LANES[name](this.settings),
      choiceKey: LANE_NAMES.indexOf(name),
      pool,
      choosing: this.choosing[this.lanes.length % this.choosing.length]!,
    };
    const lane = new JobLane(options, this.logger);
    this.lanes.push(lane);
    return lane;
  }

  /** The tasks of a lane, as graphile-worker takes them. */
  private tasksOf(name: Lane): [string, LaneTask][] {
    return [...this.tasks]
      .filter(([, { lane }]) => lane === name)
      .map(([kind, task]) => [
        kind,
        async (payload, { abortSignal, job, addJob, withPgClient }) => {
          if (task.removesObjects && (await withPgClient(areRemovalsHeld))) {
            const runAt = new Date(Date.now() + AFTER_BACKUP_MS);
            await addJob(kind, payload, { runAt, priority: job.priority, maxAttempts: job.max_attempts });
            return;
          }
          const [cause, own] = splitCause(payload);
          const run = () => this.run(kind, task, own, abortSignal, job);
          await runCausedBy(cause, () => continueTrace(cause.traceparent, run));
          // The queue keeps them beside their next run.
          if (task.schedule !== undefined) await withPgClient((client) => removeFailedJobs(client, kind));
        },
      ]);
  }

  /**
   * Logs how a job ended: a failure as an error when it is the last, and as a warning before; what runs all the time only
   * then.
   */
  private async run(
    kind: string,
    task: Task,
    payload: unknown,
    signal: AbortSignal,
    job: ChosenJob & Pick<Job, 'attempts' | 'max_attempts'>,
  ): Promise<void> {
    const begun = performance.now();
    let failure: { readonly err: unknown; readonly attempt: string } | undefined;
    try {
      await observed('job', kind, () => task.handler(payload, signal, job));
    } catch (err) {
      failure = { err, attempt: `${job.attempts} of ${job.max_attempts}` };
      throw err;
    } finally {
      const { recordingId } = (payload ?? {}) as { recordingId?: unknown };
      const seconds = Math.round(performance.now() - begun) / 1000;
      const isFrequent = task.quiet === true || task.schedule !== undefined;
      const result = failure ? 'failed' : 'done';
      const done = isFrequent ? 'debug' : 'info';
      const failed = job.attempts < job.max_attempts ? 'warn' : 'error';
      this.logger[failure ? failed : done](
        { kind, job: job.id, ...(recordingId ? { recordingId } : {}), seconds, result, ...failure },
        'job',
      );
    }
  }

  /** A run that succeeds removes earlier ones that have failed. */
  private scheduled() {
    return [...this.tasks].flatMap(([task, { schedule: match }]) =>
      match === undefined ? [] : [{ task, match, options: { jobKey: task, ...SCHEDULED } }],
    );
  }
}
