import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import sharp from 'sharp';
import { keyOf, recording, user } from '../../../factories/workspace.js';
import { rawRequest, refusal, sendRaw, type Client } from '../../../support/client.js';
import { sha256 } from '../../../support/objects.js';
import { readHls, recordedAt, settled, upload, type Detail } from '../../../support/packaged.js';
import { eventually, startService, type TestService } from '../../../support/service.js';

const FILM = readFileSync('demo/media/depot-walk-through.mp4');
/** It says when it was recorded. */
const TIMED = recordedAt(FILM, new Date('2025-11-05T14:00:00Z'));
const SECONDS = 18.35;
/** Offset of the first video data in the film. */
const PICTURES = FILM.indexOf('mdat') + 4;

const older = recording('Free', { title: 'Imported', media: 'film.mp4', status: 'COMPLETED' });
const moving = recording('Ada', { title: 'Imported', media: 'film.mp4', status: 'MIGRATING' });

describe('packaging an upload', () => {
  let service: TestService;
  let ada: Client;
  let free: Client;
  const seen: Detail[] = [];
  let film: Detail;
  let other: Detail;

  beforeAll(async () => {
    service = await startService({}, { worker: true });
    [ada, free] = [service.api.as(keyOf('Ada')), service.api.as(keyOf('Free'))];
    await service.import({ users: [user('Ada'), user('Free', { plan: 'FREE' })] });
    const [id, otherId] = await Promise.all([
      upload(ada, TIMED, { title: 'Depot' }),
      upload(ada, TIMED, { started_at: '2026-01-31T09:30:00Z' }),
    ]);
    film = await settled(ada, id, { onLook: (detail) => void seen.push(detail) });
    other = await settled(ada, otherId);
  });
  afterAll(() => service.stop());

  it('goes through the statuses in order, never back, and so does its progress', () => {
    const statuses = [...new Set(seen.map(({ status }) => status))];
    const order = ['PROCESSING', 'MIGRATING', 'COMPLETED'];
    expect(statuses).toEqual(order.filter((status) => statuses.includes(status)));
    expect(statuses.at(-1)).toBe('COMPLETED');
    const progress = seen.map((detail) => detail.progress);
    expect(progress).toEqual(progress.toSorted((a, b) => a - b));
    expect(progress.at(-1)).toBe(1);
    for (const { status, videoUrl, hlsUrl, thumbnailUrl } of seen) {
      const given = [videoUrl, hlsUrl, thumbnailUrl].map((url) => url !== null);
      expect(given).toEqual(Array(3).fill(status !== 'PROCESSING'));
    }
  });

  it('is complete with URLs, duration and no reason', () => {
    expect(film).toMatchObject({
      status: 'COMPLETED',
      statusReason: null,
      progress: 1,
      duration: expect.closeTo(SECONDS, 1),
      hlsUrl: expect.stringMatching(/\.m3u8$/),
      thumbnailUrl: expect.any(String),
      downloadUrl: expect.any(String),
    });
  });

  it('plays as HLS without an API key, on any site', async () => {
    const files = await readHls(film.hlsUrl);
    expect(files.map(({ name }) => name)).toEqual(['master.m3u8', 'media.m3u8', 'media.mp4']);
    for (const { name, status, headers, content } of files) {
      expect([name, status]).toEqual([name, 200]);
      expect(content.length).toBeGreaterThan(0);
      expect(headers.get('content-type')).toBe(typeOf(name));
      expect(headers.get('access-control-allow-origin')).toBe('*');
      expect(headers.get('cache-control')).toMatch(/^private\b/);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
    }
    const playlist = files[1]!.content.toString();
    const lengths = [...playlist.matchAll(/#EXTINF:([\d.]+)/g)].map(([, seconds]) => Number(seconds));
    expect(lengths.reduce((sum, seconds) => sum + seconds)).toBeCloseTo(SECONDS, 1);
    expect(playlist).toMatch(/#EXT-X-ENDLIST\s*$/);
  });

  it('returns the file byte for byte, as a whole and in ranges', async () => {
    const whole = await fetch(film.videoUrl);
    expect([whole.status, whole.headers.get('content-type')]).toEqual([200, 'video/mp4']);
    expect(sha256(new Uint8Array(await whole.arrayBuffer()))).toBe(sha256(TIMED));
    const part = await fetch(film.videoUrl, { headers: { range: 'bytes=20000-29999' } });
    expect(part.status).toBe(206);
    expect(part.headers.get('content-range')).toBe(`bytes 20000-29999/${TIMED.length}`);
    expect(Buffer.from(await part.arrayBuffer()).equals(TIMED.subarray(20_000, 30_000))).toBe(true);
    const saved = await fetch(film.downloadUrl);
    expect(saved.headers.get('content-disposition')).toBe('attachment; filename="Depot.mp4"');
    expect(sha256(new Uint8Array(await saved.arrayBuffer()))).toBe(sha256(TIMED));
  });

  it('has a thumbnail: a small JPEG, the same in the list', async () => {
    const list = await ada.get('/recordings');
    const listed = list.body.data.find(({ id }: Detail) => id === film.id);
    for (const url of [film.thumbnailUrl, listed.thumbnailUrl]) {
      const response = await fetch(url);
      expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
      const { format, width, height } = await sharp(Buffer.from(await response.arrayBuffer())).metadata();
      expect([format, width, height]).toEqual(['jpeg', 640, 360]);
    }
  });

  it('leaves behind only what the recording needs', async () => {
    await eventually(async () => {
      const keys = (await service.objects()).filter((key) => key.includes(film.id));
      const names = keys.map((key) => key.split('/').slice(3).join('/'));
      expect(names.toSorted()).toEqual([
        'hls/master.m3u8',
        'hls/media.m3u8',
        'hls/media.mp4',
        'source',
        'thumbnail.jpg',
      ]);
    });
  });

  it('keeps the start given by the client, and computes the end from the duration', () => {
    expect(other).toMatchObject({
      status: 'COMPLETED',
      startedAt: '2026-01-31T09:30:00.000Z',
      endedAt: '2026-01-31T09:30:18.350Z',
    });
  });

  it('takes the start from the media if the client gave none', () => {
    expect([film.startedAt, film.endedAt]).toEqual(['2025-11-05T14:00:00.000Z', '2025-11-05T14:00:18.350Z']);
  });

  describe('the URL of the playlist', () => {
    const [TOKEN, LATER] = [/(?<=\/hls\/)[^/]+/, '1999999999'];
    const code = async (url: string) => {
      const response = await fetch(url);
      return [response.status, await response.json()];
    };
    const FORBIDDEN = [403, refusal('FORBIDDEN')];

    it.each<[string, (token: string) => string]>([
      ['another signature', (token) => token.replace(/.{4}$/, 'AAAA')],
      ['a later expiry', (token) => token.replace(/(?<=\.)\d+(?=\.)/, LATER)],
      ['no signature', (token) => token.replace(/\.[^.]*$/, '')],
      ['an added parameter', (token) => token.replace(/\.(?=[^.]*$)/, '%26x=1.')],
    ])('is refused with %s: 403 for every file', async (_, change) => {
      for (const name of ['master.m3u8', 'media.m3u8', 'media.mp4']) {
        const url = film.hlsUrl.replace(TOKEN, change).replace('master.m3u8', name);
        expect(await code(url)).toEqual(FORBIDDEN);
      }
    });

    it.each([
      '../thumbnail.jpg',
      '../source',
      '%2e%2e%2fthumbnail.jpg',
      '..%252fthumbnail.jpg',
      '..\\thumbnail.jpg',
      'x/../../thumbnail.jpg',
      '//etc/passwd',
      'media.m3u8%00.jpg',
      '..%c0%afthumbnail.jpg',
      '',
    ])('never leads to another file: %j', async (path) => {
      const { pathname } = new URL(film.hlsUrl);
      const reply = await sendRaw(service.api.base, rawRequest('GET', pathname.replace('master.m3u8', path)));
      expect([400, 403, 404]).toContain(reply.status);
      expect(reply.body).toEqual({ error: { code: expect.any(String), message: expect.any(String) } });
    });
  });

  it('a file that has nothing but zeros after its index ends in ERROR with a user-friendly reason', async () => {
    const id = await upload(ada, zeroedFrom(PICTURES));
    const failed = await settled(ada, id);
    expect(failed).toMatchObject({
      status: 'ERROR',
      statusReason: expect.stringMatching(/decoded/),
      videoUrl: null,
      hlsUrl: null,
      thumbnailUrl: null,
      downloadUrl: null,
    });
    const keys = (await service.objects()).filter((key) => key.includes(id));
    expect(keys).toEqual([expect.stringContaining(`recordings/${id}/parts/`)]);
  });

  it('imported media gets renditions and a thumbnail too, and keeps its status and its file', async () => {
    await service.import({ recordings: [older, moving] }, { 'film.mp4': FILM });
    for (const [owner, { id, status }] of [
      [free, older],
      [ada, moving],
    ] as const) {
      const look = async (): Promise<Detail> => (await owner.get(`/recordings/${id}`)).body.data;
      await eventually(async () => {
        const data = await look();
        expect(data).toMatchObject({ status, hlsUrl: expect.any(String), thumbnailUrl: expect.any(String) });
        expect(data.duration).toBeCloseTo(SECONDS, 1);
      });
      const data = await look();
      // Neither the client nor the media says when it began.
      expect([data.startedAt, data.endedAt]).toEqual([null, null]);
      expect((await readHls(data.hlsUrl)).map((file) => file.status)).toEqual(Array(3).fill(200));
      const video = await fetch(data.videoUrl);
      expect(sha256(new Uint8Array(await video.arrayBuffer()))).toBe(sha256(FILM));
    }
  });

  it('a locked recording has only its thumbnail', async () => {
    const made = `UPDATE recordings SET created_at = now() - interval '60 days' WHERE id = $1`;
    await service.dataSource.query(made, [older.id]);
    const detail = (await free.get(`/recordings/${older.id}`)).body.data;
    expect(detail).toMatchObject({ isLocked: true, videoUrl: null, hlsUrl: null, downloadUrl: null });
    const [listed] = (await free.get('/recordings')).body.data;
    for (const url of [detail.thumbnailUrl, listed.thumbnailUrl]) {
      expect((await fetch(url)).headers.get('content-type')).toBe('image/jpeg');
    }
  });

  it('ends with the recording: URLs issued before get 403, and nothing is left', async () => {
    const urls = [...(await readHls(other.hlsUrl)).map(({ url }) => url), other.thumbnailUrl, other.videoUrl];
    expect((await ada.delete(`/recordings/${other.id}`)).status).toBe(200);
    for (const url of urls) expect((await fetch(url)).status).toBe(403);
    await eventually(async () => {
      expect((await service.objects()).filter((key) => key.includes(other.id))).toEqual([]);
    });
  });
});

function zeroedFrom(start: number): Buffer {
  return Buffer.concat([FILM.subarray(0, start), Buffer.alloc(FILM.length - start)]);
}

function typeOf(name: string): string {
  return name.endsWith('.m3u8') ? 'application/vnd.apple.mpegurl' : 'video/mp4';
}
