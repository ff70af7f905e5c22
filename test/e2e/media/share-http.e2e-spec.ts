import { connect } from 'node:net';
import type { Readable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { ObjectStore } from '../../../src/platform/storage/object-store.js';
import { refusal } from '../../support/client.js';
import { sha256 } from '../../support/objects.js';
import { readHls } from '../../support/packaged.js';
import { S3 } from '../../support/requirements.js';
import { eventually } from '../../support/service.js';
import { FILM, SharedMedia, STORES, type SharedAddresses } from '../../support/shared-media.js';

const ETAG = '"528e3885dbd0b8dd9259c144f4f941c7cbaf2492e15fafbf8643c891d7044880"';
const MIB = 1024 * 1024;
const LONG_AGO = 'Thu, 01 Jan 2026 00:00:00 GMT';
const LATER = 'Fri, 01 Jan 2100 00:00:00 GMT';

type Headers = Record<string, string>;

const answer = async (url: string, headers: Headers = {}, method = 'GET'): Promise<Response> =>
  // Node's fetch requests a fresh copy by default.
  fetch(url, { method, headers: { 'cache-control': 'max-age=3600', ...headers }, redirect: 'manual' });

const bytes = async (response: Response): Promise<Buffer> => Buffer.from(await response.arrayBuffer());

describe.each(STORES)('media of a share link over HTTP, %s', (_, describeStore, inS3) => {
  describeStore('as requested by players', () => {
    let shared: SharedMedia;
    let addresses: SharedAddresses;

    beforeAll(async () => {
      shared = await SharedMedia.start(inS3);
      addresses = await shared.addresses(await shared.link());
    });
    afterAll(() => shared.stop());

    it.each([
      ['video', 'inline'],
      ['download', 'attachment'],
    ] as const)('sends the whole %s, to be revalidated every time', async (kind, disposition) => {
      const response = await answer(addresses[kind] ?? '');
      expect(response.status).toBe(200);
      expect(Object.fromEntries(response.headers)).toMatchObject({
        'content-type': 'video/mp4',
        'content-length': '55076',
        'content-disposition': `${disposition}; filename="Weekly sync.mp4"`,
        'cache-control': 'private, no-cache',
        'accept-ranges': 'bytes',
        etag: ETAG,
        'last-modified': expect.stringMatching(/GMT$/),
        'x-content-type-options': 'nosniff',
        'cross-origin-resource-policy': 'cross-origin',
        'access-control-allow-origin': '*',
      });
      expect((await bytes(response)).equals(FILM)).toBe(true);
    });

    it('serves everything that a playlist refers to, below the URL of the playlist', async () => {
      const files = await readHls(addresses.hls);
      expect(files.map(({ status }) => status)).toEqual(Array(3).fill(200));
      for (const { content, headers } of files) {
        expect(headers.get('content-length')).toBe(String(content.length));
        expect(headers.get('cache-control')).toBe('private, no-cache');
      }
      expect(new Set(files.map(({ headers }) => headers.get('content-type')))).toEqual(
        new Set(['application/vnd.apple.mpegurl', 'video/mp4']),
      );
    });

    it.each<[string, Headers, number, number]>([
      ['the first bytes', { range: 'bytes=0-99' }, 0, 99],
      ['an open end', { range: 'bytes=55000-' }, 55_000, 55_075],
      ['the last bytes', { range: 'bytes=-500' }, 54_576, 55_075],
      ['the whole file', { range: 'bytes=0-' }, 0, 55_075],
      ['a suffix longer than the file', { range: 'bytes=-200000' }, 0, 55_075],
      ['the same file as before', { range: 'bytes=10-19', 'if-range': ETAG }, 10, 19],
      ['not changed since', { range: 'bytes=10-19', 'if-range': LATER }, 10, 19],
      ['matching the expected ETag', { range: 'bytes=10-19', 'if-match': `"other", ${ETAG}` }, 10, 19],
    ])('sends a part of the file: %s', async (_name, headers, from, to) => {
      for (const method of ['GET', 'HEAD']) {
        const response = await answer(addresses.video, headers, method);
        expect(response.status).toBe(206);
        expect(response.headers.get('content-range')).toBe(`bytes ${from}-${to}/55076`);
        expect(response.headers.get('content-length')).toBe(String(to - from + 1));
        const expected = method === 'GET' ? FILM.subarray(from, to + 1) : Buffer.alloc(0);
        expect((await bytes(response)).equals(expected)).toBe(true);
      }
    });

    it.each<[string, Headers]>([
      ['several parts', { range: 'bytes=0-9,20-29' }],
      ['a part of another file', { range: 'bytes=10-19', 'if-range': '"other"' }],
      ['a part of an older file', { range: 'bytes=10-19', 'if-range': LONG_AGO }],
      ['a file other than the cached one', { 'if-none-match': '"other"' }],
      ['any file', { 'if-match': '*' }],
      ['a file not changed since', { 'if-unmodified-since': LATER }],
    ])('sends the whole file for %s', async (_name, headers) => {
      const response = await answer(addresses.video, headers);
      expect([response.status, response.headers.get('content-range')]).toEqual([200, null]);
      expect((await bytes(response)).equals(FILM)).toBe(true);
    });

    it.each<Headers>([
      { 'if-none-match': ETAG },
      { 'if-none-match': `"other", W/${ETAG}`, range: 'bytes=0-9' },
      { 'if-none-match': '*' },
      { 'if-modified-since': LATER },
    ])('answers 304 to %j', async (headers) => {
      for (const method of ['GET', 'HEAD']) {
        const response = await answer(addresses.video, headers, method);
        expect([response.status, await response.text()]).toEqual([304, '']);
        expect(Object.fromEntries(response.headers)).toMatchObject({
          etag: ETAG,
          'cache-control': 'private, no-cache',
        });
        for (const name of ['content-type', 'content-length', 'content-range']) {
          expect(response.headers.get(name)).toBeNull();
        }
      }
    });

    it.each(['bytes=55076-', 'bytes=200000-300000', 'bytes=-0'])('refuses %s with 416', async (range) => {
      const response = await answer(addresses.video, { range });
      expect([response.status, response.headers.get('content-range')]).toEqual([416, 'bytes */55076']);
      expect(await response.json()).toEqual(refusal('RANGE_NOT_SATISFIABLE'));
      expect(response.headers.get('content-disposition')).toBeNull();
      expect(response.headers.get('cache-control')).toBeNull();
    });

    it.each<Headers>([{ 'if-match': '"other"' }, { 'if-unmodified-since': LONG_AGO }])(
      'refuses with 412 if %j does not hold',
      async (headers) => {
        const response = await answer(addresses.video, headers);
        expect([response.status, await response.json()]).toEqual([412, refusal('PRECONDITION_FAILED')]);
        expect(response.headers.get('etag')).toBeNull();
      },
    );

    it.each<Headers>([{}, { range: 'bytes=0-9' }])(
      'reports a lost file as an internal error (%j)',
      async (headers) => {
        await shared.sql(`UPDATE recordings SET media_key = media_key || '-lost'`);
        const response = await answer(addresses.video, headers);
        await shared.sql(`UPDATE recordings SET media_key = replace(media_key, '-lost', '')`);
        expect([response.status, await response.json()]).toEqual([500, refusal('INTERNAL_ERROR')]);
        for (const name of ['content-disposition', 'etag', 'cache-control', 'content-range']) {
          expect(response.headers.get(name)).toBeNull();
        }
        expect((await answer(addresses.video)).status).toBe(200);
      },
    );
  });
});

S3.describe('media of a share link, read from S3 for a client that disconnects', () => {
  let shared: SharedMedia;
  let video: string;

  beforeAll(async () => {
    // In place of five minutes.
    shared = await SharedMedia.start(true, { limits: { timeout: 1_500 } });
    const key = `recordings/${shared.filmId}/large`;
    await shared.service.app.get(ObjectStore).put(key, Buffer.alloc(64 * MIB, 'x'));
    await shared.sql('UPDATE recordings SET media_key = $1', key);
    ({ video } = await shared.addresses(await shared.link()));
  });
  afterAll(() => shared.stop());
  afterEach(() => {
    jest.restoreAllMocks();
  });

  it.each([
    ['while reading', 0],
    ['before the first byte', 300],
  ])('ends the read: %s', async (_name, delayMs) => {
    const objects = shared.service.app.get(ObjectStore);
    const get = objects.get.bind(objects);
    const opened = jest.spyOn(objects, 'get').mockImplementation(async (...args) => {
      await setTimeout(delayMs);
      return get(...args);
    });
    const leaving = new AbortController();
    const reading = fetch(video, { signal: leaving.signal }).then(async ({ body }) =>
      body!.getReader().read(),
    );
    if (delayMs > 0) await setTimeout(delayMs / 2);
    else expect((await reading).value?.length).toBeGreaterThan(0);
    leaving.abort();
    if (delayMs > 0) await expect(reading).rejects.toThrow();
    await eventually(async () => {
      const content = (await opened.mock.results[0]?.value) as Readable | undefined;
      expect([content?.destroyed, content?.readableEnded]).toEqual([true, false]);
    });
  });

  it('ends the read for a client that accepts nothing for a long time', async () => {
    const opened = jest.spyOn(shared.service.app.get(ObjectStore), 'get');
    const { hostname, port, pathname, search } = new URL(video);
    const client = connect(Number(port), hostname);
    client.on('error', () => {});
    client.write(`GET ${pathname}${search} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    await eventually(async () => {
      const content = (await opened.mock.results[0]?.value) as Readable | undefined;
      expect([content?.destroyed, content?.readableEnded]).toEqual([true, false]);
    });
    client.destroy();
  });

  it('reads no more than the client accepts', async () => {
    const response = await fetch(video, { headers: { range: 'bytes=1000-1999' } });
    expect(response.status).toBe(206);
    expect(sha256(await bytes(response))).toBe(sha256(Buffer.alloc(1000, 'x')));
  });
});
