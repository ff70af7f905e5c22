import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { id, keyOf, recording, user } from '../../factories/workspace.js';
import { rawRequest, refusal, sendRaw, type Client, type Reply } from '../../support/client.js';
import { startService, type TestService } from '../../support/service.js';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Expects an error in the envelope, with a request id. */
function expectRefused(reply: Reply, status: number, code: string): void {
  expect(reply.body).toEqual(refusal(code));
  expect(reply.status).toBe(status);
  expect(reply.headers.get('content-type')).toMatch(/^application\/json/);
  expect(reply.headers.get('x-request-id')).toMatch(UUID);
  expect(reply.headers.get('link')).toContain(`/docs/guide/errors#${code.toLowerCase()}>; rel="help"`);
  expect(reply.headers.get('x-content-type-options')).toBe('nosniff');
  expect(reply.headers.get('content-security-policy')).toMatch(/base-uri 'none'.*frame-ancestors 'none'/);
}

describe('Every reply', () => {
  let service: TestService;
  let ada: Client;
  const own = recording('Ada');
  const operations = [
    ['GET', '/me'],
    ['POST', '/api-keys'],
    ['GET', '/api-keys'],
    ['DELETE', `/api-keys/${id()}`],
    ['GET', '/recordings'],
    ['GET', `/recordings/${own.id}`],
    ['PATCH', `/recordings/${own.id}`],
    ['DELETE', `/recordings/${own.id}`],
    ['GET', `/recordings/${own.id}/transcript`],
    ['POST', `/recordings/${own.id}/share-link`],
    ['GET', '/organizations'],
    ['GET', `/organizations/${id()}/folders`],
    ['GET', `/organizations/${id()}/members`],
  ] as const;

  beforeAll(async () => {
    service = await startService();
    await service.import({ users: [user('Ada')], recordings: [own] });
    ada = service.api.as(keyOf('Ada'));
  });
  afterAll(() => service.stop());

  it.each(['x'.repeat(128), 'Trace_1.2-3'])('returns the given request id %s', async (given) => {
    const headers = { 'x-request-id': given };
    for (const reply of [
      await ada.get('/me', { headers }),
      await service.api.get('/me', { headers }),
      await ada.get('/nothing', { headers }),
      await ada.get('/recordings?limit=0', { headers }),
      await ada.patch(`/recordings/${own.id}`, '{', { headers }),
    ]) {
      expect(reply.headers.get('x-request-id')).toBe(given);
    }
  });

  it.each(['x'.repeat(129), 'a b', '<script>'])('replaces the invalid request id %j', async (given) => {
    const { headers } = await ada.get('/me', { headers: { 'x-request-id': given } });
    expect(headers.get('x-request-id')).toMatch(UUID);
  });

  it.each([
    ['GET', '/nothing'],
    ['GET', '/'],
    ['OPTIONS', '/nothing'],
  ])('is NOT_FOUND for an unknown route: %s %s', async (method, path) => {
    expectRefused(await ada.request(method, path), 404, 'NOT_FOUND');
  });

  it.each(['/recordings/%zz', '/organizations/%c3%28/folders', '//media/%zz/video', '//%zz'])(
    'is in the envelope for malformed percent-encoding: %s',
    async (path) => {
      const reply = await ada.get(path);
      expect([400, 404]).toContain(reply.status);
      expectRefused(reply, reply.status, reply.status === 400 ? 'VALIDATION_ERROR' : 'NOT_FOUND');
    },
  );

  it.each(operations)('rejects an unknown query parameter: %s %s', async (method, path) => {
    const body = method === 'POST' || method === 'PATCH' ? {} : undefined;
    const reply = await ada.request(method, `${path}?unknown=1`, { body });
    expectRefused(reply, 400, 'VALIDATION_ERROR');
    expect(reply.body.error.message).toContain('unknown');
  });

  it.each([
    ['something other than HTTP', 'hello\r\n\r\n'],
    ['another protocol', '\u0016\u0003\u0001\u0002\u0000\u0001\u0000'],
    ['an unknown method', 'FETCH / HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['a header without a name', 'GET / HTTP/1.1\r\nHost: x\r\n: y\r\n\r\n'],
    [
      'headers that are too large',
      rawRequest('GET', '/api/v1/me', { headers: { 'X-Large': 'x'.repeat(20_000) } }),
    ],
    ['a URL that is too long', rawRequest('GET', `/api/v1/recordings?search=${'x'.repeat(20_000)}`)],
    [
      'two Content-Length headers',
      'POST /api/v1/api-keys HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n{}',
    ],
    ['no host', 'GET /api/v1/me HTTP/1.1\r\nConnection: close\r\n\r\n'],
  ])('is in the envelope even for %s', async (_, bytes) => {
    expectRefused(await sendRaw(service.api.base, bytes), 400, 'VALIDATION_ERROR');
  });

  it('has a request id even if the request has an unsupported Expect header', async () => {
    const raw = rawRequest('GET', '/api/v1/me', { key: keyOf('Ada'), headers: { Expect: 'miracles' } });
    const reply = await sendRaw(service.api.base, raw);
    expect(reply.headers.get('x-request-id')).toMatch(UUID);
    if (reply.status >= 400) expect(reply.body).toEqual({ error: expect.any(Object) });
  });

  it('is INTERNAL_ERROR without details after an unexpected failure', async () => {
    await service.dataSource.query('ALTER TABLE summaries RENAME COLUMN topics TO broken');
    const reply = await ada.get(`/recordings/${own.id}`);
    await service.dataSource.query('ALTER TABLE summaries RENAME COLUMN broken TO topics');
    expectRefused(reply, 500, 'INTERNAL_ERROR');
    expect(JSON.stringify(reply.body)).not.toMatch(/topics|column|select/i);
  });
});
