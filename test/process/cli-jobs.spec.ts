import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { JobsService } from '../../src/platform/jobs/jobs.service.js';
import { keyOf, recording, user } from '../factories/workspace.js';
import { commandsOn } from '../support/command-line.js';
import { startService, type TestService } from '../support/service.js';

const call = recording('Ada', { status: 'PROCESSING' });

describe('jobs on the command line', () => {
  let service: TestService;

  beforeAll(async () => {
    service = await startService();
    await service.import({ users: [user('Ada')], recordings: [call] });
    await rows(`DELETE FROM graphile_worker._private_jobs`);
    const jobs = service.app.get(JobsService);
    const { manager } = service.dataSource;
    const payload = { recordingId: call.id, token: 'hunter2', _cause: { requestId: 'request-1' } };
    await jobs.enqueue(manager, 'packaging.package', [payload], { key: `package:${call.id}` });
    await jobs.enqueue(manager, 'media.tidy', [{ recordingId: call.id }], { runAt: new Date('2999-01-01Z') });
    await jobs.enqueue(manager, 'media.discard', [{ keys: [] }, { keys: ['a'] }]);
  });
  afterAll(() => service.stop());

  const { says, json, refuses } = commandsOn(() => service);
  const rows = (statement: string): Promise<unknown> => service.dataSource.query(statement);
  const list = async (...args: string[]): Promise<Record<string, unknown>[]> => json('jobs', 'list', ...args);
  const idOf = async (kind: string): Promise<string> => String((await list('--kind', kind))[0]?.['id']);
  const failAll = (kind: string): Promise<unknown> =>
    rows(`UPDATE graphile_worker._private_jobs j SET attempts = max_attempts, last_error = E'https://ada:hunter2@x\\nno answer'
      FROM graphile_worker._private_tasks t WHERE t.id = task_id AND identifier = '${kind}'`);

  it('lists those that are not done, by kind and state, at most as many as asked for', async () => {
    const kinds = async (...args: string[]) => (await list(...args)).map(({ kind }) => kind);
    expect(await kinds()).toEqual(['packaging.package', 'media.discard', 'media.discard', 'media.tidy']);
    expect(await kinds('--state', 'scheduled')).toEqual(['media.tidy']);
    expect(await kinds('--state', 'waiting', '--limit', '1')).toEqual(['packaging.package']);
    expect(await kinds('--kind', 'nonsense')).toEqual([]);
    expect(await says('jobs', 'list', '--kind', 'media.tidy')).toBe(
      `${await idOf('media.tidy')}  media.tidy  scheduled  0/25  2999-01-01T00:00:00.000Z  ${call.id}  `.trimEnd(),
    );
    await refuses(
      2,
      /Allowed choices are running, waiting, scheduled, failed/,
      'jobs',
      'list',
      '--state',
      'x',
    );
  });

  it('shows one with its recording, cause and last error, without secrets', async () => {
    await failAll('packaging.package');
    const shown = await json('jobs', 'show', await idOf('packaging.package'));
    expect(shown).toMatchObject({
      state: 'failed',
      attempts: 25,
      recordingId: call.id,
      requestId: 'request-1',
      lastError: 'https://ada:[hidden]@x\nno answer',
      payload: { recordingId: call.id, token: '[hidden]' },
    });
    expect(await says('jobs', 'show', shown.id)).toMatch(
      /^request +request-1\n[^]*^last error +https\S+ no answer$/m,
    );
  });

  it('tells that there is none with an id, whatever it is', async () => {
    for (const command of ['show', 'retry', 'drop'])
      for (const id of ['9'.repeat(18), '9'.repeat(40), 'nonsense', '1;DROP', '-1'])
        await refuses(4, /there is no job with this id/, 'jobs', command, '--', id);
  });

  it('retries one, or all that have failed, also those without attempts', async () => {
    await refuses(2, /^give the id of a job, or --failed$/, 'jobs', 'retry');
    await failAll('media.discard');
    await failAll('media.tidy');
    const tidy = await idOf('media.tidy');
    expect(await json('jobs', 'retry', tidy)).toEqual({ retried: 1 });
    expect(await list('--kind', 'media.tidy')).toMatchObject([{ state: 'waiting', attempts: 0 }]);
    expect(await says('jobs', 'retry', '--failed', '--kind', 'media.discard')).toBe('Due now: 2 jobs.');
    expect((await list('--state', 'failed')).map(({ kind }) => kind)).toEqual(['packaging.package']);
  });

  it('leaves a running one alone', async () => {
    const tidy = await idOf('media.tidy');
    await rows(
      `UPDATE graphile_worker._private_jobs SET locked_at = now(), locked_by = 'someone' WHERE id = ${tidy}`,
    );
    await refuses(3, /: the job is running$/, 'jobs', 'drop', tidy);
    await refuses(3, /: the job is running$/, 'jobs', 'retry', tidy);
    expect(await list('--state', 'running')).toMatchObject([{ id: tidy }]);
  });

  it('drops one, and what waits for it learns that it failed', async () => {
    const id = await idOf('packaging.package');
    expect(await says('jobs', 'drop', id)).toBe(
      `Dropped job ${id}, packaging.package of recording ${call.id}.`,
    );
    expect(await list('--kind', 'packaging.package')).toEqual([]);
    const { body } = await service.api.as(keyOf('Ada')).get(`/recordings/${call.id}`);
    expect(body.data.status).toBe('ERROR');
  });
});
