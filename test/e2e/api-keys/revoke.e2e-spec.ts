import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { id, keyOf, user } from '../../factories/workspace.js';
import { refusal, type Client } from '../../support/client.js';
import { startService, type TestService } from '../../support/service.js';

describe('DELETE /api-keys/:id', () => {
  let service: TestService;
  let api: Client;

  beforeAll(async () => {
    service = await startService();
    await service.import({ users: [user('Ada'), user('Grace')] });
    api = service.api.as(keyOf('Ada'));
  });
  afterAll(() => service.stop());

  const create = async (client = api): Promise<{ id: string; key: string }> =>
    (await client.post('/api-keys', { name: 'laptop' })).body.data;

  it('revokes the key and reports success', async () => {
    const key = await create();
    const { status, body } = await api.delete(`/api-keys/${key.id}`);
    expect(status).toBe(200);
    expect(body).toEqual({ data: { success: true } });
    const { body: list } = await api.get('/api-keys');
    const listed = list.data.find((item: { id: string }) => item.id === key.id);
    expect(listed.is_revoked).toBe(true);
  });

  it('makes requests with the key fail immediately with INVALID_API_KEY', async () => {
    const key = await create();
    expect((await service.api.as(key.key).get('/me')).status).toBe(200);
    await api.delete(`/api-keys/${key.id}`);
    const { status, body } = await service.api.as(key.key).get('/me');
    expect(status).toBe(401);
    expect(body).toEqual(refusal('INVALID_API_KEY'));
  });

  it('is permanent: revoking again is ALREADY_REVOKED, and the key stays revoked', async () => {
    const key = await create();
    await api.delete(`/api-keys/${key.id}`);
    const { status, body } = await api.delete(`/api-keys/${key.id}`);
    expect(status).toBe(400);
    expect(body).toEqual(refusal('ALREADY_REVOKED'));
    expect((await service.api.as(key.key).get('/me')).status).toBe(401);
  });

  it('lets exactly one of many concurrent requests succeed', async () => {
    const key = await create();
    const replies = await Promise.all(Array.from({ length: 8 }, () => api.delete(`/api-keys/${key.id}`)));
    const statuses = replies.map(({ status }) => status).sort((a, b) => a - b);
    expect(statuses).toEqual([200, 400, 400, 400, 400, 400, 400, 400]);
  });

  it.each([
    ['an unknown id', id()],
    ['a UUID without hyphens', id().replaceAll('-', '')],
    ['a NUL character', 'a%00b'],
  ])('answers API_KEY_NOT_FOUND for %s', async (_, unknown) => {
    const { status, body } = await api.delete(`/api-keys/${unknown}`);
    expect(status).toBe(404);
    expect(body).toEqual(refusal('API_KEY_NOT_FOUND'));
  });

  it('answers the same 404 for the key of another user as for an absent one, and leaves it working', async () => {
    const graces = await create(service.api.as(keyOf('Grace')));
    const foreign = await api.delete(`/api-keys/${graces.id}`);
    const none = await api.delete(`/api-keys/${id()}`);
    expect(foreign.status).toBe(404);
    expect(foreign.body).toEqual(none.body);
    expect((await service.api.as(graces.key).get('/me')).status).toBe(200);
  });

  it('does not reveal that the key of another user is already revoked', async () => {
    const grace = service.api.as(keyOf('Grace'));
    const graces = await create(grace);
    await grace.delete(`/api-keys/${graces.id}`);
    expect((await api.delete(`/api-keys/${graces.id}`)).body).toEqual(refusal('API_KEY_NOT_FOUND'));
  });
});
