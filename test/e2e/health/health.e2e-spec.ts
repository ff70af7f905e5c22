import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { ObjectStore } from '../../../src/platform/storage/object-store.js';
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

  it('checks the storage at most once a second, however many clients ask', async () => {
    const check = jest.spyOn(service.app.get(ObjectStore), 'check');
    try {
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      const begun = Date.now();
      const replies = await Promise.all(Array.from({ length: 50 }, () => service.api.get('//health/ready')));
      expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
      const seconds = Math.ceil((Date.now() - begun) / 1_000);
      expect(check.mock.calls.length).toBeLessThanOrEqual(1 + seconds);

      check.mockRejectedValue(new Error('the disk is gone'));
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      expect((await service.api.get('//health/ready')).status).toBe(503);
      check.mockRestore();
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      expect((await service.api.get('//health/ready')).status).toBe(200);
    } finally {
      check.mockRestore();
    }
  });
});
