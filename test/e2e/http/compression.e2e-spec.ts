import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { id, keyOf, member, organization, recording, user } from '../../factories/workspace.js';
import { startService, type TestService } from '../../support/service.js';

const own = recording('Ada', { title: 'Recording', notes: 'note '.repeat(500) });
const acme = organization('Acme', {
  members: [
    member('Ada', 'OWNER'),
    ...Array.from({ length: 20 }, (_, number) => member(`M${number}`, 'VIEWER')),
  ],
});
const tiny = organization('Tiny', { members: [member('Ada', 'OWNER')] });

interface Received {
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly bytes: Buffer;
}

describe('compressed replies', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService();
    await service.import({
      users: [user('Ada'), ...Array.from({ length: 20 }, (_, number) => user(`M${number}`))],
      organizations: [acme, tiny],
      recordings: [own],
    });
    const segments = Array.from({ length: 1_000 }, (_, number) => ({
      start: number,
      end: number + 1,
      speaker: `Speaker ${number % 7}`,
      text: `Sentence ${number}, with ${id()}, about the budget — “später”.`,
    }));
    const body = { segments };
    await service.api.as(keyOf('Ada')).request('PUT', `/recordings/${own.id}/transcript`, { body });
    const content = 'We agreed on the **budget** for the next quarter. '.repeat(60);
    await service.api.as(keyOf('Ada')).request('PUT', `/recordings/${own.id}/summary`, { body: { content } });
  });
  afterAll(() => service.stop());

  /** As it is on the wire. */
  function get(path: string, encoding?: string, { method = 'GET', more = {} } = {}): Promise<Received> {
    const headers = {
      authorization: `Bearer ${keyOf('Ada')}`,
      ...(encoding === undefined ? {} : { 'accept-encoding': encoding }),
      ...more,
    };
    return new Promise((resolve, reject) => {
      const sent = request(service.api.base + path, { method, headers }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () =>
          resolve({ status: response.statusCode, headers: response.headers, bytes: Buffer.concat(chunks) }),
        );
      });
      sent.on('error', reject).end();
    });
  }

  const transcript = (limit: number): string => `/api/v1/recordings/${own.id}/transcript?limit=${limit}`;
  const summary = `/api/v1/recordings/${own.id}/summary`;
  const members = `/api/v1/organizations/${acme.id}/members`;

  it.each([
    ['a summary', () => summary],
    ['members', () => members],
    ['a page of a transcript', () => transcript(2)],
  ])('%s: the same bytes, decompressed, in fewer', async (_, pathOf) => {
    const plain = await get(pathOf());
    expect(plain.headers['content-encoding']).toBeUndefined();
    for (const [encoding, decompress] of [
      ['gzip', gunzipSync],
      ['br', brotliDecompressSync],
    ] as const) {
      const { status, headers, bytes } = await get(pathOf(), encoding);
      expect([status, headers['content-encoding']]).toEqual([200, encoding]);
      expect(headers['content-length']).toBe(String(bytes.length));
      expect(headers['content-type']).toBe('application/json; charset=utf-8');
      expect(headers.etag).toBe(plain.headers.etag);
      expect(bytes.length).toBeLessThan(plain.bytes.length * 0.75);
      expect(decompress(bytes).equals(plain.bytes)).toBe(true);
    }
  });

  it('depends on what the client accepts, and says so to caches', async () => {
    for (const [accepted, chosen] of [
      [undefined, undefined],
      ['identity', undefined],
      ['deflate', undefined],
      ['gzip;q=0', undefined],
      ['br;q=0, gzip', 'gzip'],
      ['gzip, deflate, br', 'br'],
      ['*', 'br'],
      ['gzip;q=1.0, *;q=0', 'gzip'],
      ['nonsense;;q=x', undefined],
    ] as const) {
      const { headers } = await get(summary, accepted);
      expect([accepted, headers['content-encoding']]).toEqual([accepted, chosen]);
      expect(headers.vary).toContain('Accept-Encoding');
    }
  });

  it('longer ones only by what is fast enough for them', async () => {
    const [medium, long] = [await get(transcript(10)), await get(transcript(50))];
    expect(medium.bytes.length).toBeGreaterThan(16_384);
    expect(medium.bytes.length).toBeLessThan(65_536);
    expect(long.bytes.length).toBeGreaterThan(65_536);
    for (const [limit, plain] of [
      [10, medium],
      [50, long],
    ] as const) {
      const gzip = await get(transcript(limit), 'gzip');
      expect(gzip.headers['content-encoding']).toBeUndefined();
      expect(gzip.bytes.equals(plain.bytes)).toBe(true);
    }
    const brotli = await get(transcript(10), 'br');
    expect(brotliDecompressSync(brotli.bytes).equals(medium.bytes)).toBe(true);
    expect((await get(transcript(50), 'br')).headers['content-encoding']).toBeUndefined();
  });

  it('a copy that is current is 304, and one that is not is compressed', async () => {
    const { headers } = await get(summary, 'gzip');
    const current = await get(summary, 'gzip', { more: { 'if-none-match': headers.etag } });
    expect([current.status, current.bytes.length, current.headers['content-encoding']]).toEqual([
      304,
      0,
      undefined,
    ]);
    const old = await get(summary, 'gzip', { more: { 'if-none-match': '"0"' } });
    expect([old.status, old.headers['content-encoding']]).toEqual([200, 'gzip']);
  });

  it.each([
    ['the list, with signed URLs of thumbnails', 'GET', () => '/api/v1/recordings?limit=100'],
    ['a recording, with signed URLs', 'GET', () => `/api/v1/recordings/${own.id}`],
    ['search results', 'GET', () => '/api/v1/recordings/search?q=recording'],
    ['API keys', 'GET', () => '/api/v1/api-keys'],
    ['share links', 'GET', () => `/api/v1/recordings/${own.id}/share-links`],
    ['invitations', 'GET', () => `/api/v1/organizations/${acme.id}/invitations`],
    ['a transcript as a file', 'GET', () => `/api/v1/recordings/${own.id}/transcript?format=vtt`],
    ['an error', 'GET', () => `/api/v1/recordings?${'x'.repeat(2_000)}=1`],
  ])('%s: never compressed', async (_, method, pathOf) => {
    const { headers, bytes } = await get(pathOf(), 'gzip, deflate, br', { method });
    expect(bytes.length).toBeGreaterThan(0);
    expect(headers['content-encoding']).toBeUndefined();
  });

  it('the reply with a new key or token: never compressed, however long its name', async () => {
    const ada = service.api.as(keyOf('Ada'));
    const headers = { 'accept-encoding': 'gzip, br' };
    for (const [path, body] of [
      ['/api-keys', { name: 'n'.repeat(100) }],
      [`/recordings/${own.id}/share-link`, { label: 'n'.repeat(100) }],
      [`/organizations/${acme.id}/invitations`, { email: 'new@acme.test', role: 'VIEWER' }],
    ] as const) {
      const reply = await ada.post(path, body, { headers });
      expect([reply.status, reply.headers.get('content-encoding')]).toEqual([201, null]);
    }
  });
});
