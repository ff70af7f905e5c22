import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { newApiKey } from '../../../src/contract/api-key-format.js';
import { keyOf, user } from '../../factories/workspace.js';
import { changesOf } from '../../support/changes.js';
import { outcome, refusal, type Client } from '../../support/client.js';
import { OpenStream } from '../../support/event-stream.js';
import { startService, type TestService } from '../../support/service.js';

describe('POST /api-keys/revoke-leaked', () => {
  let service: TestService;
  let ada: Client;
  let users = 0;

  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    users += 1;
    const expired = { name: 'expired', key: keyOf(`Old${users}n`), expiresAt: '2020-01-01T00:00:00Z' };
    const keys = [{ name: 'test', key: keyOf(`Ada${users}`) }, expired];
    await service.import({ users: [user(`Ada${users}`, { apiKeys: keys })] });
    ada = service.api.as(keyOf(`Ada${users}`));
  });

  const report = (...keys: unknown[]) => service.api.post('/api-keys/revoke-leaked', { keys });
  const make = async (fields: object = {}): Promise<{ id: string; key: string }> =>
    (await ada.post('/api-keys', { name: 'leaked', ...fields })).body.data;
  const me = async (key: string) => outcome(await service.api.as(key).get('/me'));

  it("revokes keys at once, without a key of one's own", async () => {
    const [first, second] = [await make(), await make({ scopes: ['questions'], expires_in: 60 })];
    const stream = await OpenStream.open(service.api, first.key);
    const { status, body } = await report(first.key, second.key, first.key);
    expect([status, body]).toEqual([200, { data: { revoked: 2 } }]);
    for (const { key } of [first, second]) expect(await me(key)).toEqual([401, 'INVALID_API_KEY']);
    await stream.until(({ isOpen }) => !isOpen, 10_000);
    const { data } = (await ada.get('/api-keys')).body;
    for (const { id } of [first, second])
      expect(data).toContainEqual(expect.objectContaining({ id, is_revoked: true }));
  });

  it('revokes keys of 1.0.0 as well', async () => {
    expect((await report(keyOf(`Ada${users}`))).body.data).toEqual({ revoked: 1 });
    expect(await me(keyOf(`Ada${users}`))).toEqual([401, 'INVALID_API_KEY']);
  });

  it('ignores what is unknown, mistyped, or no longer works', async () => {
    const revoked = await make();
    await ada.delete(`/api-keys/${revoked.id}`);
    const leaked = await make();
    const { body } = await report(
      newApiKey(),
      `${leaked.key.slice(0, -1)}_`,
      leaked.key.slice(0, 12),
      'no key',
      '',
      'a\0b',
      keyOf(`Old${users}n`),
      revoked.key,
    );
    expect(body.data).toEqual({ revoked: 0 });
    expect(await me(leaked.key)).toEqual([200, null]);
    expect((await report('no key', leaked.key)).body.data).toEqual({ revoked: 1 });
  });

  it('revokes a key once, however many report it at the same time', async () => {
    const leaked = await make();
    const replies = await Promise.all(Array.from({ length: 8 }, () => report(leaked.key)));
    expect(replies.map(({ body }) => body.data.revoked).toSorted()).toEqual([...Array<number>(7).fill(0), 1]);
  });

  it('tells the user, without saying who reported it', async () => {
    const leaked = await make();
    const [change] = await changesOf(service.dataSource, () => report(leaked.key));
    expect(change).toMatchObject({
      type: 'api_key.revoked',
      actor_kind: 'anonymous',
      actor_id: null,
      api_key_id: null,
      target_id: leaked.id,
    });
    const { data } = (await ada.get('/me/audit-log?type=api_key.revoked')).body;
    expect(data).toMatchObject([
      {
        actor: { kind: 'anonymous', id: null },
        target_id: leaked.id,
        changes: { prefix: leaked.key.slice(0, 12) },
      },
    ]);
  });

  it.each([
    ['no list', { keys: keyOf('Ada') }],
    ['no keys', { keys: [] }],
    ['more than 100', { keys: Array.from({ length: 101 }, (_, index) => keyOf(`Many${index}n`)) }],
    ['what is not text', { keys: [1] }],
    ['text of more than 100 characters', { keys: ['x'.repeat(101)] }],
    ['nothing', {}],
  ])('refuses %s', async (_, body) => {
    const reply = await service.api.post('/api-keys/revoke-leaked', body);
    expect([reply.status, reply.body]).toEqual([
      400,
      refusal('VALIDATION_ERROR', expect.stringContaining('keys')),
    ]);
  });

  it('takes 100 keys', async () => {
    const leaked = await make();
    const unknown = Array.from({ length: 99 }, (_, index) => 'x'.repeat(95) + index);
    expect((await report(...unknown, leaked.key)).body.data).toEqual({ revoked: 1 });
  });

  it('is limited by address, whatever the key of the request', async () => {
    const limited = await startService({ RATE_LIMIT_PASSWORDS_PER_MINUTE: '3' });
    try {
      const statuses: number[] = [];
      for (const client of [limited.api, limited.api, limited.api.as(newApiKey()), limited.api]) {
        const { status } = await client.post('/api-keys/revoke-leaked', { keys: [newApiKey()] });
        statuses.push(status);
      }
      expect(statuses).toEqual([200, 200, 200, 429]);
    } finally {
      await limited.stop();
    }
  });
});
