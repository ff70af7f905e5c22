import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { keyOf, member, organization, recording, user } from '../../factories/workspace.js';
import { eventually, startService, type TestService } from '../../support/service.js';

describe('the counts of recordings', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService({}, { worker: true });
  });
  afterAll(() => service.stop());

  const rows = async (): Promise<{ n: number; folded: boolean }[]> =>
    service.dataSource.query('SELECT n, folded FROM recording_counts');

  it('are folded every minute by a worker into one row each', async () => {
    const home = organization('Acme', { members: [member('Ada', 'OWNER')] });
    await service.import({ users: [user('Ada')], organizations: [home] });
    for (const title of ['First', 'Second', 'Third']) {
      await service.import({ recordings: [recording('Ada', { title, organization: 'Acme' })] });
    }
    await eventually(async () => {
      const due = await service.dataSource.query(
        'SELECT identifier FROM graphile_worker._private_known_crontabs',
      );
      expect(due).toContainEqual({ identifier: 'recordings.fold-counts' });
    });
    // As if it were due.
    await service.dataSource.query(`SELECT graphile_worker.add_job('recordings.fold-counts')`);
    await eventually(async () =>
      expect(await rows()).toEqual([
        { n: 3, folded: true },
        { n: 3, folded: true },
      ]),
    );
    const { body } = await service.api.as(keyOf('Ada')).get('/recordings');
    expect(body.pagination.total).toBe(3);
  });
});
