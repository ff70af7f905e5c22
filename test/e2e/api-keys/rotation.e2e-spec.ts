import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { id, keyOf, user } from '../../factories/workspace.js';
import { changesOf } from '../../support/changes.js';
import { outcome, refusal, type Client, type Reply } from '../../support/client.js';
import { startService, waitingForLocks, type TestService } from '../../support/service.js';

const NOW = '2030-01-01T00:00:00.000Z';
const DAY_MS = 86_400_000;
const after = (ms: number): string => new Date(Date.parse(NOW) + ms).toISOString();

describe('POST /api-keys/:id/rotate', () => {
  let service: TestService;
  let ada: Client;
  let users = 0;

  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    users += 1;
    await service.import({ users: [user(`Ada${users}`)] });
    ada = service.api.as(keyOf(`Ada${users}`));
    at(0);
  });
  afterEach(() => service.setNow(null));

  const at = (ms: number): void => service.setNow(new Date(after(ms)));
  const make = async (fields: object = {}): Promise<{ id: string; key: string; as: Client }> => {
    const { data } = (await ada.post('/api-keys', { name: 'robot', ...fields })).body;
    return { ...data, as: service.api.as(data.key) };
  };
  const rotate = (keyId: string, body?: object, by = ada): Promise<Reply> =>
    by.post(`/api-keys/${keyId}/rotate`, body);
  const listed = async (keyId: string) => (await ada.get(`/api-keys/${keyId}`)).body.data;
  const works = async (key: string) => (await service.api.as(key).get('/me')).body.error?.code ?? true;

  it('makes a key like the other, and says in one reply what it is and when the other ends', async () => {
    const old = await make({ scopes: ['read-only'], expires_in: 30 * 86_400 });
    const { status, body, headers } = await rotate(old.id);
    const { scopes } = await listed(old.id);
    expect([status, body.data]).toEqual([
      201,
      {
        id: expect.any(String),
        name: 'robot',
        prefix: body.data.key.slice(0, 12),
        key: expect.stringMatching(/^mrs_z1[0-9A-Za-z]{41}$/),
        created_at: NOW,
        expires_at: after(30 * DAY_MS),
        scopes,
        organizations: null,
        folders: null,
        addresses: null,
        replaced: { id: old.id, expires_at: after(DAY_MS) },
      },
    ]);
    expect(headers.get('location')).toBe(`/api/v1/api-keys/${body.data.id}`);
    expect(await listed(old.id)).toMatchObject({
      replaced_by: body.data.id,
      expires_at: after(DAY_MS),
      is_revoked: false,
    });
    expect(await listed(body.data.id)).toMatchObject({ replaced_by: null, last_used_at: null });
  });

  it('lets the other work until the end of the overlap, by default a day', async () => {
    const old = await make();
    const { key } = (await rotate(old.id)).body.data;
    at(DAY_MS - 1);
    expect([await works(old.key), await works(key)]).toEqual([true, true]);
    at(DAY_MS);
    expect([await works(old.key), await works(key)]).toEqual(['API_KEY_EXPIRED', true]);
  });

  it.each([
    ['none: it ends at once', 0, 0],
    ['a second', 1, 1_000],
    ['the longest, 7 days', 7 * 86_400, 7 * DAY_MS],
  ])('takes an overlap: %s', async (_, overlap, ms) => {
    const old = await make();
    const { body } = await rotate(old.id, { overlap });
    expect(body.data.replaced.expires_at).toBe(after(ms));
    at(ms);
    expect([await works(old.key), await works(body.data.key)]).toEqual(['API_KEY_EXPIRED', true]);
  });

  it('never makes the other work longer than before', async () => {
    const old = await make({ expires_in: 3600 });
    const { body } = await rotate(old.id);
    expect(body.data).toMatchObject({
      expires_at: after(3_600_000),
      replaced: { expires_at: after(3_600_000) },
    });
  });

  it('takes a new expiry', async () => {
    const [first, second] = [await make({ expires_in: 3600 }), await make()];
    expect((await rotate(first.id, { expires_in: 90 * 86_400 })).body.data.expires_at).toBe(
      after(90 * DAY_MS),
    );
    expect((await rotate(second.id, { expires_at: '2031-01-01' })).body.data.expires_at).toBe(
      '2031-01-01T00:00:00.000Z',
    );
  });

  it.each([
    [
      'an overlap of more than 7 days',
      { overlap: 7 * 86_400 + 1 },
      'overlap: must be an integer from 0 to 604800, in seconds',
    ],
    ['a negative overlap', { overlap: -1 }, 'overlap: must be'],
    ['an overlap in words', { overlap: '1d' }, 'overlap: must be'],
    ['an expiry in the past', { expires_at: '2029-12-31' }, 'expires_at: must be'],
    ['scopes', { scopes: ['questions'] }, 'scopes'],
  ])('refuses %s, and changes nothing', async (_, body, named) => {
    const old = await make();
    const reply = await rotate(old.id, body);
    expect([reply.status, reply.body]).toEqual([
      400,
      refusal('VALIDATION_ERROR', expect.stringContaining(named)),
    ]);
    expect(await listed(old.id)).toMatchObject({ replaced_by: null, expires_at: null });
  });

  it('works once for each key, and names the one that replaces it', async () => {
    const old = await make();
    const { data } = (await rotate(old.id)).body;
    const { status, body } = await rotate(old.id);
    expect([status, body]).toEqual([409, refusal('CONFLICT', expect.stringContaining(data.id))]);
    expect((await rotate(data.id)).status).toBe(201);
  });

  it('lets exactly one of many concurrent requests succeed', async () => {
    const old = await make();
    const replies = await Promise.all(Array.from({ length: 8 }, () => rotate(old.id)));
    expect(replies.map(({ status }) => status).toSorted()).toEqual([201, ...Array<number>(7).fill(409)]);
    expect((await ada.get('/api-keys')).body.data).toHaveLength(3);
  });

  it('refuses keys that no longer work', async () => {
    const [expired, revoked] = [await make({ expires_in: 60 }), await make()];
    await ada.delete(`/api-keys/${revoked.id}`);
    at(60_000);
    expect(outcome(await rotate(revoked.id))).toEqual([400, 'ALREADY_REVOKED']);
    const { status, body } = await rotate(expired.id);
    expect([status, body]).toEqual([409, refusal('CONFLICT', `The API key expired at ${after(60_000)}.`)]);
  });

  it('finds only keys of the caller', async () => {
    const foreign = await make();
    await service.import({ users: [user(`Eve${users}`)] });
    const eve = service.api.as(keyOf(`Eve${users}`));
    for (const unknown of [foreign.id, id(), 'a%00b'])
      expect(outcome(await rotate(unknown, {}, eve))).toEqual([404, 'API_KEY_NOT_FOUND']);
    expect(await listed(foreign.id)).toMatchObject({ replaced_by: null });
  });

  it('makes no key that can do more, or works longer, than the one that asks', async () => {
    const full = await make();
    const narrow = await make({ scopes: ['keys:manage', 'questions'], expires_in: 7200 });
    const asked = (keyId: string, body: object = {}) => rotate(keyId, body, narrow.as);
    const longLived = await make({ scopes: ['questions'] });
    const shortLived = await make({ scopes: ['questions'], expires_in: 3600 });
    for (const stronger of [full, longLived])
      expect(outcome(await asked(stronger.id))).toEqual([404, 'API_KEY_NOT_FOUND']);
    for (const known of [narrow, shortLived]) {
      const longer = await asked(known.id, { expires_in: 7201 });
      expect([longer.status, longer.body]).toEqual([
        403,
        refusal('FORBIDDEN', expect.stringContaining(after(7_200_000))),
      ]);
    }
    for (const one of [full, narrow, longLived, shortLived])
      expect(await listed(one.id)).toMatchObject({ replaced_by: null });
    expect((await asked(shortLived.id, { expires_in: 7200 })).status).toBe(201);
    expect((await asked(narrow.id)).status).toBe(201);
  });

  it('counts both while they work', async () => {
    const keys = await Promise.all(Array.from({ length: 99 }, () => make()));
    const { status, body } = await rotate(keys[0]!.id);
    expect([status, body]).toEqual([
      409,
      refusal('CONFLICT', expect.stringContaining('at most 100 API keys')),
    ]);
    expect(await listed(keys[0]!.id)).toMatchObject({ replaced_by: null, expires_at: null });
    expect((await rotate(keys[0]!.id, { overlap: 0 })).status).toBe(201);
  });

  it('is logged, as one change of the old key', async () => {
    const old = await make();
    let replacedBy = '';
    const changes = await changesOf(service.dataSource, async () => {
      replacedBy = (await rotate(old.id)).body.data.id;
    });
    const ofKeys = changes.filter(({ type }) => type.startsWith('api_key.'));
    expect(ofKeys.map(({ type, target_id: target }) => [type, target])).toEqual(
      expect.arrayContaining([
        ['api_key.created', replacedBy],
        ['api_key.rotated', old.id],
      ]),
    );
    expect(ofKeys).toHaveLength(2);
    expect(ofKeys.find(({ type }) => type === 'api_key.rotated')?.details).toEqual({
      prefix: old.key.slice(0, 12),
      replaced_by: replacedBy,
    });
  });

  it('makes nothing for a key that is revoked while its request waits', async () => {
    const leaked = await make();
    const runner = service.dataSource.createQueryRunner();
    await runner.startTransaction();
    await runner.query('SELECT FROM users WHERE name = $1 FOR NO KEY UPDATE', [`Ada${users}`]);
    const waiting = [rotate(leaked.id, {}, leaked.as), leaked.as.post('/api-keys', { name: 'more' })];
    await waitingForLocks(service, 2);
    expect((await ada.delete(`/api-keys/${leaked.id}`)).status).toBe(200);
    await runner.commitTransaction();
    await runner.release();
    for (const reply of await Promise.all(waiting)) expect(outcome(reply)).toEqual([401, 'INVALID_API_KEY']);
    expect((await ada.get('/api-keys')).body.data).toHaveLength(2);
  });
});
