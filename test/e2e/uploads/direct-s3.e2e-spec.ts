import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { HOUR_MS } from '../../../src/lib/durations.js';
import { keyOf, user } from '../../factories/workspace.js';
import { refusal, type Client } from '../../support/client.js';
import { keysOf, sha256 } from '../../support/objects.js';
import { settled, upload } from '../../support/packaged.js';
import { S3 } from '../../support/requirements.js';
import { TestBucket } from '../../support/s3.js';
import { eventually, startService, type TestService } from '../../support/service.js';
import { announced, created, demoVideo, directPart, MIB, TUS } from '../../support/uploads.js';

/** Longer than a busy machine takes from a recording to the URLs of its parts. */
const IDLE_SECONDS = '5';

/** A film that plays, followed by so much that players skip that it has two parts. */
function longFilm(): Buffer {
  const rest = Buffer.alloc(17 * MIB);
  rest.writeUInt32BE(rest.length);
  rest.write('free', 4);
  return Buffer.concat([demoVideo(), rest]);
}

interface Part {
  readonly number: number;
  readonly size: number;
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly expires_at: string;
}

S3.describe('a direct upload', () => {
  let bucket: TestBucket;
  let service: TestService;
  let ada: Client;
  const film = longFilm();

  beforeAll(async () => {
    bucket = await TestBucket.make();
    const { bucket: name, endpoint = '', credentials } = bucket.settings;
    const settings = {
      UPLOAD_IDLE_TIMEOUT: IDLE_SECONDS,
      S3_BUCKET: name,
      S3_ENDPOINT: endpoint,
      S3_ACCESS_KEY_ID: credentials?.accessKeyId ?? '',
      S3_SECRET_ACCESS_KEY: credentials?.secretAccessKey ?? '',
    };
    service = await startService(settings, { worker: true });
    await service.import({ users: [user('Ada')] });
    ada = service.api.as(keyOf('Ada'));
  });
  afterAll(async () => {
    await service.stop();
    await bucket.remove();
  });

  const opened = async (id: string, body: object): Promise<Part[]> => {
    const reply = await ada.post(`/recordings/${id}/upload`, body);
    expect(reply.status).toBe(201);
    return reply.body.data.upload_parts;
  };
  const put = async ({ url, headers }: Part, body: Buffer): Promise<number> =>
    (await fetch(url, { method: 'PUT', headers, body: new Uint8Array(body) })).status;
  const complete = (id: string) => ada.post(`/recordings/${id}/upload/complete`);

  it('goes from a client to S3 and becomes a recording, whose file is what was sent', async () => {
    const { id } = await created(ada);
    const parts = await opened(id, announced(film));
    expect(parts.map(({ number, size }) => [number, size])).toEqual([
      [1, 16_777_216],
      [2, film.length - 16_777_216],
    ]);
    const lifetime = Date.parse(parts[0]!.expires_at) - Date.now();
    expect([lifetime > 3_500_000, lifetime <= 3_600_000]).toEqual([true, true]);
    for (const part of parts.toReversed()) expect(await put(part, directPart(film, part.number))).toBe(200);
    expect(await complete(id)).toMatchObject({ status: 200, body: { data: { status: 'PROCESSING' } } });
    const detail = await settled(ada, id);
    expect(detail).toMatchObject({ status: 'COMPLETED', duration: expect.closeTo(18.35, 1) });
    const video = Buffer.from(await (await fetch(detail.downloadUrl)).arrayBuffer());
    expect(sha256(video)).toBe(sha256(film));
    await eventually(async () => expect(await keysOf(bucket.open(), `recordings/${id}/parts/`)).toEqual([]));
  });

  it('is open for another try of a part that S3 refused, and completes with URLs that were renewed', async () => {
    const { id } = await created(ada, { size: film.length });
    const [first, second] = await opened(id, announced(film));
    expect(await put(first!, directPart(film, 1))).toBe(200);
    const damaged = Buffer.from(directPart(film, 2));
    damaged[0]! ^= 1;
    expect(await put(second!, damaged)).toBe(400);
    expect(await put(second!, Buffer.concat([directPart(film, 2), damaged]))).toBe(403);
    expect(await complete(id)).toMatchObject({
      status: 409,
      body: refusal(
        'CONFLICT',
        'Of the 2 parts, these are not stored: 2. Get their URLs, upload them, and complete again; S3 refuses a part whose size or SHA-256 is not as announced.',
      ),
    });
    const [again] = await opened(id, announced(film, [2]));
    expect(again).toMatchObject({ number: 2, size: second!.size });
    expect(await put(again!, directPart(film, 2))).toBe(200);
    expect((await complete(id)).status).toBe(200);
    // The URLs still work, but only for what was there.
    expect(await put(first!, Buffer.alloc(first!.size))).toBe(400);
    expect(await settled(ada, id)).toMatchObject({ status: 'COMPLETED' });
  });

  it('works for the pages of a site that the bucket allows', async () => {
    const origin = 'https://app.acme.test';
    await bucket.allow([{ AllowedOrigins: [origin], AllowedMethods: ['PUT'], AllowedHeaders: ['*'] }]);
    const { id } = await created(ada);
    const [part] = await opened(id, announced(demoVideo()));
    const asked = await fetch(part!.url, {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': 'PUT',
        'access-control-request-headers': Object.keys(part!.headers).join(','),
      },
    });
    expect([asked.status, asked.headers.get('access-control-allow-origin')]).toEqual([200, origin]);
  });

  describe('leaves nothing in S3', () => {
    const expectNoParts = (id: string): Promise<void> =>
      eventually(async () => expect(await keysOf(bucket.open(), `recordings/${id}/parts/`)).toEqual([]));
    const stored = async (id: string): Promise<void> => {
      const [part] = await opened(id, announced(demoVideo()));
      expect(await put(part!, demoVideo())).toBe(200);
      expect(await keysOf(bucket.open(), `recordings/${id}/parts/`)).toHaveLength(1);
    };

    it('when its recording is deleted', async () => {
      const { id } = await created(ada);
      await stored(id);
      expect((await ada.delete(`/recordings/${id}`)).status).toBe(200);
      await expectNoParts(id);
    });

    it('when it was to replace media, and is cancelled', async () => {
      const id = await upload(ada, demoVideo());
      await settled(ada, id);
      await stored(id);
      expect((await ada.delete(`/uploads/${id}`, { headers: TUS })).status).toBe(204);
      await expectNoParts(id);
      expect((await ada.get(`/recordings/${id}`)).body.data).toMatchObject({
        status: 'COMPLETED',
        newMedia: null,
      });
    });

    it('when the file is sent in one request instead', async () => {
      const { id } = await created(ada);
      await stored(id);
      const headers = { 'content-type': 'application/octet-stream' };
      const sent = await ada.request('PUT', `/recordings/${id}/media`, { body: demoVideo(), headers });
      expect(sent.status).toBe(200);
      expect(await settled(ada, id)).toMatchObject({ status: 'COMPLETED' });
      await expectNoParts(id);
    });

    it('when it is idle for longer than its URLs work', async () => {
      const { id } = await created(ada);
      service.setNow(new Date(Date.now() - 3 * HOUR_MS));
      const [part] = await opened(id, announced(demoVideo()));
      service.setNow(null);
      await bucket.open().put(new URL(part!.url).pathname.split('/').slice(2).join('/'), demoVideo());
      expect(await settled(ada, id)).toMatchObject({ status: 'ERROR' });
      await expectNoParts(id);
    });
  });
});
