import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { keyOf, transcript } from '../factories/workspace.js';
import { browserToken } from '../support/browser-tokens.js';
import { codeBlocks } from '../support/code-blocks.js';
import { openBrowser, openPage, playsOn, until } from '../support/browser.js';
import type { Reply } from '../support/client.js';
import type { Detail } from '../support/packaged.js';
import { CHROMIUM, S3 } from '../support/requirements.js';
import { SharedMedia } from '../support/shared-media.js';

const HLS = readFileSync(createRequire(import.meta.url).resolve('hls.js/dist/hls.min.js'));
const PAGE = '<!DOCTYPE html><title>Intranet</title><video muted></video><script src="/hls.js"></script>';

/** What a player on the page of another site has to do: it knows nothing of the service but its URLs. */
const PLAYER = (url: string): string => `(() => {
  const video = document.querySelector('video');
  const hls = new Hls({ enableWorker: false });
  Object.assign(globalThis, { hls, refused: [], tracks: null });
  hls.on(Hls.Events.ERROR, (_, { response }) => response && refused.push(response.code));
  hls.on(Hls.Events.MANIFEST_PARSED, (_, data) => { tracks = data.subtitleTracks.map(({ name, lang }) => ({ name, lang })); });
  hls.loadSource(${JSON.stringify(url)});
  hls.attachMedia(video);
  void video.play();
})()`;

function serveSite(): Promise<Server> {
  const site = createServer(({ url }, response) => {
    response.setHeader('Content-Type', url === '/hls.js' ? 'text/javascript' : 'text/html; charset=utf-8');
    response.end(url === '/hls.js' ? HLS : PAGE);
  });
  return new Promise((resolve) => site.listen(0, '127.0.0.1', () => resolve(site)));
}

