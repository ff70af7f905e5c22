import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { keyOf, user } from '../../factories/workspace.js';
import type { Client } from '../../support/client.js';
import { sha256 } from '../../support/objects.js';
import { eventually, startService, type TestService } from '../../support/service.js';
import { created, demoVideo, RawTus, storedSha256 } from '../../support/uploads.js';

const video = demoVideo();
const PIECE = 500;
const SOON = 25_000;

describe('the small parts of a live upload', () => {
  let service: TestService;
  let ada: Client;

  beforeAll(async () => {
    service = await startService({}, { worker: true });
    await service.import({ users: [user('Ada')] });
    ada = service.api.as(keyOf('Ada'));
  });
  afterAll(() => service.stop());

  const levels = async (id: string): Promise<number[]> =>
    (
      await service.dataSource.query<{ level: number }[]>(
        'SELECT level FROM upload_parts WHERE recording_id = $1 ORDER BY start',
        [id],
      )
    ).map(({ level }) => level);

  async function send(tus: RawTus, from: number, to: number): Promise<void> {
    for (let offset = from; offset < to; offset += PIECE) {
      expect((await tus.patch(offset, video.subarray(offset, Math.min(to, offset + PIECE)))).status).toBe(
        204,
      );
    }
  }

  it('are merged while it goes on, and the recording is what was sent', async () => {
    const { id } = await created(ada);
    const tus = new RawTus(ada, id);
    await send(tus, 0, 40 * PIECE);
    await eventually(async () => expect(await levels(id)).toEqual([1, 0, 0, 0, 0, 0, 0, 0, 0]), SOON);
    expect(await tus.offset()).toBe(40 * PIECE);
    expect(await storedSha256(service, id)).toBe(sha256(video.subarray(0, 40 * PIECE)));
    await send(tus, 40 * PIECE, video.length);
    expect((await tus.patch(video.length, Buffer.alloc(0), { 'upload-length': '55076' })).status).toBe(204);
    await eventually(async () => {
      expect((await ada.get(`/recordings/${id}`)).body.data).toMatchObject({ status: 'COMPLETED' });
    }, SOON);
    const { videoUrl } = (await ada.get(`/recordings/${id}`)).body.data as { videoUrl: string };
    const delivered = new Uint8Array(await (await fetch(videoUrl)).arrayBuffer());
    expect(sha256(delivered)).toBe(sha256(video));
  });

  it('leave nothing behind when it is cancelled', async () => {
    const { id } = await created(ada);
    const tus = new RawTus(ada, id);
    await send(tus, 0, 33 * PIECE);
    expect((await tus.delete()).status).toBe(204);
    await eventually(async () => {
      expect((await service.objects()).filter((key) => key.includes(id))).toEqual([]);
    }, SOON);
  });
});
