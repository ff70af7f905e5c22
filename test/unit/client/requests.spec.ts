import { once } from 'node:events';
import { inspect } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import {
  ApiError,
  ConnectionError,
  InvalidReplyError,
  MeetingRecordings,
  RateLimitedError,
  TimeoutError,
} from 'meeting-recording-client';
import { drop, json, ok, refuse, ScriptedServer, type Answer } from '../../support/scripted-server.js';

const KEY = 'mrs_secret0000';
const ID = { path: { id: '01998a3c-5b1e-7c3a-9f04-2d1c6b7e8a90' } };

const html =
  (status: number): Answer =>
  (response) =>
    response.writeHead(status, { 'content-type': 'text/html' }).end('<h1>Bad gateway</h1>');

describe('A client of a service that misbehaves', () => {
  let server: ScriptedServer;
  let baseUrl: string;
  let api: MeetingRecordings;

  beforeAll(async () => {
    // Half a second becomes a few milliseconds; `Retry-After` is in seconds.
    jest.spyOn(Math, 'random').mockReturnValue(-0.99);
    server = await ScriptedServer.start();
    baseUrl = server.base;
    api = new MeetingRecordings({ baseUrl, apiKey: KEY });
  });
  afterEach(() => server.reset());
  afterAll(async () => {
    jest.restoreAllMocks();
    await server.stop();
  });

  it('sends what a session needs for changes instead of a key', async () => {
    let token = 'first';
    const page = new MeetingRecordings({ baseUrl, apiKey: null, csrfToken: () => token });
    server.answers = [ok({ id: '1' }), ok({ id: '2' })];
    await page.post('/recordings', { body: { title: 'Weekly' } });
    token = 'second';
    await page.post('/recordings', { body: { title: 'Weekly' } });
    const sent = server.received.map(({ headers }) => [headers['x-csrf-token'], headers.authorization]);
    expect(sent).toEqual([
      ['first', undefined],
      ['second', undefined],
    ]);
  });

  it.each<[string, Answer]>([
    ['429 with Retry-After', refuse(429, 'RATE_LIMITED', { 'retry-after': '0' })],
    ['503 with a date', refuse(503, 'SERVICE_UNAVAILABLE', { 'retry-after': new Date(0).toUTCString() })],
    ['500', refuse(500, 'INTERNAL_ERROR')],
    ['a dropped connection', drop],
    [
      'a reply that breaks off',
      (response) => {
        response.writeHead(200, { 'content-type': 'application/json' }).write('{"data":');
        setImmediate(() => response.destroy());
      },
    ],
    ['the page of a proxy', html(502)],
    ['IDEMPOTENCY_KEY_IN_USE', refuse(409, 'IDEMPOTENCY_KEY_IN_USE', { 'retry-after': '0' })],
  ])('repeats a POST after %s, with the same key and body', async (_, bad) => {
    server.answers = [bad, bad, ok({ id: '1' })];
    expect(await api.post('/recordings', { body: { title: 'Weekly' } })).toEqual({ id: '1' });
    expect(server.received).toHaveLength(3);
    const keys = server.received.map(({ headers }) => headers['idempotency-key']);
    expect(keys).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/), keys[0], keys[0]]);
    expect(server.received.map(({ body }) => body.toString())).toEqual(Array(3).fill('{"title":"Weekly"}'));
  });

  it('has a new key for each call, unless it is given one', async () => {
    server.answers = [ok({ id: '1' })];
    await api.post('/recordings', { body: { title: 'A' } });
    await api.post('/recordings', { body: { title: 'A' } });
    await api.post('/recordings', { body: { title: 'A' }, idempotencyKey: 'mine' });
    const [first, second, third] = server.received.map(({ headers }) => headers['idempotency-key']);
    expect(first).not.toBe(second);
    expect(third).toBe('mine');
  });

  it.each<[string, () => Promise<unknown>]>([
    ['a POST that takes no key', () => api.post('/api-keys/revoke-leaked', { body: { keys: ['x'] } })],
    [
      'a PUT with a revision',
      () => api.put('/recordings/{id}/summary', { ...ID, body: { content: 'x' }, revision: 3 }),
    ],
    ['a DELETE with a revision', () => api.delete('/recordings/{id}', { ...ID, revision: 3 })],
    ['a DELETE whose reply is a report', () => api.delete('/me', { query: { confirm: 'ada@acme.test' } })],
  ])('does not repeat what may have been carried out: %s', async (_, call) => {
    server.answers = [drop];
    await expect(call()).rejects.toThrow(ConnectionError);
    server.answers = [refuse(500, 'INTERNAL_ERROR')];
    await expect(call()).rejects.toMatchObject({ name: 'InternalError' });
    expect(server.received).toHaveLength(2);
    server.answers = [refuse(429, 'RATE_LIMITED', { 'retry-after': '0' }), ok({ success: true })];
    expect(await call()).toEqual({ success: true });
  });

  it('takes a DELETE as done whose first reply was lost, and only that', async () => {
    server.answers = [drop, refuse(404, 'RECORDING_NOT_FOUND')];
    expect(await api.delete('/recordings/{id}', ID)).toEqual({ success: true });
    await expect(api.delete('/recordings/{id}', ID)).rejects.toMatchObject({ code: 'RECORDING_NOT_FOUND' });
  });

  it('gives up after `retries`, and does not wait for hours', async () => {
    server.answers = [drop];
    await expect(api.get('/me')).rejects.toThrow(ConnectionError);
    expect(server.received).toHaveLength(4);
    await expect(api.get('/me', { retries: 1 })).rejects.toThrow(/^GET \/me: /);
    expect(server.received).toHaveLength(6);
    server.answers = [refuse(429, 'RATE_LIMITED', { 'retry-after': '3600' })];
    const refused = api.get('/me');
    await expect(refused).rejects.toThrow(RateLimitedError);
    await expect(refused).rejects.toMatchObject({ retryAfter: 3600 });
    expect(server.received).toHaveLength(7);
  });

  it('ends what hangs: before the reply, and within it', async () => {
    server.answers = [() => undefined];
    await expect(api.get('/me', { timeout: 30, retries: 1 })).rejects.toThrow(TimeoutError);
    expect(server.received).toHaveLength(2);
    server.answers = [
      (response) => response.writeHead(200, { 'content-type': 'application/json' }).write('{'),
    ];
    await expect(api.get('/me', { timeout: 30, retries: 0 })).rejects.toThrow(
      'GET /me: no reply within 30 ms',
    );
    const signal = AbortSignal.timeout(30);
    await expect(api.get('/me', { signal })).rejects.toMatchObject({ name: 'TimeoutError' });
    await expect(api.get('/me', { signal: AbortSignal.abort('enough') })).rejects.toBe('enough');
    expect(server.received).toHaveLength(4);
  });

  it.each<[string, Answer, string]>([
    [
      'malformed JSON',
      (response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{"data"'),
      'not valid JSON',
    ],
    ['a page instead of a reply', html(200), 'not from the service itself (text/html)'],
    ['an error without an error', json(400, { oops: true }), 'HTTP 400'],
    ['an empty reply', (response) => response.end(), 'HTTP 200, not from the service itself'],
    ['an empty error', (response) => response.writeHead(404).end(), 'HTTP 404'],
  ])('rejects %s', async (_, answer, message) => {
    server.answers = [answer];
    const call = api.get('/me');
    await expect(call).rejects.toThrow(InvalidReplyError);
    await expect(call).rejects.toThrow(message);
    expect(server.received).toHaveLength(1);
  });

  it('does not read an error page of any size', async () => {
    let closed: Promise<unknown> | undefined;
    server.answers = [
      (response) => {
        closed = once(response, 'close');
        response.writeHead(502, { 'content-type': 'text/html' });
        const more = (): void => {
          while (!response.destroyed && response.write('x'.repeat(65_536)));
        };
        response.on('drain', more);
        more();
      },
    ];
    await expect(api.get('/me', { retries: 0 })).rejects.toMatchObject({ status: 502 });
    await closed;
  });

  it('has the base class for codes that are newer than itself', async () => {
    server.answers = [refuse(418, 'TEAPOT', { 'x-request-id': 'r-1' })];
    const refused = await api.get('/me').catch((reason: unknown) => reason);
    expect(refused).toBeInstanceOf(ApiError);
    expect(refused).toMatchObject({ name: 'ApiError', code: 'TEAPOT', status: 418, requestId: 'r-1' });
  });

  it.each([301, 302, 307, 308])(
    'does not follow a redirect (%i), with which the key would leave',
    async (status) => {
      const elsewhere = `http://localhost:${new URL(baseUrl).port}/stolen`;
      server.answers = [(response) => response.writeHead(status, { location: elsewhere }).end()];
      await expect(api.post('/recordings', { body: { title: 'A' } })).rejects.toThrow('redirects');
      expect(server.received).toHaveLength(1);
    },
  );

  it('sends the key to no origin but its own, whatever the URL of an upload is', async () => {
    const upload_url = 'http://192.0.2.1/api/v1/uploads/u-1';
    server.answers = [
      json(201, { data: { id: 'r-1', upload_url } }),
      (response) => response.writeHead(204, { 'upload-offset': '5' }).end(),
      ok({ id: 'r-1' }),
    ];
    await api.upload(new Blob(['12345']), { title: 'A' });
    expect(server.lines).toEqual([
      'POST /api/v1/recordings',
      'PATCH /api/v1/uploads/u-1',
      'GET /api/v1/recordings/r-1',
    ]);
  });

  it('shows the key neither in errors nor in itself', async () => {
    server.answers = [refuse(401, 'INVALID_API_KEY')];
    const errors = [await api.get('/me').catch((reason: unknown) => reason)];
    server.answers = [drop];
    errors.push(await api.get('/me', { retries: 0 }).catch((reason: unknown) => reason));
    const shown = [api, ...errors].map(
      (one) => inspect(one, { depth: 9, showHidden: true }) + JSON.stringify(one),
    );
    expect(shown.join()).not.toContain(KEY);
    expect(() => new MeetingRecordings({ baseUrl, apiKey: `${KEY}\n` })).toThrow(/^apiKey has characters/);
  });

  it.each([undefined, '', ' \n'])('refuses a missing key: %j', (apiKey) => {
    expect(() => new MeetingRecordings({ baseUrl, apiKey })).toThrow(/^apiKey is missing: pass an API key/);
  });

  it.each([
    'localhost:3000',
    '',
    '/api/v1',
    'ftp://meetings.example.com',
    'httpx://meetings.example.com',
    'http://ada:secret@localhost',
    'http://localhost/?a=b',
    'http://localhost/#top',
  ])('refuses the base URL %j', (url) => {
    expect(() => new MeetingRecordings({ baseUrl: url, apiKey: KEY })).toThrow(/^baseUrl must be a URL /);
  });

  it('takes the base URL with the path of the API, and needs no key if told so', async () => {
    server.answers = [ok([])];
    await new MeetingRecordings({ baseUrl: `${baseUrl}/api/v1/`, apiKey: null }).get('/plans');
    expect(server.received).toMatchObject([{ url: '/api/v1/plans' }]);
    expect(server.received[0]?.headers).not.toHaveProperty('authorization');
  });

  it.each(['..', '.', ''])('refuses the id "%s", with which the path would be another', async (id) => {
    const path = { id: 'r-1', linkId: id };
    await expect(api.delete('/recordings/{id}/share-links/{linkId}', { path })).rejects.toThrow(TypeError);
    expect(server.received).toEqual([]);
  });

  it('sends what it is given: parameters, lists, revisions, files', async () => {
    server.answers = [ok({ success: true })];
    await api.get('/recordings', { query: { search: 'a&b', status: ['ERROR', 'COMPLETED'] } });
    await api.patch('/recordings/{id}', { path: { id: 'a/b' }, body: { title: 'A' }, revision: 3 });
    await api.put('/recordings/{id}/media', { ...ID, body: new Uint8Array([65, 66]) });
    await api.get('/health/live');
    expect(server.lines).toEqual([
      'GET /api/v1/recordings?search=a%26b&status=ERROR,COMPLETED',
      'PATCH /api/v1/recordings/a%2Fb',
      `PUT /api/v1/recordings/${ID.path.id}/media`,
      'GET /health/live',
    ]);
    expect(server.received[1]?.headers).toMatchObject({ 'if-match': '"3"', authorization: `Bearer ${KEY}` });
    expect(server.received[2]).toMatchObject({
      body: Buffer.from('AB'),
      headers: { 'content-type': 'application/octet-stream' },
    });
  });
});