CHROMIUM.describe('a player on another site', () => {
  let media: SharedMedia;
  let site: Server;
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    // Without CORS_ORIGINS.
    media = await SharedMedia.start(false);
    site = await serveSite();
    browser = await openBrowser();
    await media.ada.request('PUT', `/recordings/${media.filmId}/transcript`, { body: transcript(9) });
  }, 90_000);
  afterAll(async () => {
    await browser.close();
    site.close();
    await media.stop();
  });
  afterEach(() => page.context().close());

  async function detail(): Promise<Detail> {
    return (await media.ada.get(`/recordings/${media.filmId}`)).body.data;
  }

  async function open(): Promise<Page> {
    ({ page } = await openPage(browser));
    await page.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}`);
    return page;
  }

  /** What a script on the page reads. */
  const read = (url: string, headers: Record<string, string> = {}): Promise<object> =>
    page.evaluate(
      async ([address, asked]) => {
        const response = await fetch(address, { headers: asked });
        const { length } = await response.text();
        const names = ['content-range', 'content-length', 'accept-ranges', 'etag', 'x-request-id'];
        return { status: response.status, length, read: names.filter((name) => response.headers.has(name)) };
      },
      [url, headers] as const,
    );

  it('plays HLS with hls.js, and shows what is said as subtitles', async () => {
    await open();
    await page.evaluate(PLAYER((await detail()).hlsUrl));
    await playsOn(page, 0);
    expect(await page.evaluate('tracks')).toEqual([{ name: 'English', lang: 'en' }]);
    await page.evaluate('hls.subtitleTrack = 0');
    await until(page, `document.querySelector('video').textTracks[0]?.cues?.length === 9`);
    const track = await page.evaluate(`(() => {
      const [{ kind, label, language, mode, cues }, ...others] = document.querySelector('video').textTracks;
      const [first, second] = [...cues].map(({ startTime, endTime, text }) => ({ startTime, endTime, text }));
      return { kind, label, language, mode, first, second, others: others.length };
    })()`);
    const around = (seconds: number): unknown => expect.closeTo(seconds, 1);
    expect(track).toEqual({
      kind: 'subtitles',
      label: 'English',
      language: 'en',
      mode: 'showing',
      first: { startTime: around(0), endTime: around(1.5), text: '<v Ada>Sentence 0</v>' },
      second: { startTime: around(2), endTime: around(3.5), text: '<v Grace>Sentence 1</v>' },
      others: 0,
    });
    expect(await page.evaluate('refused')).toEqual([]);
  });

  it('reads ranges, sizes and names, also where the browser asks first', async () => {
    await open();
    const { videoUrl, captionsUrl, thumbnailUrl } = await detail();
    const preflights: string[] = [];
    const client = await page.context().newCDPSession(page);
    await client.send('Network.enable');
    client.on('Network.requestWillBeSent', ({ request }) => {
      if (request.method === 'OPTIONS') preflights.push(request.url);
    });
    const everything = ['content-range', 'content-length', 'accept-ranges', 'etag', 'x-request-id'];
    // A suffix range is not safelisted.
    expect(await read(videoUrl, { range: 'bytes=-10' })).toEqual({
      status: 206,
      length: 10,
      read: everything,
    });
    expect(preflights).toEqual([videoUrl]);
    expect(await read(thumbnailUrl)).toMatchObject({ status: 200, read: expect.arrayContaining(['etag']) });
    expect(await read(captionsUrl)).toMatchObject({ status: 200, read: expect.arrayContaining(['etag']) });
  });

  it('reads and changes with a browser token what it is for, and tells that it has expired', async () => {
    await open();
    const origins = [`http://127.0.0.1:${(site.address() as AddressInfo).port}`];
    const { filmId, ada, service } = media;
    const fields = { scopes: ['recordings:read', 'recordings:write'], recordings: [filmId], expires_in: 60 };
    const send = (token: string, method = 'GET', body?: object): Promise<unknown> =>
      page.evaluate(
        async ([url, init]) => {
          const reply = await fetch(url, init as RequestInit).catch(String);
          return typeof reply === 'string'
            ? reply
            : [reply.status, ((await reply.json()) as Reply['body']).error?.code];
        },
        [
          `${service.api.base}/api/v1/recordings/${filmId}`,
          {
            method,
            headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
            body: body && JSON.stringify(body),
          },
        ] as const,
      );
    const token = await browserToken(ada, { ...fields, origins });
    expect(await send(token)).toEqual([200, undefined]);
    expect(await send(token, 'PATCH', { title: 'Weekly sync' })).toEqual([200, undefined]);
    expect(await send(token, 'DELETE')).toEqual([403, 'FORBIDDEN']);
    for (const other of [await browserToken(ada, fields), keyOf('Ada')])
      expect(await send(other)).toBe('TypeError: Failed to fetch');
    service.setNow(new Date(Date.now() + 61_000));
    expect(await send(token)).toEqual([401, 'TOKEN_EXPIRED']);
    service.setNow(null);
  });

  it('sees a refusal as such, and no subtitles where transcription is turned off', async () => {
    await open();
    const { hlsUrl, captionsUrl } = await detail();
    await media.sql('UPDATE organizations SET feature_transcription = false');
    try {
      await page.evaluate(PLAYER(hlsUrl));
      await playsOn(page, 0);
      expect(await page.evaluate('tracks')).toEqual([]);
      const refused = { status: 403, read: ['content-length', 'x-request-id'] };
      expect(await read(captionsUrl)).toMatchObject(refused);
      expect(await read(new URL('captions.vtt', hlsUrl).href)).toMatchObject(refused);
    } finally {
      await media.sql('UPDATE organizations SET feature_transcription = true');
    }
    const { filmId } = media;
    await media.sql(
      'UPDATE api_keys SET revoked_at = now() WHERE hash = sha256($1)',
      Buffer.from(keyOf('Ada')),
    );
    try {
      await page.evaluate(PLAYER(hlsUrl));
      await until(page, 'refused.length > 0');
      expect(await page.evaluate('refused[0]')).toBe(403);
      const gone = `${media.service.api.base}/media/${filmId}/nothing`;
      expect(await read(gone)).toMatchObject({ status: 404 });
    } finally {
      await media.sql('UPDATE api_keys SET revoked_at = NULL');
    }
  });
});

CHROMIUM.describe('a script on another site', () => {
  S3.describe('with files in S3', () => {
    it('downloads from S3, if the bucket allows what the documentation says', async () => {
      const [documented] = codeBlocks('docs/operations/configure.md', 'json');
      const media = await SharedMedia.start(true);
      const site = await serveSite();
      const browser = await openBrowser();
      try {
        const { page } = await openPage(browser);
        await page.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}`);
        const { downloadUrl } = (await media.ada.get(`/recordings/${media.filmId}`)).body.data;
        const size = (): Promise<number | string> =>
          page.evaluate(
            (url) => fetch(url).then(async (reply) => (await reply.arrayBuffer()).byteLength, String),
            downloadUrl,
          );
        expect(await size()).toBe('TypeError: Failed to fetch');
        await media.bucket?.allow(JSON.parse(documented!));
        expect(await size()).toBe(55_076);
      } finally {
        await browser.close();
        site.close();
        await media.stop();
      }
    }, 90_000);
  });
});
