import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { JobOwner } from '../../src/platform/jobs/fair-share.js';
import { JobWorkers, TASK } from '../support/job-workers.js';
import { until } from '../support/process.js';

const ADA: JobOwner = { userId: randomUUID(), organizationId: null };
const BEN: JobOwner = { userId: randomUUID(), organizationId: null };

describe('worker slots', () => {
  let workers: JobWorkers;
  beforeEach(async () => {
    workers = await JobWorkers.open();
  });
  afterEach(() => workers.close());

  const order = (owner: JobOwner | undefined, ...jobs: string[]): Promise<void> =>
    workers.enqueue(TASK, { owner }, ...jobs);

  it('are never all held by one user: the job of another starts at once', async () => {
    await workers.start(3);
    await order(ADA, 'ada-1', 'ada-2', 'ada-3', 'ada-4', 'ada-5', 'ada-6');
    await workers.runs('ada-1', 'ada-2');
    await order(BEN, 'ben-1');
    await workers.runs('ada-1', 'ada-2', 'ben-1');
  });

  it("are given to a user's next job as soon as one of theirs ends, until all are done", async () => {
    await workers.start(3);
    await order(ADA, 'ada-1', 'ada-2', 'ada-3', 'ada-4');
    await workers.runs('ada-1', 'ada-2');
    workers.end('ada-1');
    await workers.runs('ada-2', 'ada-3');
    workers.end('ada-2');
    await workers.runs('ada-3', 'ada-4');
    workers.end('ada-3');
    workers.end('ada-4');
    await workers.runs();
    expect(workers.done.sort()).toEqual(['ada-1', 'ada-2', 'ada-3', 'ada-4']);
  });

  it('are also shared between organizations', async () => {
    const organizationId = randomUUID();
    await workers.start(4);
    await order({ ...ADA, organizationId }, 'ada-1');
    await order({ ...BEN, organizationId }, 'ben-1', 'ben-2');
    await workers.runs('ada-1', 'ben-1');
    await order(BEN, 'ben-alone');
    await workers.runs('ada-1', 'ben-1', 'ben-alone');
  });

  it('are counted over all workers, even when they choose at the same time', async () => {
    await order(ADA, 'ada-1', 'ada-2', 'ada-3', 'ada-4', 'ada-5', 'ada-6');
    await Promise.all([workers.start(2), workers.start(2)]);
    await order(BEN, 'ben-1', 'ben-2');
    await workers.runs('ada-1', 'ada-2', 'ben-1', 'ben-2');
  });

  it('are freed when the worker that held them dies', async () => {
    await order(ADA, 'ada-1', 'ada-2');
    await workers.dataSource.query(
      `UPDATE graphile_worker._private_jobs SET locked_by = 'dead', locked_at = now() - interval '1 minute'
       WHERE payload->>'name' = 'ada-1'`,
    );
    await workers.start(2);
    await until('one of them to run', () => workers.names().length > 0);
    const [first = ''] = workers.names();
    workers.end(first);
    await until('the other one to run', () => ![undefined, first].includes(workers.names()[0]));
  });

  it('are assigned again after the database connections were lost', async () => {
    await workers.start(2);
    await workers.dataSource.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND application_name = 'mrs worker'`,
    );
    await order(ADA, 'ada-1', 'ada-2');
    await order(BEN, 'ben-1');
    await workers.runs('ada-1', 'ben-1');
  });
});
