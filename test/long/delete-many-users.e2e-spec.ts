import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { keyOf, member, organization, recording, transcript, user } from '../factories/workspace.js';
import { eventually, startService, type TestService } from '../support/service.js';

/** Three batches. */
const MANY = 600;

/** By a worker with a single slot. */
describe('what has many recordings is deleted in the background', () => {
  let service: TestService;
  const meeting = recording('Ada', { transcript: transcript(40) });
  const acme = organization('Acme', { members: [member('Eve', 'OWNER')] });
  const [ada, eve] = [user('Ada'), user('Eve')];

  beforeAll(async () => {
    service = await startService({ WORKER_CONCURRENCY: '1' }, { worker: true });
    await service.import({ users: [ada, eve], organizations: [acme], recordings: [meeting] });
  });
  afterAll(() => service.stop());

  const left = async (): Promise<number> => {
    const [row] = await service.dataSource.query('SELECT count(*)::int AS count FROM recordings');
    return row.count - 1;
  };

  it('an organization, while the work of others goes on', async () => {
    await service.dataSource.query(
      `INSERT INTO recordings (id, owner_id, organization_id, title, status, progress, created_at, updated_at)
       SELECT gen_random_uuid(), $1, $2, 'Weekly', 'COMPLETED', 1, now(), now() FROM generate_series(1, ${MANY})`,
      [eve.id, acme.id],
    );
    const lock = service.dataSource.createQueryRunner();
    await lock.startTransaction();
    // The deletion cannot end before the lock does.
    await lock.query(
      'SELECT FROM recordings WHERE organization_id = $1 ORDER BY ctid DESC LIMIT 1 FOR UPDATE',
      [acme.id],
    );
    try {
      const removed = await service.api
        .as(keyOf('Eve'))
        .delete(`/organizations/${acme.id}?recordings=delete`);
      expect(removed.status).toBe(200);
      const summary = `/recordings/${meeting.id}/summary`;
      expect((await service.api.as(keyOf('Ada')).post(summary)).status).toBe(202);
      await eventually(async () => {
        const { body } = await service.api.as(keyOf('Ada')).get(summary);
        expect(body.data.status).toBe('completed');
      });
    } finally {
      await lock.commitTransaction();
      await lock.release();
    }
    await eventually(async () => {
      const homes = await service.dataSource.query('SELECT FROM organizations WHERE deleted_at IS NOT NULL');
      expect([await left(), homes]).toEqual([0, []]);
    });
  });
});
