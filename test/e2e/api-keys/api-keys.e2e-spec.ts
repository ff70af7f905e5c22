import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { id, keyOf, user } from '../../factories/workspace.js';
import { refusal, type Client } from '../../support/client.js';
import { startService, type TestService } from '../../support/service.js';

const UUID_7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const PAST = '2020-01-01T00:00:00Z';

/** Keys of a workspace file besides the one of `user`. */
const more = (name: string, count: number, fields: object = {}): object[] =>
  Array.from({ length: count }, (_, index) => ({
    name: `${name} ${index}`,
    key: `mrs_${name}${String(index).padStart(4, '0')}${'0'.repeat(30)}`,
    ...fields,
  }));

const withKeys = (name: string, ...keys: object[]): object =>
  user(name, { apiKeys: [{ name: 'test', key: keyOf(name) }, ...keys] });

describe('API keys', () => {
  let service: TestService;
  let api: Client;

  beforeAll(async () => {
    service = await startService();
    await service.import({
      users: [
        user('Grace'),
        withKeys(
          'Lin',
          { name: 'old', key: 'mrs_old000000000000000000', revoked: true },
          { name: 'short', key: 'mrs_short0000000000000000', expiresAt: PAST },
        ),
        withKeys('Many', ...more('many', 98), ...more('expired', 20, { expiresAt: PAST })),
        withKeys('Alan', ...more('alan', 150, { revoked: true })),
      ],
    });
  });
  afterAll(() => service.stop());
  let users = 0;
  beforeEach(async () => {
    users += 1;
    await service.import({ users: [user(`Ada${users}`)] });
    api = service.api.as(keyOf(`Ada${users}`));
  });
  afterEach(() => service.setNow(null));

  const as = (name: string): Client => service.api.as(keyOf(name));
  const create = async (client = api): Promise<{ id: string; key: string }> =>
    (await client.post('/api-keys', { name: 'laptop' })).body.data;

  describe('are created', () => {
    it('with the full key in the response, which acts as its user, and nowhere afterwards', async () => {
      const { status, body, headers } = await api.post('/api-keys', { name: ' laptop ' });
      const { key } = body.data;
      expect([status, body.data]).toEqual([
        201,
        {
          id: expect.stringMatching(UUID_7),
          name: 'laptop',
          prefix: key.slice(0, 12),
          key: expect.stringMatching(/^mrs_[0-9A-Za-z]{43}$/),
          created_at: expect.stringMatching(TIMESTAMP),
          expires_at: null,
          scopes: null,
          organizations: null,
          folders: null,
          addresses: null,
        },
      ]);
      expect(headers.get('location')).toBe(`/api/v1/api-keys/${body.data.id}`);
      const me = await service.api.as(key).get('/me');
      expect(me.body.data).toMatchObject({
        name: `Ada${users}`,
        api_key: { id: body.data.id, name: 'laptop', prefix: key.slice(0, 12) },
      });
      const [stored]: { text: string; hash: Buffer }[] = await service.dataSource.query(
        'SELECT k::text AS text, hash FROM api_keys k WHERE id = $1',
        [body.data.id],
      );
      expect(stored?.text).not.toContain(key.slice(12));
      expect(stored?.hash).toHaveLength(32);
      expect(JSON.stringify([me.body, (await api.get('/api-keys')).body])).not.toContain(key);
    });

    it.each([
      ['a name of 100 characters outside the Basic Multilingual Plane', { name: '😀'.repeat(100) }],
      ['an expiry as a date-time with an offset', { expires_at: '2098-01-31T09:30:00+02:00' }],
      ['an expiry as a date', { expires_at: '2098-01-31' }],
    ])('with %s', async (_, fields) => {
      const { status, body } = await api.post('/api-keys', { name: 'x', ...fields });
      expect(status).toBe(201);
      const { data } = (await api.get('/api-keys')).body;
      expect(data).toContainEqual(
        expect.objectContaining({ name: body.data.name, expires_at: body.data.expires_at }),
      );
    });

    it('until a moment after now', async () => {
      service.setNow(new Date('2030-01-01T00:00:00Z'));
      const until = (time: string) => api.post('/api-keys', { name: 'x', expires_at: time });
      expect((await until('2030-01-01T00:00:00Z')).status).toBe(400);
      expect((await until('2030-01-01T00:00:00.001Z')).status).toBe(201);
    });

    it.each([
      ['no name', {}, 'name'],
      ['a blank name', { name: ' \t\u00a0\n ' }, 'name'],
      ['a name of 101 characters', { name: '😀'.repeat(101) }, 'name'],
      ['a name with a NUL character', { name: 'lap\0top' }, 'name'],
      ['no calendar day', { name: 'x', expires_at: '2098-02-30T00:00:00Z' }, 'expires_at'],
      ['a key chosen by the client', { name: 'x', key: 'mrs_00000000000000000000' }, 'key'],
    ])('but not with %s', async (_, body, named) => {
      const reply = await api.post('/api-keys', body);
      expect([reply.status, reply.body]).toEqual([
        400,
        refusal('VALIDATION_ERROR', expect.stringContaining(named)),
      ]);
      expect((await api.get('/api-keys')).body.data).toHaveLength(1);
    });

    it('if fewer than 100 work, however many are created at once', async () => {
      const replies = await Promise.all(
        Array.from({ length: 8 }, () => as('Many').post('/api-keys', { name: 'one more' })),
      );
      expect(replies.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(7).fill(409)]);
      expect(replies.find(({ status }) => status === 409)?.body).toEqual(
        refusal('CONFLICT', 'A user can have at most 100 API keys; revoke one that is no longer used.'),
      );
      const { body } = await as('Many').get('/api-keys');
      const working = body.data.find((one: { expires_at: string | null }) => one.expires_at === null);
      await as('Many').delete(`/api-keys/${working.id}`);
      expect((await as('Many').post('/api-keys', { name: 'one more' })).status).toBe(201);
    });
  });

  it('are listed to their user alone, newest first, also revoked and expired ones', async () => {
    const { body } = await as('Lin').get('/api-keys');
    const common = {
      id: expect.any(String),
      created_at: expect.stringMatching(TIMESTAMP),
      last_used_at: null,
      last_used_address: null,
      expires_at: null,
      scopes: null,
      organizations: null,
      folders: null,
      addresses: null,
      is_revoked: false,
      replaced_by: null,
    };
    expect(body.data).toHaveLength(3);
    expect(body.data).toEqual(
      expect.arrayContaining([
        { ...common, name: 'test', prefix: 'mrs_Lin00000' },
        { ...common, name: 'old', prefix: 'mrs_old00000', is_revoked: true },
        { ...common, name: 'short', prefix: 'mrs_short000', expires_at: '2020-01-01T00:00:00.000Z' },
      ]),
    );
    for (const [day, name] of ['first', 'second'].entries()) {
      service.setNow(new Date(Date.UTC(2097, 0, day + 1)));
      await as('Grace').post('/api-keys', { name });
    }
    const { data } = (await as('Grace').get('/api-keys')).body;
    expect(data.map(({ name }: { name: string }) => name)).toEqual(['second', 'first', 'test']);
  });

  it('are kept after their end: the 100 that ended last', async () => {
    const created = await create(as('Alan'));
    await service.api.as(created.key).delete(`/api-keys/${created.id}`);
    await create(as('Alan'));
    const { data } = (await as('Alan').get('/api-keys')).body;
    const ended = data.filter((key: { is_revoked: boolean }) => key.is_revoked);
    expect([ended.length, data.length]).toEqual([100, 102]);
    expect(ended.map((key: { id: string }) => key.id)).toContain(created.id);
  });

  describe('are revoked', () => {
    it('with immediate effect, and permanently', async () => {
      const key = await create();
      expect((await service.api.as(key.key).get('/me')).status).toBe(200);
      const { status, body } = await api.delete(`/api-keys/${key.id}`);
      expect([status, body]).toEqual([200, { data: { success: true } }]);
      const refused = await service.api.as(key.key).get('/me');
      expect([refused.status, refused.body]).toEqual([401, refusal('INVALID_API_KEY')]);
      const again = await api.delete(`/api-keys/${key.id}`);
      expect([again.status, again.body]).toEqual([400, refusal('ALREADY_REVOKED')]);
      const { data } = (await api.get('/api-keys')).body;
      expect(data).toContainEqual(expect.objectContaining({ id: key.id, is_revoked: true }));
    });

    it('by exactly one of many concurrent requests', async () => {
      const key = await create();
      const replies = await Promise.all(Array.from({ length: 8 }, () => api.delete(`/api-keys/${key.id}`)));
      expect(replies.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(7).fill(400)]);
    });

    it.each([
      ['an unknown id', id()],
      ['a NUL character', 'a%00b'],
    ])('but not by %s', async (_, unknown) => {
      const { status, body } = await api.delete(`/api-keys/${unknown}`);
      expect([status, body]).toEqual([404, refusal('API_KEY_NOT_FOUND')]);
    });

    it('by nobody else, who learns nothing about them', async () => {
      const graces = await create(as('Grace'));
      const foreign = await api.delete(`/api-keys/${graces.id}`);
      expect([foreign.status, foreign.body]).toEqual([404, refusal('API_KEY_NOT_FOUND')]);
      expect((await service.api.as(graces.key).get('/me')).status).toBe(200);
      await as('Grace').delete(`/api-keys/${graces.id}`);
      expect((await api.delete(`/api-keys/${graces.id}`)).body).toEqual(foreign.body);
    });
  });
});
