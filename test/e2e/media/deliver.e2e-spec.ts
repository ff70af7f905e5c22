import { createHash, randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { id, keyOf, recording, user } from '../../factories/workspace.js';
import { refusal } from '../../support/client.js';
import { startService, type TestService } from '../../support/service.js';

const SIZE = 100_000;
const BYTES = randomBytes(SIZE);
const NOW = new Date('2026-03-10T12:00:00Z');
const LONG_AGO = 'Thu, 01 Jan 2026 00:00:00 GMT';
const TYPES = [
  ['call.mp4', 'video/mp4'],
  ['call.webm', 'video/webm'],
  ['call.MOV', 'video/quicktime'],
  ['call.m4a', 'audio/mp4'],
  ['call.html', 'application/octet-stream'],
  ['call', 'application/octet-stream'],
] as const;
const TITLES = [
  ['quotes and separators', 'a"b\'c/d\\e:f*g?h<i>j|k'],
  ['a line break and a header', 'a\r\nSet-Cookie: x=1\r\n\r\n<script>'],
  ['a parent folder', '../../etc/passwd'],
  ['a leading dot', '.bashrc'],
  ['letters beyond Latin-1', 'Übersicht 会議 – März'],
  ['bidirectional control characters', 'report\u202Etxt.exe\u2066\u200F'],
  ['control characters', 'a\u0001b\u007fc\u0085d'],
] as const;

const bytes = async (response: Response): Promise<Buffer> => Buffer.from(await response.arrayBuffer());

describe('GET /media/:id/video', () => {
  let service: TestService;
  const own = recording('Ada', { title: 'Weekly sync', media: 'call.mp4' });
  const byType = TYPES.map(([media]) => recording('Ada', { media }));
  const byTitle = TITLES.map(([, title]) => recording('Ada', { media: 'call.mp4', title }));

  beforeAll(async () => {
    service = await startService();
    const files = Object.fromEntries(TYPES.map(([name]) => [name, BYTES]));
    const titled = byTitle.map((one) => ({ ...one, title: 'As 1.0.0 took it' }));
    await service.import({ users: [user('Ada')], recordings: [own, ...byType, ...titled] }, files);
    for (const one of byTitle) {
      await service.dataSource.query('UPDATE recordings SET title = $2 WHERE id = $1', [one.id, one.title]);
    }
    service.setNow(NOW);
  });
  afterAll(() => service.stop());

  async function address(of: { id: string }, kind = 'videoUrl'): Promise<string> {
    const { body } = await service.api.as(keyOf('Ada')).get(`/recordings/${of.id}`);
    const { pathname, search } = new URL(body.data[kind]);
    return service.api.base + pathname + search;
  }

  const fetchOwn = async (headers: Record<string, string> = {}, method = 'GET'): Promise<Response> =>
    load(await address(own), { method, headers });

  async function fileOf(of: { id: string }): Promise<string> {
    const [row] = await service.dataSource.query<{ media_key: string }[]>(
      'SELECT media_key FROM recordings WHERE id = $1',
      [of.id],
    );
    return join(service.dataDir, 'objects', row!.media_key);
  }

  it('plays inline, byte for byte, without an API key', async () => {
    const response = await fetchOwn();
    expect(response.status).toBe(200);
    expect((await bytes(response)).equals(BYTES)).toBe(true);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'video/mp4',
      'content-length': String(SIZE),
      'content-disposition': 'inline; filename="Weekly sync.mp4"',
      'accept-ranges': 'bytes',
      etag: `"${createHash('sha256').update(BYTES).digest('hex')}"`,
      'last-modified': expect.stringMatching(/GMT$/),
      'x-content-type-options': 'nosniff',
      'x-request-id': expect.any(String),
    });
  });

  it('downloads byte for byte, under a file name based on the title', async () => {
    const response = await load(await address(own, 'downloadUrl'));
    expect(response.status).toBe(200);
    expect(response.headers.get('content-disposition')).toBe('attachment; filename="Weekly sync.mp4"');
    expect((await bytes(response)).equals(BYTES)).toBe(true);
  });

  it('uses the new title as file name once the recording is renamed', async () => {
    const renamed = byTitle[3]!;
    await service.api.as(keyOf('Ada')).patch(`/recordings/${renamed.id}`, { title: 'Renamed' });
    const response = await load(await address(renamed, 'downloadUrl'));
    expect(response.headers.get('content-disposition')).toBe('attachment; filename="Renamed.mp4"');
    await service.api.as(keyOf('Ada')).patch(`/recordings/${renamed.id}`, { title: '..' });
  });

  it.each(TYPES.map(([name, type], index) => [name, type, index] as const))(
    'sends %s as %s, never as something a browser would execute',
    async (_, type, index) => {
      const response = await load(await address(byType[index]!));
      expect(response.headers.get('content-type')).toBe(type);
      expect(response.headers.get('x-content-type-options')).toBe('nosniff');
      expect((await bytes(response)).length).toBe(SIZE);
    },
  );

  it.each(TITLES.map(([name, title], index) => [name, title, index] as const))(
    'makes a safe file name from a title with %s',
    async (_, title, index) => {
      const response = await load(await address(byTitle[index]!, 'downloadUrl'));
      expect(response.status).toBe(200);
      expect(response.headers.get('set-cookie')).toBeNull();
      const header = response.headers.get('content-disposition') ?? '';
      expect(header).toMatch(
        /^attachment; filename="[^"\\/\r\n]+\.mp4"(; filename\*=UTF-8''[\w!#$&+.^`|~%-]+)?$/,
      );
      const encoded = /filename\*=UTF-8''(.+)$/.exec(header)?.[1];
      const name = encoded ? decodeURIComponent(encoded) : (/filename="(.+)"/.exec(header)?.[1] ?? '');
      expect(name).toMatch(/^[^.\s].*\.mp4$/u);
      expect(name).not.toMatch(/[\\/:*?"<>|\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/u);
      expect(Buffer.byteLength(name)).toBeLessThanOrEqual(title.length > 400 ? 512 : 255);
    },
  );

  it('answers 304 by the ETag, without reading the file', async () => {
    const unread = recording('Ada', { media: 'call.mp4' });
    await service.import({ recordings: [unread] }, { 'call.mp4': BYTES });
    const url = await address(unread);
    const etag = (await load(url, { method: 'HEAD' })).headers.get('etag') ?? '';
    await rm(await fileOf(unread));
    const ask = (headers: Record<string, string>): Promise<Response> =>
      load(url, { headers: { 'cache-control': 'max-age=3600', ...headers } });
    const known = await ask({ 'if-none-match': etag, 'if-modified-since': LONG_AGO });
    expect([known.status, await known.text(), known.headers.get('etag')]).toEqual([304, '', etag]);
    expect(known.headers.get('content-type')).toBeNull();
    expect((await ask({ 'if-none-match': '"other"' })).status).toBe(500);
    expect((await ask({ 'if-none-match': '*' })).status).toBe(500);
    expect((await ask({ 'if-none-match': etag, 'if-match': '"other"' })).status).toBe(500);
  });

  it.each([
    ['another recording', (url: URL) => (url.pathname = url.pathname.replace(own.id, byType[0]!.id))],
    ['an unknown recording', (url: URL) => (url.pathname = url.pathname.replace(own.id, id()))],
    ['another disposition', (url: URL) => url.searchParams.set('disposition', 'attachment')],
    ['a later expiry', (url: URL) => url.searchParams.set('expires', '1999999999')],
    ['no signature', (url: URL) => url.searchParams.delete('signature')],
    ['an added parameter', (url: URL) => url.searchParams.set('x', '1')],
    ['a second disposition', (url: URL) => (url.search = `?disposition=attachment&${url.search.slice(1)}`)],
  ])('refuses an altered URL with 403: %s', async (_, change) => {
    const url = new URL(await address(own));
    change(url);
    const response = await load(url);
    expect(response.status).toBe(403);
    expect(await response.json()).toEqual(refusal('FORBIDDEN'));
  });

  it('refuses a URL from the moment it expires, one hour after it was issued', async () => {
    const url = await address(own);
    service.setNow(new Date(NOW.getTime() + 3_599_999));
    expect((await load(url)).status).toBe(200);
    service.setNow(new Date(NOW.getTime() + 3_600_000));
    const response = await load(url);
    service.setNow(NOW);
    expect(response.status).toBe(403);
    expect(await response.json()).toEqual(refusal('FORBIDDEN'));
  });
});

/** Reads the body too: an unread body keeps the connection open, and with it this process. */
async function load(url: string | URL, init?: RequestInit): Promise<Response> {
  const response = await fetch(url, init);
  const body = await response.arrayBuffer();
  return new Response(body.byteLength > 0 ? body : null, response);
}
