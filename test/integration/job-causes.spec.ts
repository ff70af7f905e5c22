import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { EntityManager } from 'typeorm';
import { parseSettings } from '../../src/platform/config/settings.js';
import { DatabaseServer } from '../../src/platform/database/servers/database-server.js';
import { transactionBy } from '../../src/platform/database/transaction-by.js';
import type { JobOptions } from '../../src/platform/jobs/enqueue.queries.js';
import { JobsService } from '../../src/platform/jobs/jobs.service.js';
import { AppLogger } from '../../src/platform/logging/app-logger.js';
import { JobWorkers } from '../support/job-workers.js';
import { until } from '../support/process.js';

const FIRST = 'test.first';
const SECOND = 'test.second';
const BROKEN = 'test.broken';
const PLAIN = 'test.plain';

describe('the cause of a job', () => {
  let workers: JobWorkers;
  let jobs: JobsService;
  const lines: Record<string, unknown>[] = [];
  const received: unknown[] = [];

  beforeAll(async () => {
    workers = await JobWorkers.open();
    const logger = new AppLogger('info', {
      write: (line) => void lines.push(JSON.parse(line) as Record<string, unknown>),
    });
    const server = await DatabaseServer.open(parseSettings({ DATABASE_URL: workers.database.url }), logger);
    jobs = new JobsService(server, logger, { workerConcurrency: 2 });
    jobs.handle(FIRST, async (payload) => {
      received.push(payload);
      logger.info('the handler says something');
      await jobs.enqueue(workers.dataSource.manager, SECOND, [payload]);
    });
    jobs.handle(SECOND, async (payload) => void received.push(payload));
    jobs.handle(PLAIN, async (payload) => void received.push(payload));
    jobs.handle(BROKEN, async () => {
      throw new Error('it does not work');
    });
    await jobs.start();
  });
  afterAll(async () => {
    await jobs.beforeApplicationShutdown();
    await workers.close();
  });

  const enqueue = (requestId: string, task: string, payload: unknown, options: JobOptions = {}) =>
    transactionBy(workers.dataSource, { kind: 'user', userId: randomUUID(), requestId }, (manager) =>
      jobs.enqueue(manager, task, [payload], options),
    );
  const ended = (kind: string) => lines.filter((line) => line['msg'] === 'job' && line['kind'] === kind);
  const waiting = (manager: EntityManager, key: string): Promise<{ payload: unknown }[]> =>
    manager.query('SELECT payload FROM graphile_worker._private_jobs WHERE key = $1', [key]);

  it('is the request: every line of the job says so, and those of the jobs that it enqueues', async () => {
    await enqueue('request-1', FIRST, { name: 'ada' });
    await until('both jobs', () => ended(SECOND).length > 0);
    expect(ended(FIRST)).toEqual([expect.objectContaining({ requestId: 'request-1', result: 'done' })]);
    expect(ended(SECOND)).toEqual([expect.objectContaining({ requestId: 'request-1', result: 'done' })]);
    expect(lines).toContainEqual(
      expect.objectContaining({ msg: 'the handler says something', requestId: 'request-1' }),
    );
    expect(received).toEqual([{ name: 'ada' }, { name: 'ada' }]);
  });

  it('is in the line of a job that failed', async () => {
    await enqueue('request-2', BROKEN, {});
    await until('the failure', () => ended(BROKEN).length > 0);
    expect(ended(BROKEN)[0]).toMatchObject({ requestId: 'request-2', result: 'failed' });
  });

  it('is the newest one of a job that was enqueued again before it ran', async () => {
    const later = { key: 'one', runAt: new Date(Date.now() + 3_600_000) };
    await enqueue('request-3', PLAIN, { n: 1 }, later);
    await enqueue('request-4', PLAIN, { n: 2 }, later);
    expect(await waiting(workers.dataSource.manager, 'one')).toEqual([
      { payload: { n: 2, _cause: { requestId: 'request-4' } } },
    ]);
  });

  it('is absent without a request, and from payloads that cannot have one', async () => {
    received.length = 0;
    await jobs.enqueue(workers.dataSource.manager, PLAIN, [{ name: 'nobody' }]);
    await enqueue('request-5', PLAIN, 'text');
    await until('both jobs', () => ended(PLAIN).length === 2);
    expect(received).toEqual([{ name: 'nobody' }, 'text']);
    expect(ended(PLAIN).map((line) => line['requestId'])).toEqual([undefined, undefined]);
  });
});
