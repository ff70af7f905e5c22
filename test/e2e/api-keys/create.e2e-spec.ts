import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { keyOf, user } from '../../factories/workspace.js';
import { refusal, type Client } from '../../support/client.js';
import { startService, type TestService } from '../../support/service.js';

const UUID_7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

describe('POST /api-keys', () => {
  let service: TestService;
  let api: Client;

  beforeAll(async () => {
    service = await startService();
    await service.import({ users: [user('Ada'), user('Grace')] });
    api = service.api.as(keyOf('Ada'));
  });
  afterAll(() => service.stop());

  it('creates a key and returns 201 with the full secret', async () => {
    const { status, body } = await api.post('/api-keys', { name: 'laptop' });
    expect(status).toBe(201);
    expect(body).toEqual({
      data: {
        id: expect.stringMatching(UUID_7),
        name: 'laptop',
        prefix: body.data.key.slice(0, 12),
        key: expect.stringMatching(/^mrs_[0-9A-Za-z]{43}$/),
        created_at: expect.stringMatching(TIMESTAMP),
        expires_at: null,
      },
    });
  });

  it('creates a key that acts as its user', async () => {
    const { body } = await api.post('/api-keys', { name: 'phone' });
    const { body: me } = await service.api.as(body.data.key).get('/me');
    expect(me.data.email).toBe('ada@acme.test');
    expect(me.data.api_key).toEqual({ id: body.data.id, name: 'phone', prefix: body.data.prefix });
  });

  it('stores only a hash, and never returns the key again', async () => {
    const { body } = await api.post('/api-keys', { name: 'secret' });
    const key: string = body.data.key;
    const [stored]: { text: string; hash: Buffer }[] = await service.dataSource.query(
      'SELECT k::text AS text, hash FROM api_keys k WHERE id = $1',
      [body.data.id],
    );
    expect(stored?.text).not.toContain(key.slice(12));
    expect(stored?.text).not.toContain(Buffer.from(key).toString('hex'));
    expect(stored?.hash).toHaveLength(32);
    const later = [await api.get('/api-keys'), await service.api.as(key).get('/me')];
    expect(JSON.stringify(later.map((reply) => reply.body))).not.toContain(key);
  });

  it.each([
    ['100 characters outside the Basic Multilingual Plane', '😀'.repeat(100), '😀'.repeat(100)],
    ['surrounding whitespace, which is trimmed', ' \t\n my key \u00a0 ', 'my key'],
    [
      'quotes and markup, which are stored as is',
      `"'; DROP TABLE api_keys; --<b>`,
      `"'; DROP TABLE api_keys; --<b>`,
    ],
  ])('accepts a name of %s', async (_, name, kept) => {
    const { status, body } = await api.post('/api-keys', { name });
    expect(status).toBe(201);
    expect(body.data.name).toBe(kept);
  });

  it.each([
    ['missing', {}],
    ['blank', { name: ' \t\u00a0\n ' }],
    ['of 101 characters outside the Basic Multilingual Plane', { name: '😀'.repeat(101) }],
    ['text with a NUL character', { name: 'lap\0top' }],
  ])('refuses a name that is %s', async (_, body) => {
    const reply = await api.post('/api-keys', body);
    expect(reply.status).toBe(400);
    expect(reply.body).toEqual(refusal('VALIDATION_ERROR', expect.stringContaining('name')));
  });

  it.each([
    ['a date-time with an offset', '2098-01-31T09:30:00+02:00', '2098-01-31T07:30:00.000Z'],
    ['a plain date', '2098-01-31', expect.stringMatching(/^2098-01-31T/)],
  ])('accepts an expiry given as %s and lists it', async (_, given, shown) => {
    const { status, body } = await api.post('/api-keys', { name: 'until then', expires_at: given });
    expect(status).toBe(201);
    expect(body.data.expires_at).toEqual(shown);
    const { body: list } = await api.get('/api-keys');
    const listed = list.data.find((item: { id: string }) => item.id === body.data.id);
    expect(listed.expires_at).toBe(body.data.expires_at);
  });

  it.each([
    ['in the past', '2020-01-01T00:00:00Z'],
    ['not a calendar day', '2098-02-30T00:00:00Z'],
    ['words', 'tomorrow'],
  ])('refuses an expiry that is %s', async (_, expires) => {
    const { status, body } = await api.post('/api-keys', { name: 'x', expires_at: expires });
    expect(status).toBe(400);
    expect(body).toEqual(refusal('VALIDATION_ERROR', expect.stringContaining('expires_at')));
  });

  it('refuses an expiry equal to the current time', async () => {
    service.setNow(new Date('2030-01-01T00:00:00Z'));
    const now = await api.post('/api-keys', { name: 'x', expires_at: '2030-01-01T00:00:00Z' });
    const next = await api.post('/api-keys', { name: 'x', expires_at: '2030-01-01T00:00:00.001Z' });
    service.setNow(null);
    expect(now.status).toBe(400);
    expect(next.status).toBe(201);
  });

  it.each([
    ['an unknown field', { name: 'x', scope: 'all' }, 'scope'],
    ['a key chosen by the client', { name: 'x', key: 'mrs_00000000000000000000' }, 'key'],
  ])('refuses %s', async (_, body, named) => {
    const reply = await api.post('/api-keys', body);
    expect(reply.status).toBe(400);
    expect(reply.body).toEqual(refusal('VALIDATION_ERROR', expect.stringContaining(named)));
  });

  it('creates nothing when it refuses', async () => {
    const grace = service.api.as(keyOf('Grace'));
    await grace.post('/api-keys', { name: '' });
    await grace.post('/api-keys', { name: 'x', expires_at: '2020-01-01' });
    await grace.post('/api-keys', { name: 'x', extra: 1 });
    expect((await grace.get('/api-keys')).body.data).toHaveLength(1);
  });
});
