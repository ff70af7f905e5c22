import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { DataSource } from 'typeorm';
import { serveWorkerHealth } from '../../../src/entrypoints/start-worker.js';
import { HealthService } from '../../../src/modules/health/health.service.js';
import { ObjectStore } from '../../../src/platform/storage/object-store.js';
import { Client } from '../../support/client.js';
import { startService, type TestService } from '../../support/service.js';

const ok = (name: string) => ({ name, status: 'ok', message: null });
const degraded = (name: string, message: unknown) => ({ name, status: 'degraded', message });
const NO_WORKER = 'No worker runs, so nothing that is uploaded is processed. Start one: npm run start:worker';
const WITHOUT_WORKER = [ok('database'), ok('store'), ok('disk'), degraded('jobs', NO_WORKER)];

describe('GET /health/live and /health/ready', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.stop());

  it.each([
    ['//health/live', { status: 'ok' }],
    [
      '//health/ready',
      { status: 'degraded', instance: expect.stringMatching(/^[0-9a-f]{16}$/), dependencies: WITHOUT_WORKER },
    ],
  ])('returns ok while the service is running, without a key: %s', async (path, data) => {
    const { status, body } = await service.api.get(path);
    expect([status, body]).toEqual([200, { data }]);
  });

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

  it('names what is unavailable, also when a worker answers', async () => {
    const worker = await serveWorkerHealth(service.app.get(HealthService), {
      host: '127.0.0.1',
      port: 0,
      setting: 'WORKER_HEALTH_PORT',
    });
    const ofWorker = new Client(`http://127.0.0.1:${worker.port}`);
    const storage = jest.spyOn(service.app.get(ObjectStore), 'check');
    const database = jest.spyOn(service.app.get(DataSource), 'query');
    const clock = jest.spyOn(performance, 'now');
    let now = Math.ceil(performance.now()) + 20_000;
    const replies = async (): Promise<unknown[]> => {
      // The last check no longer counts.
      clock.mockReturnValue((now += 10_000));
      const both = [await service.api.get('//health/ready'), await ofWorker.get('//health/ready')];
      expect(both[1]?.status).toBe(both[0]?.status);
      expect(both[1]?.body).toEqual(both[0]?.body);
      return [both[0]?.status, both[0]?.body.error ?? both[0]?.body.data];
    };
    const unavailable = (message: string) => [503, { code: 'SERVICE_UNAVAILABLE', message }];
    try {
      expect(await replies()).toEqual([
        200,
        { status: 'degraded', instance: expect.any(String), dependencies: WITHOUT_WORKER },
      ]);
      storage.mockRejectedValue(new Error('the disk is gone'));
      expect(await replies()).toEqual(unavailable('The storage of media files cannot be used.'));
      database.mockRejectedValue(new Error('so is the database'));
      expect(await replies()).toEqual(
        unavailable('The database does not answer. The storage of media files cannot be used.'),
      );
      storage.mockRestore();
      expect(await replies()).toEqual(unavailable('The database does not answer.'));
      const refused = Object.assign(new Error('too many connections for role "mrs"'), { code: '53300' });
      database.mockRejectedValue(refused);
      expect(await replies()).toEqual(
        unavailable('The database does not answer: too many connections for role "mrs".'),
      );
      expect((await ofWorker.get('//health/live')).status).toBe(200);
      expect((await ofWorker.get('//other')).status).toBe(404);
    } finally {
      clock.mockRestore();
      storage.mockRestore();
      database.mockRestore();
      worker.close();
    }
  });
});
