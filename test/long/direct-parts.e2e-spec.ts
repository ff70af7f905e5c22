import { utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { HOUR_MS } from '../../src/lib/durations.js';
import { keyOf, user } from '../factories/workspace.js';
import type { Client } from '../support/client.js';
import { eventually, startService, type TestService } from '../support/service.js';
import { announced, created, demoVideo, takeDirectUploads } from '../support/uploads.js';

describe('parts of direct uploads that nobody needs', () => {
  let service: TestService;
  let ada: Client;

  beforeAll(async () => {
    service = await startService({}, { worker: true });
    await service.import({ users: [user('Ada')] });
    ada = service.api.as(keyOf('Ada'));
  });
  afterAll(() => service.stop());

  it('are removed a day later, those of an open upload are kept', async () => {
    const put = takeDirectUploads(service);
    const { id } = await created(ada);
    const store = async (file: Buffer): Promise<string> => {
      const { body } = await ada.post(`/recordings/${id}/upload`, announced(file));
      const { url } = body.data.upload_parts[0];
      await put(url, file);
      const key = new URL(url).pathname.slice(1);
      const hoursAgo = new Date(Date.now() - 2 * HOUR_MS);
      await utimes(join(service.dataDir, 'objects', key), hoursAgo, hoursAgo);
      return key;
    };
    const [one, other] = [demoVideo(), demoVideo()];
    other[0]! ^= 1;
    const replaced = await store(other);
    const current = await store(one);
    expect(await service.objects()).toEqual([current, replaced].sort());
    const due = await service.dataSource.query(
      `SELECT run_at > now() + interval '23 hours' AS later FROM graphile_worker.jobs WHERE task_identifier = 'media.tidy'`,
    );
    expect(due).toEqual([{ later: true }]);
    await service.dataSource.query(
      `SELECT graphile_worker.reschedule_jobs(array_agg(id), run_at => now()) FROM graphile_worker.jobs WHERE task_identifier = 'media.tidy'`,
    );
    await eventually(async () => expect(await service.objects()).toEqual([current]));
  });
});
