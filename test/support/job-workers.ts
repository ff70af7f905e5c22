import { DataSource } from 'typeorm';
import { parseSettings } from '../../src/platform/config/settings.js';
import { dataSourceOptions } from '../../src/platform/database/data-source.js';
import { DatabaseServer } from '../../src/platform/database/servers/database-server.js';
import type { ChosenJob } from '../../src/platform/jobs/job-lane.js';
import type { JobOptions } from '../../src/platform/jobs/enqueue.queries.js';
import { JobsService } from '../../src/platform/jobs/jobs.service.js';
import { AppLogger } from '../../src/platform/logging/app-logger.js';
import { createDatabase, type TestDatabase } from './database.js';
import { until } from './process.js';

/** A task of the default lane, and one of each other lane. */
export const TASK = 'test.long';
export const FETCH_TASK = 'test.fetch';
export const TRANSCRIPTION_TASK = 'test.transcription';
/** Of the default lane; removes objects. */
export const REMOVAL_TASK = 'test.removal';

const lines: Record<string, unknown>[] = [];
const logger = new AppLogger('info', {
  write: (line) => void lines.push(JSON.parse(line) as Record<string, unknown>),
});

/** A job that runs until it is ended. */
interface RunningJob {
  readonly name: string;
  readonly job: ChosenJob;
  readonly end: () => void;
}

/** A scheduled task, whose jobs throw this, except those named `fine`. */
export const FAILURE = { task: 'test.failing', message: 'connection timeout' };

/** Workers on a database of their own, in this process. */
export class JobWorkers {
  /** The names of the jobs that have ended, in order. */
  readonly done: string[] = [];
  /** The keys of the jobs that have failed for good. */
  readonly exhausted: string[] = [];
  private running: RunningJob[] = [];
  private readonly workers: JobsService[] = [];
  private closing = false;

  private constructor(
    readonly database: TestDatabase,
    readonly dataSource: DataSource,
  ) {}

  static async open(): Promise<JobWorkers> {
    const database = await createDatabase();
    const options = dataSourceOptions({ url: database.url, poolSize: 2, entities: [] });
    return new JobWorkers(database, await new DataSource(options).initialize());
  }

  async close(): Promise<void> {
    this.closing = true;
    for (const job of this.running) job.end();
    await Promise.all(this.workers.map((worker) => worker.beforeApplicationShutdown()));
    await this.dataSource.destroy();
    await this.database.drop();
  }

  async start(workerConcurrency: number): Promise<JobsService> {
    const jobs = new JobsService(await this.server(), logger, { workerConcurrency });
    jobs.handle<{ name: string }>(TASK, (...job) => this.run(...job));
    jobs.handle<{ name: string }>(TRANSCRIPTION_TASK, (...job) => this.run(...job), {
      lane: 'transcription',
    });
    jobs.handle<{ name: string }>(REMOVAL_TASK, (...job) => this.run(...job), { removesObjects: true });
    jobs.handle<{ name: string }>(FETCH_TASK, (...job) => this.run(...job), {
      lane: 'fetch',
      onExhausted: async (key) => void this.exhausted.push(key),
    });
    jobs.handle<{ name: string }>(
      FAILURE.task,
      async ({ name }) => {
        if (name !== 'fine') throw new Error(FAILURE.message);
      },
      { schedule: '0 0 29 2 *' },
    );
    this.workers.push(jobs);
    await jobs.start();
    return jobs;
  }

  /** Enqueues like a request, in a process without a worker. */
  async enqueue(task: string, options: JobOptions, ...names: string[]): Promise<void> {
    const api = new JobsService(await this.server(), logger, { workerConcurrency: 2 });
    const payloads = names.map((name) => ({ name }));
    await this.dataSource.transaction((manager) => api.enqueue(manager, task, payloads, options));
  }

  /** Waits until exactly these jobs are running. */
  runs(...expected: string[]): Promise<void> {
    return until(`${expected.join()} to run`, () => this.names().join() === expected.join());
  }

  names(): string[] {
    return this.running.map(({ name }) => name).sort();
  }

  /** What was logged of jobs of the task. */
  logged(task: string): Record<string, unknown>[] {
    return this.linesOf('job').filter(({ kind }) => kind === task);
  }

  /** The lines of the log with this message. */
  linesOf(message: string): Record<string, unknown>[] {
    return lines.filter(({ msg }) => msg === message);
  }

  jobOf(name: string): ChosenJob {
    const found = this.running.find((running) => running.name === name);
    if (!found) throw new Error(`${name} is not running`);
    return found.job;
  }

  end(name: string): void {
    this.running.find((job) => job.name === name)?.end();
  }

  private async run({ name }: { name: string }, stop: AbortSignal, job: ChosenJob): Promise<void> {
    if (this.closing) return;
    try {
      await new Promise<void>((resolve) => {
        this.running.push({ name, job, end: resolve });
        stop.addEventListener('abort', () => resolve());
      });
    } finally {
      this.running = this.running.filter((running) => running.name !== name);
    }
    this.done.push(name);
  }

  private server(): Promise<DatabaseServer> {
    return DatabaseServer.open(parseSettings({ DATABASE_URL: this.database.url }), logger);
  }
}
