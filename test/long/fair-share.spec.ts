import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { parseSettings } from '../../src/platform/config/settings.js';
import { dataSourceOptions } from '../../src/platform/database/data-source.js';
import { DatabaseServer } from '../../src/platform/database/database-server.js';
import type { JobOwner } from '../../src/platform/jobs/fair-share.js';
import { JobsService } from '../../src/platform/jobs/jobs.service.js';
import { AppLogger } from '../../src/platform/logging/app-logger.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { until } from '../support/process.js';

const ADA: JobOwner = { userId: randomUUID(), organizationId: null };
const BEN: JobOwner = { userId: randomUUID(), organizationId: null };
const TASK = 'test.long';
const logger = new AppLogger('silent', { write: () => undefined });

/** A job that runs until released. */
interface Running {
  readonly name: string;
  readonly end: () => void;
}

describe('worker slots', () => {
  let database: TestDatabase;
  let dataSource: DataSource;
  let workers: JobsService[];
  let running: Running[];
  let done: string[];

  beforeEach(async () => {
    database = await createDatabase();
    dataSource = await new DataSource(
      dataSourceOptions({ url: database.url, poolSize: 2, entities: [] }),
    ).initialize();
    [workers, running, done] = [[], [], []];
  });
  afterEach(async () => {
    for (const worker of workers) await worker.beforeApplicationShutdown();
    await dataSource.destroy();
    await database.drop();
  });

  const names = (): string[] => running.map(({ name }) => name).sort();
  const runs = (...expected: string[]): Promise<void> =>
    until(`${expected.join()} to run`, () => names().join() === expected.join());
  const end = (name: string): void => running.find((job) => job.name === name)?.end();

  async function startWorker(workerConcurrency: number): Promise<void> {
    const settings = parseSettings({ DATABASE_URL: database.url });
    const jobs = new JobsService(await DatabaseServer.open(settings, logger), logger, { workerConcurrency });
    jobs.handle<{ name: string }>(TASK, async ({ name }, stop) => {
      await new Promise<void>((resolve) => {
        running.push({ name, end: resolve });
        stop.addEventListener('abort', () => resolve());
      });
      running = running.filter((job) => job.name !== name);
      done.push(name);
    });
    workers.push(jobs);
    await jobs.start();
  }

  /** Enqueues like a request, in a process without a worker. */
  async function order(owner: JobOwner | undefined, ...jobs: string[]): Promise<void> {
    const settings = parseSettings({ DATABASE_URL: database.url });
    const api = new JobsService(await DatabaseServer.open(settings, logger), logger, settings);
    const payloads = jobs.map((name) => ({ name }));
    await dataSource.transaction((manager) => api.enqueue(manager, TASK, payloads, { owner }));
  }

  it('are never all held by one user: the job of another starts at once', async () => {
    await startWorker(3);
    await order(ADA, 'ada-1', 'ada-2', 'ada-3', 'ada-4', 'ada-5', 'ada-6');
    await runs('ada-1', 'ada-2');
    await order(BEN, 'ben-1');
    await runs('ada-1', 'ada-2', 'ben-1');
  });

  it("are given to a user's next job as soon as one of theirs ends, until all are done", async () => {
    await startWorker(3);
    await order(ADA, 'ada-1', 'ada-2', 'ada-3', 'ada-4');
    await runs('ada-1', 'ada-2');
    end('ada-1');
    await runs('ada-2', 'ada-3');
    end('ada-2');
    await runs('ada-3', 'ada-4');
    end('ada-3');
    end('ada-4');
    await runs();
    expect(done.sort()).toEqual(['ada-1', 'ada-2', 'ada-3', 'ada-4']);
  });

  it('are also shared between organizations', async () => {
    const organizationId = randomUUID();
    await startWorker(4);
    await order({ ...ADA, organizationId }, 'ada-1');
    await order({ ...BEN, organizationId }, 'ben-1', 'ben-2');
    await runs('ada-1', 'ben-1');
    await order(BEN, 'ben-alone');
    await runs('ada-1', 'ben-1', 'ben-alone');
  });

  it('are counted over all workers, even when they choose at the same time', async () => {
    await order(ADA, 'ada-1', 'ada-2', 'ada-3', 'ada-4', 'ada-5', 'ada-6');
    await Promise.all([startWorker(2), startWorker(2)]);
    await order(BEN, 'ben-1', 'ben-2');
    await runs('ada-1', 'ada-2', 'ben-1', 'ben-2');
  });

  it('a single one serves a user who is alone', async () => {
    await startWorker(1);
    await order(ADA, 'ada-1', 'ada-2');
    await runs('ada-1');
    end('ada-1');
    await runs('ada-2');
  });

  it('are freed when the worker that held them dies', async () => {
    await order(ADA, 'ada-1', 'ada-2');
    await dataSource.query(
      `UPDATE graphile_worker._private_jobs SET locked_by = 'dead', locked_at = now() - interval '1 minute'
       WHERE payload->>'name' = 'ada-1'`,
    );
    await startWorker(2);
    await until('one of them to run', () => running.length > 0);
    const [first = ''] = names();
    end(first);
    await until('the other one to run', () => running.length > 0 && names()[0] !== first);
  });

  it('are assigned again after the database connections were lost', async () => {
    await startWorker(2);
    await dataSource.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND application_name = 'mrs worker'`,
    );
    await order(ADA, 'ada-1', 'ada-2');
    await order(BEN, 'ben-1');
    await runs('ada-1', 'ben-1');
  });

  it('are all available to jobs without an owner, such as those of an older release', async () => {
    await startWorker(2);
    await order(undefined, 'old-1', 'old-2');
    await runs('old-1', 'old-2');
  });
});
