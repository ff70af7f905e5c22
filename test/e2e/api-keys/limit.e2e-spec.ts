import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { emailOf, keyOf, user } from '../../factories/workspace.js';
import { refusal } from '../../support/client.js';
import { startService, type TestService } from '../../support/service.js';

const PAST = '2020-01-01T00:00:00Z';

/** Keys of a workspace file besides the one of `user`. */
function more(name: string, count: number, fields: object = {}): object[] {
  return Array.from({ length: count }, (_, index) => ({
    name: `${name} ${index}`,
    key: `mrs_${name}${String(index).padStart(4, '0')}${'0'.repeat(30)}`,
    ...fields,
  }));
}

const withKeys = (name: string, ...keys: object[]): object =>
  user(name, { apiKeys: [{ name: 'test', key: keyOf(name) }, ...keys] });

describe('the number of API keys', () => {
  let service: TestService;

  beforeAll(async () => {
    service = await startService();
    await service.import({
      users: [
        withKeys('Ada', ...more('ada', 98), ...more('expired', 20, { expiresAt: PAST })),
        withKeys('Grace', ...more('grace', 99)),
        withKeys('Alan', ...more('alan', 150, { revoked: true })),
      ],
    });
  });
  afterAll(() => service.stop());

  const create = (name: string, fields: object = {}) =>
    service.api.as(keyOf(name)).post('/api-keys', { name: 'one more', ...fields });

  it('is at most 100 that work, however many are created at once', async () => {
    const replies = await Promise.all(Array.from({ length: 8 }, () => create('Ada')));
    expect(replies.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(7).fill(409)]);
    expect(replies.find(({ status }) => status === 409)?.body).toEqual(
      refusal('CONFLICT', 'A user can have at most 100 API keys; revoke one that is no longer used.'),
    );
  });

  it('allows another one once a key has been revoked', async () => {
    expect((await create('Grace')).status).toBe(409);
    const { body } = await service.api.as(keyOf('Grace')).get('/api-keys');
    await service.api.as(keyOf('Grace')).delete(`/api-keys/${body.data[0].id}`);
    expect((await create('Grace')).status).toBe(201);
    expect((await create('Grace')).status).toBe(409);
  });

  it('keeps the 100 revoked or expired keys that ended last', async () => {
    const created = await create('Alan');
    const { body } = await service.api.as(keyOf('Alan')).get('/api-keys');
    const ended = body.data.filter((key: { is_revoked: boolean }) => key.is_revoked);
    expect([ended.length, body.data.length]).toEqual([100, 102]);
    await service.api.as(created.body.data.key).delete(`/api-keys/${created.body.data.id}`);
    await create('Alan');
    const after = await service.api.as(keyOf('Alan')).get('/api-keys');
    const ids = after.body.data.map(({ id }: { id: string }) => id);
    expect(ids).toContain(created.body.data.id);
    expect(ids).toHaveLength(102);
  });

  it('does not depend on other users', async () => {
    await service.import({ users: [user('Joan', { email: emailOf('Joan') })] });
    expect((await create('Joan')).status).toBe(201);
  });
});
