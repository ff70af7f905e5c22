import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { keyOf, user } from '../../factories/workspace.js';
import { startService, type TestService } from '../../support/service.js';

describe('GET /me', () => {
  let service: TestService;

  beforeAll(async () => {
    service = await startService();
    await service.import({ users: [user('Ada')] });
  });
  afterAll(() => service.stop());

  it('returns the user and the key in use', async () => {
    const { status, body } = await service.api.as(keyOf('Ada')).get('/me');
    expect(status).toBe(200);
    expect(body).toEqual({
      data: {
        id: expect.any(String),
        email: 'ada@acme.test',
        email_verified: true,
        name: 'Ada',
        plan: 'PRO',
        is_operator: false,
        api_key: { id: expect.any(String), name: 'test', prefix: keyOf('Ada').slice(0, 12) },
        quotas: expect.any(Object),
      },
    });
  });
});
