import { once } from 'node:events';
import { Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import * as zlib from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { id, keyOf, recording, transcript, user } from '../factories/workspace.js';
import { rawRequest, refusal, sendRaw, type Reply } from '../support/client.js';
import { openapi } from '../support/contract.js';
import { startService, type TestService } from '../support/service.js';

type Operation = readonly [method: string, path: string];

/** The operations of the API document without those of tus, either those with a body or those without. */
function operations({ withBody }: { readonly withBody: boolean }): Operation[] {
  return Object.entries(openapi.paths).flatMap(([path, methods]) =>
    Object.entries(path.startsWith('/api/v1/uploads') ? {} : methods)
      .filter(([, operation]) => 'requestBody' in operation === withBody)
      .map(([method]): Operation => [method.toUpperCase(), path]),
  );
}

const WITHOUT_BODY = operations({ withBody: false });
const WITH_BODY = operations({ withBody: true });
const PAGES: Operation[] = [
  ['GET', '/s/{token}'],
  ['GET', '/s/{token}/transcript'],
  ['GET', '/media/{id}/video'],
  ['GET', '/exports/{id}/file'],
];

/** Headers that announce a body that is never sent: a service that waits for it never responds. */
const ANNOUNCED: Readonly<Record<string, Record<string, string>>> = {
  'a length': { 'Content-Length': '100000', 'Content-Type': 'application/json' },
  'a length, compressed': { 'Content-Length': '17', 'Content-Encoding': 'gzip' },
  chunks: { 'Transfer-Encoding': 'chunked', 'Content-Type': 'application/json' },
};

describe('A body', () => {
  let service: TestService;
  const own = recording('Ada', { transcript: transcript(3) });

  beforeAll(async () => {
    service = await startService();
    await service.import({ users: [user('Ada')], recordings: [own] });
  });
  afterAll(() => service.stop());

  const at = (path: string): string => path.replace(/\{id\}/, own.id).replace(/\{\w+\}/g, id());
  const send = (
    [method, path]: Operation,
    options: { key?: string; body?: string; headers?: Record<string, string> },
  ): Promise<Reply> => sendRaw(service.api.base, rawRequest(method, at(path), options));

  describe.each(Object.entries(ANNOUNCED))('announced by %s', (_, headers) => {
    it.each([...WITHOUT_BODY, ...PAGES])(
      'is rejected unread by %s %s, which accepts none',
      async (...one) => {
        const reply = await send(one, { key: keyOf('Ada'), headers });
        expect(reply.status).toBe(400);
        if (!one[1].startsWith('/s/')) {
          expect(reply.body).toEqual(
            refusal('VALIDATION_ERROR', 'body: this operation does not accept a body'),
          );
        }
      },
    );

    it('is not read without a key where one is required', async () => {
      for (const one of [...WITHOUT_BODY, ...WITH_BODY].filter(requiresKey)) {
        expect([one, (await send(one, { headers })).status]).toEqual([one, 401]);
      }
    });
  });

  it('that is blank or an empty object is accepted where none is expected', async () => {
    const types = [undefined, 'application/json', 'text/plain;charset=UTF-8'];
    for (const body of ['{}', '{ }', '\r\n', ' {\n} ']) {
      for (const type of types) {
        const headers = type === undefined ? undefined : { 'Content-Type': type };
        const reply = await send(['GET', '/api/v1/me'], { key: keyOf('Ada'), body, headers });
        expect([body, type, reply.status]).toEqual([body, type, 200]);
      }
    }
  });

  it('with any content is rejected where none is accepted, however short it is', async () => {
    for (const body of ['{"a":1}', '[]', '[[[[', 'null', '0', '{}{}', '{', '\uFEFF{}', '{}'.padEnd(17)]) {
      const reply = await send(['DELETE', '/api/v1/recordings/{id}'], { key: keyOf('Ada'), body });
      expect([body, reply.status]).toEqual([body, 400]);
      expect(reply.body).toEqual(refusal('VALIDATION_ERROR', 'body: this operation does not accept a body'));
    }
    expect((await service.api.as(keyOf('Ada')).get(`/recordings/${own.id}`)).status).toBe(200);
  });

  describe.each([
    ['the password of a share link', '/api/v1/shares/x/access', 'application/json', '{"password":"', '"}'],
    ['the form of a share page', '/s/x', 'application/x-www-form-urlencoded', 'password=', ''],
  ])('of %s, which requires no key,', (_, path, type, before, after) => {
    const ofLength = (length: number): string =>
      before + 'x'.repeat(length - before.length - after.length) + after;
    const post = (body: string | Uint8Array, headers: Record<string, string> = {}): Promise<Response> =>
      fetch(service.api.base + path, { method: 'POST', body, headers: { 'content-type': type, ...headers } });

    it('can have at most 16 KiB', async () => {
      expect((await post(ofLength(16_384))).status).not.toBe(413);
      expect((await post(ofLength(16_385))).status).toBe(413);
    });

    it('can have at most 16 KiB after decompression', async () => {
      const gzip = { 'content-encoding': 'gzip' };
      expect((await post(zlib.gzipSync(ofLength(16_384)), gzip)).status).not.toBe(413);
      expect((await post(zlib.gzipSync(ofLength(16_385)), gzip)).status).toBe(413);
      expect((await post(zlib.gzipSync(ofLength(10_000_000)), gzip)).status).toBe(413);
      expect(
        (await post(zlib.brotliCompressSync(ofLength(10_000_000)), { 'content-encoding': 'br' })).status,
      ).toBe(413);
    });

    it('is not read if a longer one is announced', async () => {
      const headers = { 'Content-Type': type, 'Content-Length': '16385' };
      expect((await send(['POST', path], { headers })).status).toBe(413);
    });
  });

  it.each([
    ['where none is accepted', 'GET', '/api/v1/me', keyOf('Ada'), 400],
    ['without a key', 'PATCH', `/api/v1/recordings/${own.id}`, undefined, 401],
    ['at an unknown URL', 'POST', '/api/v1/nothing', undefined, 404],
    ['above the limit for anonymous requests', 'POST', '/api/v1/shares/x/access', undefined, 413],
  ])(
    'that is left unread %s leaves the connection usable for the next request',
    async (_, method, path, key, status) => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      const ask = async (how: string, where: string, body: string) => {
        const request = httpRequest(service.api.base + where, {
          agent,
          method: how,
          headers: {
            'content-type': 'application/json',
            'content-length': Buffer.byteLength(body),
            ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
          },
        });
        request.end(body);
        const [response] = (await once(request, 'response')) as [IncomingMessage];
        return { status: response.statusCode, reused: request.reusedSocket, body: await text(response) };
      };
      try {
        // Unless discarded, the rest of the body would be parsed as the next request.
        const unread = 'DELETE /api/v1/recordings HTTP/1.1\r\n'.repeat(2_000);
        expect((await ask(method, path, unread)).status).toBe(status);
        const next = await ask('GET', '/health/live', '');
        expect(next).toMatchObject({ status: 200, reused: true });
      } finally {
        agent.destroy();
      }
    },
  );
});

/** Whether the API document offers no way to call the operation without a key. */
function requiresKey([method, path]: Operation): boolean {
  const { security = [] } = openapi.paths[path]?.[method.toLowerCase()] ?? {};
  return security.length > 0 && security.every((scheme) => Object.keys(scheme).length > 0);
}
