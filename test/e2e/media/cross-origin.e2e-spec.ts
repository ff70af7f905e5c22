import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { DomainError } from '../../../src/contract/domain-error.js';
import { ObjectStore } from '../../../src/platform/storage/object-store.js';
import { keyOf } from '../../factories/workspace.js';
import { refusal } from '../../support/client.js';
import { startService } from '../../support/service.js';
import { SharedMedia, STORES, type SharedAddresses } from '../../support/shared-media.js';

const PLAYER = 'https://player.example';
const APP = 'https://app.example';
/** What a player must be able to read to seek, to revalidate, and to say what went wrong. */
const EXPOSED = ['Accept-Ranges', 'Content-Length', 'Content-Range', 'ETag', 'Retry-After', 'X-Request-Id'];

const ask = (url: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Response> =>
  // Node's fetch requests a fresh copy by default.
  fetch(url, {
    method,
    headers: { 'cache-control': 'max-age=3600', origin: PLAYER, ...headers },
    redirect: 'manual',
  });

/** That a script of any site may read the reply, without cookies. */
function expectReadable({ headers }: Response): void {
  expect(headers.get('access-control-allow-origin')).toBe('*');
  expect(headers.get('access-control-allow-credentials')).toBeNull();
  expect(headers.get('access-control-expose-headers')?.split(',')).toEqual(expect.arrayContaining(EXPOSED));
}

/** CORS for one other origin: that does not decide about media. */
describe.each(STORES)('media for a player on another origin, %s', (_, describeStore, inS3) => {
  describeStore('with CORS_ORIGINS that does not name it', () => {
    let media: SharedMedia;
    let urls: SharedAddresses;

    beforeAll(async () => {
      media = await SharedMedia.start(inS3, { settings: { CORS_ORIGINS: APP } });
      urls = await media.addressesFor(keyOf('Ada'));
    });
    afterAll(() => media.stop());
    afterEach(() => {
      jest.restoreAllMocks();
    });

    it.each(['video', 'download', 'hls', 'segment', 'thumbnail'] as const)(
      'answers the preflight of a range, and lets the player read the reply: %s',
      async (kind) => {
        const url = urls[kind] ?? '';
        const preflight = await ask(
          url,
          {
            'access-control-request-method': 'GET',
            'access-control-request-headers': 'range,if-range,x-player',
          },
          'OPTIONS',
        );
        expect([preflight.status, await preflight.text()]).toEqual([204, '']);
        expect(Object.fromEntries(preflight.headers)).toMatchObject({
          'access-control-allow-origin': '*',
          'access-control-allow-methods': 'GET,HEAD',
          'access-control-allow-headers': 'range,if-range,x-player',
          'access-control-max-age': '86400',
        });
        for (const method of ['GET', 'HEAD']) {
          const part = await ask(url, { range: 'bytes=0-9' }, method);
          await part.arrayBuffer();
          const isRedirected = inS3 && kind === 'download' && method === 'GET';
          expect([method, part.status]).toEqual([method, isRedirected ? 302 : 206]);
          expectReadable(part);
        }
      },
    );

    it('lets the player read every refusal', async () => {
      const gone = urls.hls.replace('master.m3u8', 'segment-99999.m4s');
      const known = (await ask(urls.video, {}, 'HEAD')).headers.get('etag') ?? '';
      const replies = [
        [304, await ask(urls.video, { 'if-none-match': known })],
        [403, await ask(`${urls.video}x`)],
        [403, await ask(urls.hls.replace('/key_', '/key_x'))],
        [403, await ask(`${urls.thumbnail}x`)],
        [404, await ask(gone)],
        [404, await ask(new URL('/media/nothing', urls.video).href)],
        [405, await ask(urls.video, {}, 'DELETE')],
        [412, await ask(urls.video, { 'if-match': '"other"' })],
        [416, await ask(urls.video, { range: 'bytes=99999999-' })],
      ] as const;
      for (const [status, reply] of replies) {
        await reply.text();
        expect(reply.status).toBe(status);
        expectReadable(reply);
      }
    });

    it('lets the player read that files cannot be read at the moment', async () => {
      const unavailable = new DomainError('SERVICE_UNAVAILABLE');
      jest.spyOn(media.service.app.get(ObjectStore), 'stat').mockRejectedValue(unavailable);
      const reply = await ask(urls.segment);
      expect([reply.status, await reply.json()]).toEqual([503, refusal('SERVICE_UNAVAILABLE')]);
      expectReadable(reply);
    });

    it('says nothing about the API, which only the named origin may call', async () => {
      const me = `${media.service.api.base}/api/v1/me`;
      expect((await ask(me)).headers.get('access-control-allow-origin')).toBeNull();
      expect((await ask(me, { origin: APP })).headers.get('access-control-allow-origin')).toBe(APP);
      expect((await ask(urls.video, { origin: APP })).headers.get('access-control-allow-origin')).toBe('*');
    });
  });
});

describe('a player on another origin, with one request a minute', () => {
  it('is told that it asks too often, and when to ask again', async () => {
    const service = await startService({ RATE_LIMIT_ANONYMOUS_PER_MINUTE: '1', TRUST_PROXY: 'none' });
    try {
      const url = `${service.api.base}/media/none/video`;
      const preflight = { 'access-control-request-method': 'GET' };
      for (let sent = 0; sent < 3; sent += 1) expect((await ask(url, preflight, 'OPTIONS')).status).toBe(204);
      expect((await ask(url)).status).toBe(403);
      const refused = await ask(url);
      expect([refused.status, Number(refused.headers.get('retry-after'))]).toEqual([429, expect.any(Number)]);
      expectReadable(refused);
      expect(
        (await ask(`${service.api.base}/api/v1/me`)).headers.get('access-control-allow-origin'),
      ).toBeNull();
    } finally {
      await service.stop();
    }
  });
});
