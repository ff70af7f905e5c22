import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { keyOf, user } from '../../factories/workspace.js';
import { startService, type TestService } from '../../support/service.js';

const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

describe('GET /api-keys', () => {
  let service: TestService;

  beforeAll(async () => {
    service = await startService();
    await service.import({
      users: [
        user('Ada', {
          apiKeys: [
            { name: 'test', key: keyOf('Ada') },
            { name: 'old', key: 'mrs_old000000000000000000', revoked: true },
            { name: 'short', key: 'mrs_short0000000000000000', expiresAt: '2020-01-01T00:00:00Z' },
          ],
        }),
        user('Grace'),
      ],
    });
  });
  afterAll(() => service.stop());

  it('lists all keys of the user, including revoked and expired ones, without the secret', async () => {
    const { status, body } = await service.api.as(keyOf('Ada')).get('/api-keys');
    expect(status).toBe(200);
    const common = {
      id: expect.any(String),
      created_at: expect.stringMatching(TIMESTAMP),
      last_used_at: null,
    };
    const expected = [
      { ...common, name: 'test', prefix: 'mrs_Ada00000', expires_at: null, is_revoked: false },
      { ...common, name: 'old', prefix: 'mrs_old00000', expires_at: null, is_revoked: true },
      {
        ...common,
        name: 'short',
        prefix: 'mrs_short000',
        expires_at: '2020-01-01T00:00:00.000Z',
        is_revoked: false,
      },
    ];
    expect(Object.keys(body)).toEqual(['data']);
    expect(body.data).toHaveLength(3);
    expect(body.data).toEqual(expect.arrayContaining(expected));
  });

  it("lists nobody else's keys", async () => {
    const { body } = await service.api.as(keyOf('Grace')).get('/api-keys');
    expect(body.data.map((key: { prefix: string }) => key.prefix)).toEqual(['mrs_Grace000']);
  });

  it('lists the newest key first', async () => {
    const grace = service.api.as(keyOf('Grace'));
    for (const [day, name] of ['first', 'second', 'third'].entries()) {
      service.setNow(new Date(Date.UTC(2097, 0, day + 1)));
      await grace.post('/api-keys', { name });
    }
    service.setNow(null);
    const { body } = await grace.get('/api-keys');
    expect(body.data.map((key: { name: string }) => key.name)).toEqual(['third', 'second', 'first', 'test']);
  });
});
