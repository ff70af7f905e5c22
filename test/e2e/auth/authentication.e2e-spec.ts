import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { Client } from 'pg';
import { ApiKeyUsageService } from '../../../src/modules/api-keys/api-key-usage.service.js';
import { emailOf, keyOf, ownDeletion, user } from '../../factories/workspace.js';
import { refusal, type Reply } from '../../support/client.js';
import { startService, type TestService } from '../../support/service.js';

const REVOKED = 'mrs_revoked00000000000000000000';
const EXPIRED = 'mrs_expired00000000000000000000';
const REVOKED_AND_EXPIRED = 'mrs_revokedAndExpired0000000000';
const EXPIRED_OF_NOBODY = 'mrs_expiredOfNobody000000000000';
const REVOKED_OF_NOBODY = 'mrs_revokedOfNobody000000000000';
const PAST = '2020-01-01T00:00:00Z';

function expectRefused({ status, headers, body }: Reply, code: string): void {
  expect(body).toEqual(refusal(code));
  expect(status).toBe(401);
  expect(headers.get('www-authenticate')).toBe('Bearer');
}

describe('Authentication', () => {
  let service: TestService;
  let other: TestService;

  beforeAll(async () => {
    service = await startService();
    await service.import({
      users: [
        user('Ada', {
          apiKeys: [
            { name: 'test', key: keyOf('Ada') },
            { name: 'revoked', key: REVOKED, revoked: true },
            { name: 'expired', key: EXPIRED, expiresAt: PAST },
            { name: 'both', key: REVOKED_AND_EXPIRED, expiresAt: PAST, revoked: true },
          ],
        }),
        user('Nobody', {
          apiKeys: [
            { name: 'test', key: keyOf('Nobody') },
            { name: 'expired', key: EXPIRED_OF_NOBODY, expiresAt: PAST },
            { name: 'revoked', key: REVOKED_OF_NOBODY, revoked: true },
          ],
        }),
      ],
    });
    expect((await service.api.as(keyOf('Nobody')).delete(ownDeletion(emailOf('Nobody')))).status).toBe(200);
    other = await startService({}, { beside: service });
  });
  afterAll(async () => {
    await other.stop();
    await service.stop();
  });

  const withHeader = (authorization: string): Promise<Reply> =>
    service.api.get('/me', { headers: { authorization } });

  it('returns the user and the key in use', async () => {
    const { body } = await service.api.as(keyOf('Ada')).get('/me');
    expect(body).toEqual({
      data: {
        id: expect.any(String),
        email: 'ada@acme.test',
        email_verified: true,
        kind: 'person',
        name: 'Ada',
        plan: 'PRO',
        is_operator: false,
        api_key: {
          id: expect.any(String),
          name: 'test',
          prefix: keyOf('Ada').slice(0, 12),
          scopes: null,
          organizations: null,
          folders: null,
          refused_by: [],
          expires_at: null,
        },
        session: null,
        quotas: expect.any(Object),
      },
    });
  });

  it('refuses a request without the header as UNAUTHORIZED', async () => {
    expectRefused(await service.api.get('/me'), 'UNAUTHORIZED');
  });

  it.each([
    ['the scheme and a space', 'Bearer '],
    ['a key without the scheme', keyOf('Ada')],
    ['another scheme', `Basic ${keyOf('Ada')}`],
    ['a list of two', `Bearer ${keyOf('Ada')}, Bearer ${keyOf('Ada')}`],
  ])('refuses a malformed header as UNAUTHORIZED: %s', async (_, header) => {
    const reply = await withHeader(header);
    expectRefused(reply, 'UNAUTHORIZED');
    expect(reply.body.error.message).toContain(
      'The Authorization header must be "Bearer", a space and an API key',
    );
  });

  it.each(['api_key', 'key', 'token', 'access_token', 'authorization'])(
    'refuses a key in the URL as UNAUTHORIZED, and warns that others may have read it: %s',
    async (name) => {
      for (const value of [keyOf('Ada'), 'mrs_wrong', `Bearer%20${keyOf('Ada')}`]) {
        const reply = await service.api.get(`/recordings?limit=5&${name}=${value}`);
        expectRefused(reply, 'UNAUTHORIZED');
        expect(reply.body.error.message).toBe(
          'The API key is in the URL, where logs and histories keep it: send it in the header "Authorization: Bearer <API_KEY>". Rotate this key, or revoke it, as others may have read it.',
        );
      }
    },
  );

  it.each([
    ['x-api-key', 'anything'],
    ['x-auth-token', keyOf('Ada')],
  ])('refuses a key in the header %s as UNAUTHORIZED, and says where it belongs', async (name, key) => {
    const reply = await service.api.get('/me', { headers: { [name]: key } });
    expectRefused(reply, 'UNAUTHORIZED');
    expect(reply.body.error.message).toBe(
      `The API key is in the header ${name}: send it in the header "Authorization: Bearer <API_KEY>".`,
    );
  });

  it('says nothing of the URL and other headers if there is no key in them', async () => {
    const reply = await service.api.get('/recordings?search=key', { headers: { 'x-tenant': 'mr' } });
    expectRefused(reply, 'UNAUTHORIZED');
    expect(reply.body.error.message).toMatch(/^Send an API key in the header/);
  });

  it('accepts the scheme in any case', async () => {
    expect((await withHeader(`bEaReR ${keyOf('Ada')}`)).status).toBe(200);
  });

  it.each([
    ['unknown', 'mrs_0123456789012345678901234567890123456789012', 'INVALID_API_KEY'],
    ['correct except for the case of a letter', keyOf('Ada').replace('Ada', 'ada'), 'INVALID_API_KEY'],
    ['very long', 'x'.repeat(8_000), 'INVALID_API_KEY'],
    ['revoked', REVOKED, 'INVALID_API_KEY'],
    ['expired', EXPIRED, 'API_KEY_EXPIRED'],
    ['of a deleted user', keyOf('Nobody'), 'USER_NOT_FOUND'],
    // In this order if there are several reasons.
    ['revoked and expired', REVOKED_AND_EXPIRED, 'INVALID_API_KEY'],
    ['revoked, of a deleted user', REVOKED_OF_NOBODY, 'INVALID_API_KEY'],
    ['expired, of a deleted user', EXPIRED_OF_NOBODY, 'API_KEY_EXPIRED'],
  ])('refuses a key that is %s', async (_, key, code) => {
    expectRefused(await service.api.as(key).get('/me'), code);
  });

  it('tells a mistyped key apart without reading the database', async () => {
    const { key } = (await service.api.as(keyOf('Ada')).post('/api-keys', { name: 'typed' })).body.data;
    const runner = service.dataSource.createQueryRunner();
    const client = (await runner.connect()) as Client;
    await runner.release();
    const query = jest.spyOn(Object.getPrototypeOf(client) as Client, 'query');
    const lookups = (): number =>
      (query.mock.calls as unknown[][]).filter(([one]) =>
        (one as { text?: string }).text?.endsWith('WHERE k.hash = $1'),
      ).length;
    for (const typed of [
      `${key.slice(0, -1)}${key.endsWith('0') ? 1 : 0}`,
      key.slice(0, 20),
      'x'.repeat(47),
      'mrs_wrong',
    ]) {
      const refused = await service.api.as(typed).get('/me');
      expectRefused(refused, 'INVALID_API_KEY');
      expect(refused.body.error.message).toMatch(
        /^This API key is malformed\. .*(mistyped|mrs_ followed by)/,
      );
    }
    expect(lookups()).toBe(0);
    expect((await service.api.as(key).get('/me')).status).toBe(200);
    expect(lookups()).toBe(1);
    query.mockRestore();
  });

  it('accepts a key until the moment it expires, and not from then on', async () => {
    const api = service.api.as(keyOf('Ada'));
    const { body } = await api.post('/api-keys', { name: 'short', expires_at: '2098-05-01T12:00:00Z' });
    service.setNow(new Date('2098-05-01T11:59:59.999Z'));
    expect((await service.api.as(body.data.key).get('/me')).status).toBe(200);
    service.setNow(new Date('2098-05-01T12:00:00Z'));
    const expired = await service.api.as(body.data.key).get('/me');
    expectRefused(expired, 'API_KEY_EXPIRED');
    expect(expired.body.error.message).toContain('The API key expired at 2098-05-01T12:00:00.000Z. Create');
    service.setNow(null);
  });

  it('refuses a key immediately on every instance when one of them has revoked it', async () => {
    const { body } = await service.api.as(keyOf('Ada')).post('/api-keys', { name: 'stolen' });
    const { id, key } = body.data;
    const elsewhere = other.api.as(key);
    expect((await elsewhere.get('/me')).status).toBe(200);
    expect((await service.api.as(keyOf('Ada')).delete(`/api-keys/${id}`)).status).toBe(200);
    expectRefused(await elsewhere.get('/me'), 'INVALID_API_KEY');
    expectRefused(await service.api.as(key).get('/recordings'), 'INVALID_API_KEY');
  });

  it('writes the time of last use later, and once for all requests', async () => {
    const api = service.api.as(keyOf('Ada'));
    const usage = service.app.get(ApiKeyUsageService, { strict: false });
    const { body } = await api.post('/api-keys', { name: 'busy' });
    await usage.flush();
    const version = async (): Promise<string> => {
      const [row]: { xmin: string }[] = await service.dataSource.query(
        'SELECT xmin::text FROM api_keys WHERE id = $1',
        [body.data.id],
      );
      return row?.xmin ?? '';
    };
    const unused = await version();
    const before = Date.now();
    await Promise.all(Array.from({ length: 10 }, () => service.api.as(body.data.key).get('/me')));
    expect(await version()).toBe(unused);
    await usage.flush();
    expect(await version()).not.toBe(unused);
    const { body: list } = await api.get('/api-keys');
    const listed = list.data.find((item: { id: string }) => item.id === body.data.id);
    expect(Date.parse(listed.last_used_at)).toBeGreaterThanOrEqual(before);
    expect(Date.parse(listed.last_used_at)).toBeLessThanOrEqual(Date.now());
  });

  it('does not count a refused request as a use of the key', async () => {
    await service.api.as(EXPIRED).get('/me');
    await service.app.get(ApiKeyUsageService, { strict: false }).flush();
    const { body } = await service.api.as(keyOf('Ada')).get('/api-keys');
    const expired = body.data.find((item: { name: string }) => item.name === 'expired');
    expect(expired.last_used_at).toBeNull();
  });
});
