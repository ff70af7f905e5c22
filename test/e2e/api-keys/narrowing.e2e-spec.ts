import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { id, keyOf, user } from '../../factories/workspace.js';
import { changesOf } from '../../support/changes.js';
import { outcome, refusal, type Client } from '../../support/client.js';
import { startService, type TestService } from '../../support/service.js';

describe('PATCH /api-keys/:id', () => {
  let service: TestService;
  let ada: Client;
  let key: { id: string; key: string };
  let users = 0;

  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    users += 1;
    await service.import({ users: [user(`Ada${users}`)] });
    ada = service.api.as(keyOf(`Ada${users}`));
    service.setNow(new Date('2030-01-01T00:00:00Z'));
    const fields = { scopes: ['read-only', 'keys:manage'], expires_at: '2030-02-01' };
    key = (await ada.post('/api-keys', { name: 'robot', ...fields })).body.data;
  });
  afterEach(() => service.setNow(null));

  const change = (fields: object, by = ada) => by.patch(`/api-keys/${key.id}`, fields);
  const stored = async () => (await ada.get(`/api-keys/${key.id}`)).body.data;

  it('renames a key, and nothing else', async () => {
    const before = await stored();
    const { status, body } = await change({ name: ' robot 2 ' });
    const { uses, ...listed } = before;
    expect([status, body.data, uses]).toEqual([200, { ...listed, name: 'robot 2' }, []]);
    expect(await stored()).toEqual({ ...before, name: 'robot 2' });
  });

  it('takes scopes away, effective with the next request', async () => {
    const robot = service.api.as(key.key);
    expect((await robot.get('/recordings')).status).toBe(200);
    expect((await change({ scopes: ['profile:read'] })).body.data.scopes).toEqual(['profile:read']);
    expect(outcome(await robot.get('/recordings'))).toEqual([403, 'FORBIDDEN']);
    expect((await robot.get('/me')).body.data.api_key.scopes).toEqual(['profile:read']);
  });

  it('limits a key that was not limited', async () => {
    const full = (await ada.post('/api-keys', { name: 'full' })).body.data;
    const { body } = await ada.patch(`/api-keys/${full.id}`, { scopes: ['questions'], expires_in: 60 });
    expect(body.data).toMatchObject({ scopes: ['questions'], expires_at: '2030-01-01T00:01:00.000Z' });
  });

  it('makes a key expire earlier', async () => {
    expect((await change({ expires_at: '2030-01-02' })).body.data.expires_at).toBe(
      '2030-01-02T00:00:00.000Z',
    );
    service.setNow(new Date('2030-01-02T00:00:00Z'));
    expect(outcome(await service.api.as(key.key).get('/me'))).toEqual([401, 'API_KEY_EXPIRED']);
  });

  it('lets a key narrow itself, also so far that it cannot again', async () => {
    const robot = service.api.as(key.key);
    expect((await change({ scopes: ['profile:read'] }, robot)).status).toBe(200);
    expect(outcome(await change({ scopes: ['profile:read'] }, robot))).toEqual([403, 'FORBIDDEN']);
  });

  it.each([
    [
      'more scopes',
      { scopes: ['profile:read', 'questions'] },
      'scopes: must be among those of the key: recordings:read, ',
    ],
    ['no limit', { scopes: ['full'] }, 'scopes: must be among those of the key: '],
    [
      'a later expiry',
      { expires_at: '2030-02-01T00:00:00.001Z' },
      'expires_at: must not be after 2030-02-01T00:00:00.000Z',
    ],
    ['a later expiry in seconds', { expires_in: 32 * 86_400 }, 'expires_at: must not be after 2030-02-01'],
    ['no expiry', { expires_at: null }, 'expires_at: must be'],
    ['no scope at all', { scopes: [] }, 'scopes: must name at least one scope'],
    ['an unknown scope', { scopes: ['everything'] }, 'recordings:read'],
    ['an expiry in the past', { expires_at: '2029-12-31' }, 'expires_at: must be'],
    ['a blank name', { name: ' ' }, 'name: '],
    ['nothing', {}, 'must have at least one of name'],
  ])('refuses %s, and changes nothing', async (_, fields, named) => {
    const before = await stored();
    const { status, body } = await change(fields);
    expect([status, body]).toEqual([400, refusal('VALIDATION_ERROR', expect.stringContaining(named))]);
    expect(await stored()).toEqual(before);
  });

  it('refuses a key that no longer works', async () => {
    service.setNow(new Date('2030-02-01T00:00:00Z'));
    const expired = await change({ name: 'late' });
    expect([expired.status, expired.body]).toEqual([
      409,
      refusal('CONFLICT', 'The API key expired at 2030-02-01T00:00:00.000Z.'),
    ]);
    await ada.delete(`/api-keys/${key.id}`);
    expect(outcome(await change({ name: 'late' }))).toEqual([400, 'ALREADY_REVOKED']);
  });

  it('finds only keys of the caller', async () => {
    await service.import({ users: [user(`Eve${users}`)] });
    const eve = service.api.as(keyOf(`Eve${users}`));
    expect(outcome(await change({ name: 'mine' }, eve))).toEqual([404, 'API_KEY_NOT_FOUND']);
    for (const unknown of [id(), 'a%00b']) {
      expect(outcome(await eve.patch(`/api-keys/${unknown}`, { name: 'x' }))).toEqual([
        404,
        'API_KEY_NOT_FOUND',
      ]);
      expect(outcome(await eve.get(`/api-keys/${unknown}`))).toEqual([404, 'API_KEY_NOT_FOUND']);
    }
    expect(outcome(await eve.get(`/api-keys/${key.id}`))).toEqual([404, 'API_KEY_NOT_FOUND']);
  });

  it('is logged with the fields that changed, and not if none did', async () => {
    const changes = await changesOf(service.dataSource, async () => {
      await change({ name: 'other', scopes: ['profile:read'] });
      await change({ name: 'other', scopes: ['profile:read'] });
      await change({ expires_in: 60 });
    });
    const updates = changes.filter(({ type }) => type === 'api_key.updated');
    expect(updates.map(({ target_id: target, details }) => [target, details])).toEqual([
      [key.id, { fields: ['name', 'scopes'] }],
      [key.id, { fields: ['expires_at'] }],
    ]);
  });

  it('leaves the widest that two changes at once both permit', async () => {
    const replies = await Promise.all([
      change({ scopes: ['profile:read', 'recordings:read'] }),
      change({ scopes: ['profile:read'] }),
    ]);
    expect(replies.map(({ status }) => status)).toContain(200);
    expect((await stored()).scopes).toEqual(['profile:read']);
  });
});
