import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { keyOf, recording, user } from '../../../factories/workspace.js';
import type { Client } from '../../../support/client.js';
import { keysOf, sha256 } from '../../../support/objects.js';
import { readHls, settled, upload, type Detail } from '../../../support/packaged.js';
import { S3 } from '../../../support/requirements.js';
import { TestBucket } from '../../../support/s3.js';
import { eventually, startService, type TestService } from '../../../support/service.js';
import { created, RawTus } from '../../../support/uploads.js';

const FILM = readFileSync('demo/media/depot-walk-through.mp4');

S3.describe('packaging with files in S3', () => {
  let bucket: TestBucket;
  let service: TestService;
  let ada: Client;
  let film: Detail;

  beforeAll(async () => {
    bucket = await TestBucket.make();
    const { bucket: name, endpoint = '', region, credentials } = bucket.settings;
    service = await startService(
      {
        S3_BUCKET: name,
        S3_ENDPOINT: endpoint,
        S3_REGION: region,
        S3_ACCESS_KEY_ID: credentials?.accessKeyId ?? '',
        S3_SECRET_ACCESS_KEY: credentials?.secretAccessKey ?? '',
      },
      { worker: true },
    );
    ada = service.api.as(keyOf('Ada'));
    await service.import({ users: [user('Ada')] });
    film = await settled(ada, await upload(ada, FILM, { title: 'Übersicht: März' }));
  });
  afterAll(async () => {
    await service.stop();
    await bucket.remove();
  });

  it.each([
    ['videoUrl', 'inline'],
    ['downloadUrl', 'attachment'],
  ])('%s sends the file with its type and name, in full and in part', async (field, disposition) => {
    expect(film).toMatchObject({ status: 'COMPLETED', duration: expect.closeTo(18.35, 1) });
    expect(new URL(film[field]).port).toBe(new URL(service.api.base).port);
    const response = await fetch(film[field]);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'video/mp4']);
    const header = response.headers.get('content-disposition') ?? '';
    expect(header).toMatch(new RegExp(`^${disposition};`));
    expect(decodeURIComponent(/filename\*=UTF-8''(\S+)$/.exec(header)?.[1] ?? '')).toBe('Übersicht März.mp4');
    expect(sha256(new Uint8Array(await response.arrayBuffer()))).toBe(sha256(FILM));
    const part = await fetch(film[field], { headers: { range: 'bytes=100-199' } });
    expect(part.status).toBe(206);
    expect(Buffer.from(await part.arrayBuffer()).equals(FILM.subarray(100, 200))).toBe(true);
  });

  it('downloads come from S3 through a URL that works for at most a minute and that nobody caches', async () => {
    const redirection = await fetch(film.downloadUrl, { redirect: 'manual' });
    expect([redirection.status, redirection.headers.get('cache-control')]).toEqual([302, 'no-store']);
    expect(redirection.headers.get('etag')).toBeNull();
    const target = new URL(redirection.headers.get('location') ?? '');
    expect(target.origin).toBe(new URL(bucket.settings.endpoint ?? '').origin);
    const lifetime = Number(target.searchParams.get('X-Amz-Expires'));
    expect([lifetime > 30, lifetime <= 60]).toEqual([true, true]);
  });

  it('HEAD of a download is answered by the service, because S3 would refuse it', async () => {
    const response = await fetch(film.downloadUrl, { method: 'HEAD' });
    expect([response.status, response.redirected]).toEqual([200, false]);
    expect(response.headers.get('content-length')).toBe(String(FILM.length));
  });

  it('playback is never redirected, so that a viewer can seek after any pause', async () => {
    const response = await fetch(film.videoUrl, { redirect: 'manual', headers: { range: 'bytes=100-199' } });
    expect(response.status).toBe(206);
    expect(Buffer.from(await response.arrayBuffer()).equals(FILM.subarray(100, 200))).toBe(true);
  });

  it('uploads in parts through tus and imported media are packaged as well', async () => {
    const { id } = await created(ada, { size: FILM.length });
    const tus = new RawTus(ada, id);
    for (let offset = 0; offset < FILM.length; offset += 20_000) {
      expect((await tus.patch(offset, FILM.subarray(offset, offset + 20_000))).status).toBe(204);
    }
    const imported = recording('Ada', { media: 'film.mp4' });
    await service.import({ recordings: [imported] }, { 'film.mp4': FILM });
    const sent = await settled(ada, id);
    await eventually(async () => {
      expect((await ada.get(`/recordings/${imported.id}`)).body.data.hlsUrl).not.toBeNull();
    });
    for (const url of [sent.hlsUrl, (await ada.get(`/recordings/${imported.id}`)).body.data.hlsUrl]) {
      expect((await readHls(url)).map(({ status }) => status)).toEqual(Array(3).fill(200));
    }
    const video = await fetch(sent.videoUrl);
    expect(sha256(new Uint8Array(await video.arrayBuffer()))).toBe(sha256(FILM));
  });

  it('deleting all recordings leaves an empty bucket and no open uploads', async () => {
    const { data } = (await ada.get('/recordings')).body;
    expect(data).toHaveLength(3);
    for (const { id } of data) expect((await ada.delete(`/recordings/${id}`)).status).toBe(200);
    await eventually(async () => expect(await keysOf(bucket.open())).toEqual([]));
    expect(await bucket.openUploads()).toBe(0);
    expect((await fetch(film.videoUrl)).status).toBe(403);
    expect((await fetch(film.hlsUrl)).status).toBe(403);
  });
});
