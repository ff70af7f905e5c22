import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { JobOwner } from '../../src/platform/jobs/fair-share.js';
import { until } from '../support/process.js';
import { FAILURE, FETCH_TASK, JobWorkers, TASK, TRANSCRIPTION_TASK } from '../support/job-workers.js';

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

  it('log a failure as a warning with its error, and the last one as an error', async () => {
    await workers.start(2);
    const before = workers.logged(FAILURE.task).length;
    await workers.enqueue(FAILURE.task, { key: FAILURE.task, maxAttempts: 2 }, 'flaky');
    await until('the lines', () => workers.logged(FAILURE.task).length === before + 2);
    const err = expect.objectContaining({ message: FAILURE.message });
    expect(workers.logged(FAILURE.task).slice(before)).toEqual([
      expect.objectContaining({ level: 40, attempt: '1 of 2', result: 'failed', err }),
      expect.objectContaining({ level: 50, attempt: '2 of 2', result: 'failed', err }),
    ]);
  });

  it('of a schedule that have failed are forgotten once the next one has succeeded', async () => {
    const failed = async (): Promise<unknown[]> =>
      workers.dataSource.query(
        `SELECT attempts, max_attempts AS max FROM graphile_worker.jobs WHERE task_identifier = '${FAILURE.task}'`,
      );
    await workers.start(2);
    await workers.enqueue(FAILURE.task, { key: FAILURE.task, maxAttempts: 1 }, 'flaky');
    await until('the failure', async () => JSON.stringify(await failed()) === '[{"attempts":1,"max":1}]');
    await setTimeout(1_500);
    expect(await failed()).toHaveLength(1);
    await workers.enqueue(FAILURE.task, { key: FAILURE.task }, 'fine');
    await until('nothing to be left', async () => (await failed()).length === 0);
  });

  it('that have failed for good are removed once that is known, without a word for one that was replaced', async () => {
    const later = { runAt: new Date('2999-01-01') };
    await workers.enqueue(FETCH_TASK, { ...later, key: 'current' }, 'current');
    await workers.enqueue(FETCH_TASK, later, 'replaced');
    await workers.dataSource.query('UPDATE graphile_worker._private_jobs SET attempts = max_attempts');
    await workers.start(2);
    await until(
      'nothing to be left',
      async () => (await workers.dataSource.query<object[]>('SELECT FROM graphile_worker.jobs')).length === 0,
    );
    expect(workers.exhausted).toEqual(['current']);
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

  it('warn once that no job can be chosen, however often that is tried, and go on when it can', async () => {
    const warnings = () => workers.linesOf('could not choose a job; retrying');
    await workers.start(2);
    const before = warnings().length;
    await workers.dataSource.query('ALTER VIEW graphile_worker.jobs RENAME TO hidden');
    await until('a warning of each lane', () => warnings().length === before + 3);
    // Twice the time after which a slot tries again.
    await setTimeout(4_000);
    expect(warnings().slice(before)).toHaveLength(3);
    expect(warnings().at(-1)).toMatchObject({
      level: 40,
      tasks: expect.any(Array),
      err: expect.objectContaining({ message: expect.stringContaining('does not exist') }),
    });
    await workers.dataSource.query('ALTER VIEW graphile_worker.hidden RENAME TO jobs');
    await workers.enqueue(TASK, { owner: ADA }, 'ada-1');
    await workers.runs('ada-1');
  });
});
