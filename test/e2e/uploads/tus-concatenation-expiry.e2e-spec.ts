import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { keyOf, user } from '../../factories/workspace.js';
import type { Client } from '../../support/client.js';
import { sha256 } from '../../support/objects.js';
import { idOf, PartialUploads } from '../../support/partial-uploads.js';
import { eventually, startService, type TestService } from '../../support/service.js';
import { demoVideo, RawTus, storedSha256 } from '../../support/uploads.js';

/** The worker checks for delayed jobs every two seconds. */
const SOON = 25_000;
const video = demoVideo();
const EXPIRIES = `SELECT FROM graphile_worker.jobs WHERE task_identifier = 'uploads.expire-partial'`;

describe('idle partial uploads', () => {
  let service: TestService;
  let ada: Client;
  let partials: PartialUploads;

  beforeAll(async () => {
    service = await startService({ UPLOAD_IDLE_TIMEOUT: '1' });
    await service.import({ users: [user('Ada')] });
    ada = service.api.as(keyOf('Ada'));
    partials = new PartialUploads(ada);
  });
  afterAll(() => service.stop());

  const headOf = async (url: string): Promise<number> => (await new RawTus(ada, idOf(url)).head()).status;
  const usedBytes = async (): Promise<number> => (await ada.get('/me')).body.data.quotas.stored_bytes.used;

  it('that were joined take none of the bytes of the recording with them when they would expire', async () => {
    const urls = [await partials.of(video.subarray(0, 20_000)), await partials.of(video.subarray(20_000))];
    const id = await partials.joined(urls);
    const packaging = `UPDATE graphile_worker._private_jobs SET run_at = now()`;
    await service.dataSource.query(`${packaging} + interval '1 hour' WHERE key = $1`, [`package:${id}`]);
    expect(await service.dataSource.query(EXPIRIES)).toHaveLength(2);
    await service.startWorker();
    await eventually(async () => expect(await service.dataSource.query(EXPIRIES)).toEqual([]), SOON);
    expect(await storedSha256(service, id)).toBe(sha256(video));

    await service.dataSource.query(`${packaging} WHERE key = $1`, [`package:${id}`]);
    const detail = async () => (await ada.get(`/recordings/${id}`)).body.data;
    await eventually(async () => expect(await detail()).toMatchObject({ status: 'COMPLETED' }), SOON);
    const { videoUrl } = await detail();
    expect(sha256(Buffer.from(await (await fetch(videoUrl)).arrayBuffer()))).toBe(sha256(video));
    expect((await ada.delete(`/recordings/${id}`)).status).toBe(200);
    await eventually(async () => expect(await service.objects()).toEqual([]), SOON);
  }, 90_000);

  it('are removed with their bytes, unfinished and finished ones, and those without any', async () => {
    const urls = [
      await partials.of(video),
      await partials.of(video, video.subarray(0, 10_000)),
      await partials.of(video, new Uint8Array()),
    ];
    expect(await service.objects()).toHaveLength(2);
    expect(await usedBytes()).toBe(3 * video.length);
    await eventually(async () => {
      for (const url of urls) expect(await headOf(url)).toBe(404);
    }, SOON);
    await eventually(async () => expect(await service.objects()).toEqual([]), SOON);
    expect(await service.dataSource.query('SELECT * FROM partial_upload_parts')).toEqual([]);
    expect(await usedBytes()).toBe(0);
    expect((await new RawTus(ada, idOf(urls[1]!)).patch(10_000, video.subarray(10_000))).status).toBe(404);
    expect((await partials.join([urls[0]!])).status).toBe(404);
    expect(await service.objects()).toEqual([]);
  }, 90_000);

  it('do not include one that continues, which can be joined', async () => {
    const url = await partials.of(video, video.subarray(0, 100));
    const idle = await partials.of(video, video.subarray(0, 100));
    const tus = new RawTus(ada, idOf(url));
    let offset = 100;
    // Continues until the worker has removed one that began later.
    await eventually(async () => {
      expect((await tus.patch(offset, video.subarray(offset, offset + 100))).status).toBe(204);
      offset += 100;
      expect(await headOf(idle)).toBe(404);
    }, SOON);
    expect((await tus.patch(offset, video.subarray(offset))).status).toBe(204);
    const id = await partials.joined([url]);
    await eventually(async () => {
      expect((await ada.get(`/recordings/${id}`)).body.data.status).toBe('COMPLETED');
    }, SOON);
  }, 90_000);
});
