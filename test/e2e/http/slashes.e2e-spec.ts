import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { keyOf } from '../../factories/workspace.js';
import { rawRequest, sendRaw, type Reply } from '../../support/client.js';
import { expectEnded, SharedMedia, type SharedAddresses } from '../../support/shared-media.js';
import { TUS } from '../../support/uploads.js';

/** Clients that join a base URL and a path send empty segments; they mean nothing. */
describe('a URL with doubled slashes or a slash at its end', () => {
  let shared: SharedMedia;
  let addresses: SharedAddresses;
  const key = keyOf('Ada');

  beforeAll(async () => {
    shared = await SharedMedia.start(false);
    addresses = await shared.addressesFor(key);
  });
  afterAll(() => shared.stop());

  const send = (
    method: string,
    path: string,
    options: Parameters<typeof rawRequest>[2] = {},
  ): Promise<Reply> => sendRaw(shared.service.api.base, rawRequest(method, path, options));

  it.each([
    ['GET', '//api/v1/me'],
    ['GET', '/api/v1//me'],
    ['GET', '//api//v1/me//'],
    ['GET', '/api/v1/recordings//search/?q=a'],
  ])('is what it is without them: %s %s', async (method, path) => {
    const plain = path.replaceAll('//', '/').replace(/\/($|\?)/, '$1');
    const [given, expected] = [await send(method, path, { key }), await send(method, plain, { key })];
    expect([given.status, given.body]).toEqual([200, expected.body]);
    expect([...given.headers.keys()].sort()).toEqual([...expected.headers.keys()].sort());
  });

  it('takes changes, and its Location and Allow are those of the plain one', async () => {
    const body = '{"title":"Weekly sync"}';
    const { status, headers, body: reply } = await send('POST', '//api/v1//recordings/', { key, body });
    expect([status, headers.get('location')]).toEqual([201, `/api/v1/recordings/${reply.data.id}`]);
    const tus = { ...TUS, 'Upload-Length': '5', 'Upload-Metadata': 'title SGk=' };
    expect((await send('POST', '//api/v1/uploads/', { key, headers: tus })).status).toBe(201);
    const other = await send('PUT', '/api//v1/me/', { key });
    expect([other.status, other.headers.get('allow')]).toEqual([405, 'DELETE, GET, HEAD, OPTIONS, PATCH']);
  });

  const bent = (url: string): string => {
    const { pathname, search } = new URL(url);
    return `/${pathname.replaceAll('/', '//')}/${search}`;
  };

  it('of signed media works as it was signed, and not when something else was changed', async () => {
    const { base } = shared.service.api;
    for (const [kind, url] of Object.entries(addresses)) {
      const { status } = await send('GET', bent(url), { headers: { Range: 'bytes=0-9' } });
      expect([kind, status]).toEqual([kind, 206]);
    }
    const { video, segment } = addresses;
    await expectEnded([
      base + bent(video).replace('/video', '/thumbnail'),
      base + bent(video.replace('expires=', 'expires=9')),
      base + bent(segment).replace(shared.filmId, keyOf('Nobody')),
    ]);
  });

  it('never leads to another host', async () => {
    for (const path of [
      '//evil.example',
      '//evil.example/',
      '//evil.example//..',
      '/\\evil.example/',
      '//docs/..//evil.example//',
    ]) {
      const { status, headers } = await send('GET', path);
      expect([path, status, headers.get('location')]).toEqual([path, 404, null]);
    }
    expect((await send('GET', '//', { headers: { Accept: 'text/html' } })).headers.get('location')).toBe(
      '/docs',
    );
  });
});
