import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { JobOwner } from '../../src/platform/jobs/fair-share.js';
import { until } from '../support/process.js';
import { FETCH_TASK, JobWorkers, TASK, TRANSCRIPTION_TASK } from '../support/job-workers.js';

const ADA: JobOwner = { userId: randomUUID(), organizationId: null };
const BEN: JobOwner = { userId: randomUUID(), organizationId: null };

describe('the lanes of a worker', () => {
  let workers: JobWorkers;
  beforeEach(async () => {
    workers = await JobWorkers.open();
  });
  afterEach(() => workers.close());

  it('have their own slots: a transcription starts while all others are busy, and the reverse', async () => {
    await workers.start(2);
    await workers.enqueue(TASK, {}, 'package-1', 'package-2', 'package-3');
    await workers.enqueue(TRANSCRIPTION_TASK, {}, 'speech-1', 'speech-2');
    await workers.runs('package-1', 'package-2', 'speech-1');
    workers.end('package-1');
    await workers.runs('package-2', 'package-3', 'speech-1');
    workers.end('package-2');
    workers.end('package-3');
    await workers.runs('speech-1');
    await workers.enqueue(TASK, {}, 'package-4', 'package-5');
    await workers.runs('package-4', 'package-5', 'speech-1');
    expect(workers.done).not.toContain('speech-1');
  });

  it('log how each job ended', async () => {
    await workers.start(2);
    const before = workers.logged(FETCH_TASK).length;
    await workers.enqueue(FETCH_TASK, {}, 'file');
    await workers.runs('file');
    const { id } = workers.jobOf('file');
    workers.end('file');
    await until('the line', () => workers.logged(FETCH_TASK).length > before);
    expect(workers.logged(FETCH_TASK).at(-1)).toMatchObject({
      level: 30,
      kind: FETCH_TASK,
      job: id,
      seconds: expect.any(Number),
      result: 'done',
    });
  });

  it('run one transcription at a time in each process', async () => {
    await workers.start(4);
    await workers.enqueue(TRANSCRIPTION_TASK, {}, 'speech-1', 'speech-2', 'speech-3');
    await workers.enqueue(TASK, {}, 'package-1', 'package-2');
    await workers.runs('package-1', 'package-2', 'speech-1');
    await workers.start(4);
    await workers.runs('package-1', 'package-2', 'speech-1', 'speech-2');
    workers.end('speech-1');
    await workers.runs('package-1', 'package-2', 'speech-2', 'speech-3');
    expect(workers.done).toEqual(['speech-1']);
  });

  it('are shared fairly one by one: a user who holds their share of one may use the other', async () => {
    await Promise.all([workers.start(2), workers.start(2)]);
    await workers.enqueue(TASK, { owner: ADA }, 'ada-1', 'ada-2', 'ada-3');
    await workers.runs('ada-1', 'ada-2');
    await workers.enqueue(TRANSCRIPTION_TASK, { owner: ADA }, 'ada-speech-1', 'ada-speech-2');
    await workers.runs('ada-1', 'ada-2', 'ada-speech-1');
    await workers.enqueue(TRANSCRIPTION_TASK, { owner: BEN }, 'ben-speech-1');
    await workers.enqueue(TASK, { owner: BEN }, 'ben-1', 'ben-2');
    await workers.runs('ada-1', 'ada-2', 'ada-speech-1', 'ben-1', 'ben-2', 'ben-speech-1');
  });

  it("fetch four files at a time, of which another user's starts at once however many a user has ordered", async () => {
    const files = (user: string) => Array.from({ length: 10 }, (_, index) => `${user}-${index}`);
    const fetching = (owner: JobOwner) => ({ owner, afterOwn: true }) as const;
    await workers.start(1);
    for (const file of files('ada')) await workers.enqueue(FETCH_TASK, fetching(ADA), file);
    await workers.runs('ada-0', 'ada-1');
    for (const file of files('ben')) await workers.enqueue(FETCH_TASK, fetching(BEN), file);
    await workers.runs('ada-0', 'ada-1', 'ben-0', 'ben-1');
    workers.end('ben-0');
    await workers.runs('ada-0', 'ada-1', 'ben-1', 'ben-2');
    await workers.enqueue(TASK, {}, 'package-1');
    await workers.runs('ada-0', 'ada-1', 'ben-1', 'ben-2', 'package-1');
  });

  it('give half of their slots to a group at most, over all owners and processes', async () => {
    await Promise.all([workers.start(1), workers.start(1)]);
    const owner = (): JobOwner => ({ userId: randomUUID(), organizationId: null });
    const slow = Array.from({ length: 8 }, (_, index) => `slow-${index}`);
    for (const name of slow) await workers.enqueue(FETCH_TASK, { owner: owner(), group: 'slow' }, name);
    await workers.runs('slow-0', 'slow-1', 'slow-2', 'slow-3');
    for (const name of ['fast-0', 'fast-1', 'fast-2', 'fast-3', 'fast-4'])
      await workers.enqueue(FETCH_TASK, { owner: owner(), priority: 1 }, name);
    await workers.runs('fast-0', 'fast-1', 'fast-2', 'fast-3', 'slow-0', 'slow-1', 'slow-2', 'slow-3');
    workers.end('slow-0');
    await workers.runs('fast-0', 'fast-1', 'fast-2', 'fast-3', 'slow-1', 'slow-2', 'slow-3', 'slow-4');
  });

  it('are shared between organizations too', async () => {
    const organizationId = randomUUID();
    await workers.start(4);
    await workers.enqueue(TASK, { owner: { ...ADA, organizationId } }, 'ada-1');
    await workers.enqueue(TASK, { owner: { ...BEN, organizationId } }, 'ben-1', 'ben-2');
    await workers.runs('ada-1', 'ben-1');
    await workers.enqueue(TASK, { owner: BEN }, 'ben-alone');
    await workers.runs('ada-1', 'ben-1', 'ben-alone');
  });

  it('are assigned again after the database connections were lost', async () => {
    await workers.start(2);
    await workers.dataSource.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND application_name = 'mrs worker'`,
    );
    await workers.enqueue(TASK, { owner: ADA }, 'ada-1', 'ada-2');
    await workers.enqueue(TASK, { owner: BEN }, 'ben-1');
    await workers.runs('ada-1', 'ben-1');
  });
});
