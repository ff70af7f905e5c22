import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { keyOf, recording, user } from '../../factories/workspace.js';
import { refusal, type Client } from '../../support/client.js';
import { startService, type TestService } from '../../support/service.js';
import {
  announced,
  at,
  created,
  demoVideo,
  fakeVideo,
  MIB,
  RawTus,
  takeDirectUploads,
} from '../../support/uploads.js';

const notDirect = (id: string) =>
  `direct: this service takes no direct uploads, as its files are encrypted or not in S3; upload to the upload_url, or with PUT /api/v1/recordings/${id}/media instead.`;
const notAnnounced = (id: string) =>
  `No parts were announced for a direct upload. Get their URLs with direct and parts of POST /api/v1/recordings/${id}/upload.`;
const closed = (id: string) =>
  `The upload of this recording is closed. Open another with POST /api/v1/recordings/${id}/upload.`;
const notEmpty = (id: string) =>
  `This upload has received bytes that were not uploaded directly. Continue at its upload_url, or cancel it with DELETE /api/v1/uploads/${id} and open another.`;
const otherSize = (id: string) =>
  `The declared size of this upload is 55076 bytes; send exactly these, or cancel it with DELETE /api/v1/uploads/${id} and open another.`;

const video = demoVideo();

describe('a direct upload', () => {
  let service: TestService;
  let ada: Client;
  const finished = recording('Ada', { media: 'film.mp4' });

  beforeAll(async () => {
    service = await startService({ MAX_UPLOAD_SIZE: String(100 * MIB), MAX_OPEN_UPLOADS: '100' });
    await service.import({ users: [user('Ada')], recordings: [finished] }, { 'film.mp4': video });
    ada = service.api.as(keyOf('Ada'));
  });
  afterAll(() => service.stop());

  const open = (id: string, body: object) => ada.post(`/recordings/${id}/upload`, body);
  const complete = (id: string) => ada.post(`/recordings/${id}/upload/complete`);

  it('is refused where clients cannot reach the store, and nothing is opened', async () => {
    expect(await open(finished.id, announced(video))).toMatchObject({
      status: 409,
      body: refusal('CONFLICT', notDirect(finished.id)),
    });
    expect((await ada.get(`/recordings/${finished.id}`)).body.data.newMedia).toBeNull();
  });

  describe('to a store that clients reach', () => {
    let put: ReturnType<typeof takeDirectUploads>;

    beforeAll(() => {
      put = takeDirectUploads(service);
    });
    const urls = async (id: string, body: object): Promise<string[]> => {
      const reply = await open(id, body);
      expect(reply.status).toBe(201);
      return reply.body.data.upload_parts.map(({ url }: { url: string }) => url);
    };

    it('starts the processing once, and is closed to bytes of any way afterwards', async () => {
      const { id } = await created(ada, { size: video.length });
      const [url = ''] = await urls(id, { ...announced(video), language: 'german' });
      await put(url, video);
      expect(await complete(id)).toMatchObject({
        status: 200,
        body: { data: { id, status: 'PROCESSING', progress: 0.5 } },
      });
      expect(await complete(id)).toMatchObject({ status: 409, body: refusal('CONFLICT', closed(id)) });
      expect((await new RawTus(ada, id).patch(0, video)).status).toBe(409);
      const [row] = await service.dataSource.query(
        `SELECT p.start::int, p.size::int, u.media_type, u.received::int, r.language FROM upload_parts p
         JOIN uploads u USING (recording_id) JOIN recordings r ON r.id = u.recording_id WHERE r.id = $1`,
        [id],
      );
      expect(row).toEqual({
        start: 0,
        size: 55_076,
        media_type: 'video/mp4',
        received: 55_076,
        language: 'de',
      });
    });

    it('adds media to a recording, which stays as it is until then', async () => {
      const [url = ''] = await urls(finished.id, announced(video));
      expect((await ada.get(`/recordings/${finished.id}`)).body.data).toMatchObject({
        status: 'COMPLETED',
        newMedia: { status: 'uploading', progress: 0 },
      });
      await put(url, video);
      expect((await complete(finished.id)).body.data).toMatchObject({
        status: 'COMPLETED',
        newMedia: { status: 'processing' },
      });
    });

    it('names the parts that are not stored: never announced, or announced anew', async () => {
      const { id } = await created(ada);
      const file = fakeVideo(40 * MIB);
      expect((await complete(id)).body).toEqual(refusal('CONFLICT', notAnnounced(id)));
      const [, second = ''] = await urls(id, announced(file, [1, 2]));
      await put(second, file.subarray(16 * MIB, 32 * MIB));
      const missing = async (): Promise<string> => (await complete(id)).body.error.message;
      expect(await missing()).toContain('Of the 3 parts, these are not stored: 1, 3. Get their URLs');
      expect(await urls(id, announced(file, [2]))).toEqual([second]);
      const other = fakeVideo(40 * MIB);
      expect(await urls(id, announced(other, [2]))).not.toEqual([second]);
      expect(await missing()).toContain('Of the 3 parts, these are not stored: 1, 2, 3. Get their URLs');
    });

    it('ends with 415 if the file is neither audio nor video', async () => {
      const { id } = await created(ada);
      const text = Buffer.from('Dear all, these are the minutes of our meeting. '.repeat(200));
      const [url = ''] = await urls(id, announced(text));
      await put(url, text);
      expect(await complete(id)).toMatchObject({
        status: 415,
        body: { error: { code: 'UNSUPPORTED_MEDIA_TYPE' } },
      });
      expect((await ada.get(`/recordings/${id}`)).body.data.status).toBe('ERROR');
    });

    it('does not mix with other bytes', async () => {
      const { id } = await created(ada, { size: video.length });
      const tus = new RawTus(ada, id);
      expect((await tus.patch(0, video.subarray(0, 100), at(0))).status).toBe(204);
      expect(await open(id, announced(video))).toMatchObject({
        status: 409,
        body: refusal('CONFLICT', notEmpty(id)),
      });
    });

    it('keeps to the declared size, the limit of sizes, and to those who may change the recording', async () => {
      const { id } = await created(ada, { size: video.length });
      expect((await open(id, announced(fakeVideo(100)))).body.error.message).toBe(otherSize(id));
      const tooLarge = { ...announced(video), size: 100 * MIB + 1 };
      expect(await open(id, tooLarge)).toMatchObject({
        status: 413,
        body: refusal('PAYLOAD_TOO_LARGE', 'size: must be at most 104857600 bytes'),
      });
      await service.import({ users: [user('Eve')] });
      const eve = service.api.as(keyOf('Eve'));
      expect((await eve.post(`/recordings/${id}/upload`, announced(video))).status).toBe(404);
      expect((await eve.post(`/recordings/${id}/upload/complete`)).status).toBe(404);
    });

    const RULE =
      'parts: must be an object of 1 to 100 parts: numbers from 1 on, each with a SHA-256 of 64 lower-case hexadecimal digits';
    const { parts } = announced(video);
    it.each([
      [{ direct: true, size: 5 }, 'direct: requires size and parts'],
      [{ direct: true, parts }, 'direct: requires size and parts'],
      [{ size: 5, parts }, 'parts: requires direct'],
      [
        { direct: true, size: 5, parts: { 2: parts[1] } },
        'parts: has part 2, but a file of 5 bytes has 1 part of at most 16777216 bytes',
      ],
      [{ direct: true, size: 5, parts: {} }, RULE],
      [{ direct: true, size: 5, parts: { 0: parts[1] } }, RULE],
      [{ direct: true, size: 5, parts: { 1: 'abc' } }, RULE],
      [{ direct: true, size: 5, parts: null }, RULE],
      [
        {
          direct: true,
          size: 5,
          parts: Object.fromEntries(Array.from({ length: 101 }, (_, n) => [n + 1, parts[1]])),
        },
        RULE,
      ],
    ])('%j is refused', async (body, message) => {
      const { id } = await created(ada);
      const reply = await open(id, body);
      expect([reply.status, reply.body.error.message]).toEqual([400, expect.stringContaining(message)]);
    });
  });
});
