import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startService, type TestService } from '../../support/service.js';

describe('GET /health/live and /health/ready', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.stop());

  it.each(['//health/live', '//health/ready'])(
    'returns ok while the service is running, without a key: %s',
    async (path) => {
      const { status, body } = await service.api.get(path);
      expect([status, body]).toEqual([200, { data: { status: 'ok' } }]);
    },
  );
});
