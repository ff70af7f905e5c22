import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { JobOwner } from '../../src/platform/jobs/fair-share.js';
import { JobWorkers, TASK, TRANSCRIPTION_TASK } from '../support/job-workers.js';
import { until } from '../support/process.js';

const ADA: JobOwner = { userId: randomUUID(), organizationId: null };
const BEN: JobOwner = { userId: randomUUID(), organizationId: null };
const numbered = (name: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `${name}-${index + 1}`);

describe('jobs that run after those of the same owner', () => {
  let workers: JobWorkers;
  beforeEach(async () => {
    workers = await JobWorkers.open();
  });
  afterEach(() => workers.close());

  const enqueue = (owner: JobOwner, ...names: string[]): Promise<void> =>
    workers.enqueue(TRANSCRIPTION_TASK, { owner, afterOwn: true }, ...names);

  async function priorities(task = TRANSCRIPTION_TASK): Promise<number[]> {
    const rows: { priority: number }[] = await workers.dataSource.query(
      'SELECT priority FROM graphile_worker.jobs WHERE task_identifier = $1 ORDER BY id',
      [task],
    );
    return rows.map(({ priority }) => priority);
  }

  /** Ends each of these jobs once it is the only one running. */
  async function expectToRun(...names: string[]): Promise<void> {
    for (const name of names) {
      await workers.runs(name);
      workers.end(name);
    }
  }

  it('of twenty waiting jobs of one user and a later one of another, the latter runs second', async () => {
    for (const name of numbered('ada', 20)) await enqueue(ADA, name);
    await enqueue(BEN, 'ben-1');
    await workers.start(2);
    await expectToRun('ada-1', 'ben-1', ...numbered('ada', 20).slice(1));
  });

  it('it also runs second when the first is running, and when all twenty were enqueued by one statement', async () => {
    await workers.start(2);
    await enqueue(ADA, 'ada-1');
    await workers.runs('ada-1');
    await enqueue(ADA, ...numbered('ada', 20).slice(1));
    await enqueue(BEN, 'ben-1', 'ben-2');
    await expectToRun('ada-1', 'ben-1', 'ada-2', 'ben-2', 'ada-3');
  });

  it('a job no longer takes up the share of its owner once it has ended, even if it has not yet been removed', async () => {
    await workers.start(2);
    await enqueue(ADA, 'ada-1');
    await workers.runs('ada-1');
    await enqueue(ADA, 'ada-2');
    await enqueue(BEN, 'ben-1', 'ben-2');
    const lock = workers.dataSource.createQueryRunner();
    await lock.startTransaction();
    try {
      await lock.query(
        `SELECT FROM graphile_worker._private_jobs WHERE payload->>'name' = 'ada-1' FOR UPDATE`,
      );
      await expectToRun('ada-1', 'ben-1', 'ada-2', 'ben-2');
    } finally {
      await lock.rollbackTransaction();
      await lock.release();
    }
  });

  it('a job that has failed takes up the share of its owner again when it is run again', async () => {
    const keyed = { owner: ADA, key: 'package:1' } as const;
    await workers.enqueue(TASK, keyed, 'ada-1');
    await workers.start(2);
    await workers.runs('ada-1');
    workers.fail('ada-1');
    await until('ada-1 to wait for a retry', async () => {
      const failed: object[] = await workers.dataSource.query(
        'SELECT id FROM graphile_worker.jobs WHERE last_error IS NOT NULL AND locked_at IS NULL',
      );
      return failed.length === 1;
    });
    // Takes the place of the failed one, which resets its attempts.
    await workers.enqueue(TASK, keyed, 'ada-again');
    await workers.runs('ada-again');
    await workers.enqueue(TASK, { owner: ADA }, 'ada-2');
    await workers.enqueue(TASK, { owner: BEN }, 'ben-1');
    await workers.runs('ada-again', 'ben-1');
  });

  it('the number added is at most 50', async () => {
    await enqueue(ADA, ...numbered('ada', 49));
    for (const name of ['ada-50', 'ada-51', 'ada-52', 'ada-53']) await enqueue(ADA, name);
    await enqueue(BEN, 'ben-1');
    expect((await priorities()).slice(48)).toEqual([48, 49, 50, 50, 50, 0]);
  });

  it('counts jobs of the same task, of the user or, without one, of the organization', async () => {
    const organizationId = randomUUID();
    await workers.enqueue(TASK, { owner: ADA }, 'package-1');
    await enqueue({ ...ADA, organizationId }, 'ada-1');
    await enqueue({ ...BEN, organizationId }, 'ben-1');
    await enqueue({ userId: null, organizationId }, 'robot-1');
    await enqueue({ userId: null, organizationId: null }, 'nobody-1');
    await enqueue({ userId: null, organizationId: null }, 'nobody-2');
    expect(await priorities()).toEqual([0, 0, 2, 0, 0]);
  });

  it('counts neither jobs that have failed for good nor the one that is replaced', async () => {
    const again = { owner: ADA, afterOwn: true, priority: 10, key: 'transcribe:1' } as const;
    await workers.enqueue(TRANSCRIPTION_TASK, again, 'ada-1');
    await workers.enqueue(TRANSCRIPTION_TASK, again, 'ada-1');
    expect(await priorities()).toEqual([10]);
    await enqueue(ADA, 'ada-2');
    await workers.dataSource.query('UPDATE graphile_worker._private_jobs SET attempts = max_attempts');
    await enqueue(ADA, 'ada-3');
    expect(await priorities()).toEqual([10, 1, 0]);
  });
});
