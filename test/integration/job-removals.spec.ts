import { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { holdRemovals } from '../../src/platform/database/backup-lock.js';
import { LOCK_CLASSES, LOCKS } from '../../src/platform/database/lock-numbers.js';
import { JobWorkers, REMOVAL_TASK, TASK } from '../support/job-workers.js';
import { until } from '../support/process.js';

describe('jobs that remove objects', () => {
  let workers: JobWorkers;
  beforeEach(async () => {
    workers = await JobWorkers.open();
  });
  afterEach(() => workers.close());

  it('wait while a backup runs, and then run, as others do meanwhile', async () => {
    const backup = new Client({ connectionString: workers.database.url });
    await backup.connect();
    try {
      expect(await holdRemovals(backup)).toBe(true);
      await workers.start(2);
      await workers.enqueue(REMOVAL_TASK, {}, 'removal');
      await workers.enqueue(TASK, {}, 'other');
      const putOff = `SELECT 1 FROM graphile_worker.jobs
        WHERE task_identifier = $1 AND run_at > now() AND locked_at IS NULL`;
      await until('the removal to be put off', async () => {
        const rows: unknown[] = await workers.dataSource.query(putOff, [REMOVAL_TASK]);
        return rows.length === 1;
      });
      await workers.runs('other');
    } finally {
      await backup.end();
    }
    await workers.dataSource.query(
      'SELECT graphile_worker.reschedule_jobs(array_agg(id), now()) FROM graphile_worker.jobs WHERE task_identifier = $1',
      [REMOVAL_TASK],
    );
    await workers.runs('other', 'removal');
  });
});

it('no two advisory locks have the same number', () => {
  for (const numbers of [Object.values(LOCKS), Object.values(LOCK_CLASSES)])
    expect(new Set<number>(numbers).size).toBe(numbers.length);
});
