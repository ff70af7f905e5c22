import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { JobOwner } from '../../src/platform/jobs/fair-share.js';
import type { JobsService } from '../../src/platform/jobs/jobs.service.js';
import { FETCH_TASK, JobWorkers, TRANSCRIPTION_TASK } from '../support/job-workers.js';

const ADA: JobOwner = { userId: randomUUID(), organizationId: null };
const BEN: JobOwner = { userId: randomUUID(), organizationId: null };
const IN_AN_HOUR = new Date(Date.now() + 3_600_000);

describe('a running job is outranked', () => {
  let workers: JobWorkers;
  let worker: JobsService;
  beforeEach(async () => {
    workers = await JobWorkers.open();
    worker = await workers.start(1);
    await workers.enqueue(TRANSCRIPTION_TASK, { owner: ADA, priority: 5 }, 'running');
    await workers.runs('running');
  });
  afterEach(() => workers.close());

  const isOutranked = (): Promise<boolean> =>
    worker.isOutranked(TRANSCRIPTION_TASK, workers.jobOf('running'));

  it('by a waiting job with a lower number, of the same owner too', async () => {
    expect(await isOutranked()).toBe(false);
    await workers.enqueue(TRANSCRIPTION_TASK, { owner: ADA, priority: 4 }, 'waiting');
    expect(await isOutranked()).toBe(true);
    workers.end('running');
    await workers.runs('waiting');
  });

  it('neither by one with the same number, nor by one that is not due or has failed for good', async () => {
    await workers.enqueue(TRANSCRIPTION_TASK, { priority: 5 }, 'same');
    await workers.enqueue(TRANSCRIPTION_TASK, { priority: 4, runAt: IN_AN_HOUR }, 'later');
    await workers.enqueue(TRANSCRIPTION_TASK, { priority: 4, runAt: IN_AN_HOUR }, 'failed');
    await workers.dataSource.query(
      `UPDATE graphile_worker._private_jobs SET attempts = max_attempts, run_at = now()
       WHERE payload->>'name' = 'failed'`,
    );
    expect(await isOutranked()).toBe(false);
  });

  it('not by a job whose owner holds their share in another process: it would not get the slot', async () => {
    await workers.start(1);
    await workers.enqueue(TRANSCRIPTION_TASK, { owner: BEN, priority: 0 }, 'ben-1');
    await workers.runs('ben-1', 'running');
    await workers.enqueue(TRANSCRIPTION_TASK, { owner: BEN, priority: 0 }, 'ben-2');
    expect(await isOutranked()).toBe(false);
    await workers.enqueue(TRANSCRIPTION_TASK, { owner: ADA, priority: 0 }, 'ada-1');
    expect(await isOutranked()).toBe(true);
  });
});

describe('of the jobs of a group, which hold half of the slots', () => {
  let workers: JobWorkers;
  let worker: JobsService;
  beforeEach(async () => {
    workers = await JobWorkers.open();
    worker = await workers.start(1);
    await workers.enqueue(FETCH_TASK, { group: 'slow', priority: 5 }, 'slow-1', 'slow-2');
    await workers.enqueue(FETCH_TASK, { priority: 5 }, 'fast-1');
    await workers.runs('fast-1', 'slow-1', 'slow-2');
    await workers.enqueue(FETCH_TASK, { group: 'slow', priority: 0 }, 'slow-3');
  });
  afterEach(() => workers.close());
  const isOutranked = (name: string): Promise<boolean> => worker.isOutranked(FETCH_TASK, workers.jobOf(name));

  it('a waiting one outranks another, though a slot is free', async () => {
    expect(await isOutranked('slow-1')).toBe(true);
    workers.end('slow-1');
    await workers.runs('fast-1', 'slow-2', 'slow-3');
  });

  it('a waiting one outranks none outside of the group: it would not get the slot', async () => {
    await workers.enqueue(FETCH_TASK, { priority: 5 }, 'fast-2');
    await workers.runs('fast-1', 'fast-2', 'slow-1', 'slow-2');
    expect(await isOutranked('fast-1')).toBe(false);
    await workers.enqueue(FETCH_TASK, { priority: 4 }, 'fast-3');
    expect(await isOutranked('fast-1')).toBe(true);
    expect(await isOutranked('slow-1')).toBe(true);
  });
});

it('a job that gives way is resumed after the one that outranked it', async () => {
  const workers = await JobWorkers.open();
  try {
    const worker = await workers.start(1);
    await workers.enqueue(TRANSCRIPTION_TASK, { owner: ADA, afterOwn: true }, 'ada-1', 'ada-2', 'ada-3');
    await workers.runs('ada-1');
    workers.end('ada-1');
    await workers.runs('ada-2');
    await workers.enqueue(TRANSCRIPTION_TASK, { owner: BEN, afterOwn: true }, 'ben-1');
    const job = workers.jobOf('ada-2');
    expect(await worker.isOutranked(TRANSCRIPTION_TASK, job)).toBe(true);
    await workers.enqueue(TRANSCRIPTION_TASK, { owner: ADA, priority: job.priority }, 'ada-2');
    workers.end('ada-2');
    await workers.runs('ben-1');
    workers.end('ben-1');
    await workers.runs('ada-2');
    expect(await worker.isOutranked(TRANSCRIPTION_TASK, workers.jobOf('ada-2'))).toBe(false);
  } finally {
    await workers.close();
  }
});
