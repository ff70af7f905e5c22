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
    const clock = jest.spyOn(performance, 'now');
    // A whole number: of fractions, `begun + 1_000 - begun` may be less than 1,000.
    const begun = Math.ceil(performance.now()) + 10_000;
    const statuses = async (clients: number, after: number): Promise<number[]> => {
      clock.mockReturnValue(begun + after);
      const replies = await Promise.all(
        Array.from({ length: clients }, () => service.api.get('//health/ready')),
      );
      return [...new Set(replies.map(({ status }) => status))];
    };
    try {
      expect(await statuses(50, 0)).toEqual([200]);
      expect(await statuses(1, 999)).toEqual([200]);
      expect(check).toHaveBeenCalledTimes(1);

      check.mockRejectedValue(new Error('the disk is gone'));
      expect(await statuses(1, 999)).toEqual([200]);
      expect(await statuses(1, 1_000)).toEqual([503]);
      check.mockRestore();
      expect(await statuses(1, 1_999)).toEqual([503]);
      expect(await statuses(1, 2_000)).toEqual([200]);
    } finally {
      clock.mockRestore();
      check.mockRestore();
    }
  });
});
