import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { JobOwner } from '../../src/platform/jobs/fair-share.js';
import { JobWorkers, TASK, TRANSCRIPTION_TASK } from '../support/job-workers.js';

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
