import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { BODY_LIMITS } from '../../src/platform/http-limits.js';
import { SERVER_LIMITS } from '../../src/platform/http/server/server-limits.js';
import { keyOf, recording, user } from '../factories/workspace.js';
import { refusal, type Client } from '../support/client.js';
import { eventually, startService, type TestService } from '../support/service.js';
import { announced, CONTINUE, openConnections, RawSocket } from '../support/sockets.js';
import { at, created, demoVideo, fakeVideo, MIB } from '../support/uploads.js';

/** A minute of the real limits lasts a second, or less. */
const LIMITS = {
  connectionsCheckingInterval: 20,
  headersTimeout: 400,
  keepAliveTimeout: 700,
  timeout: 1_200,
};
const AUTHORIZED = { Authorization: `Bearer ${keyOf('Ada')}` };
const JSON_BODY = { ...AUTHORIZED, 'Content-Type': 'application/json' };
/** More than fits into the buffers of a connection. */
const MEDIA = Buffer.concat([demoVideo(), randomBytes(24 * MIB)]);
const MAX_OPEN = 20;
const HEALTH = 'GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n';

describe('A client that keeps a connection waiting', () => {
  let service: TestService;
  let ada: Client;
  let sockets: RawSocket[] = [];
  const mine = recording('Ada', { media: 'long.mp4' });

  beforeAll(async () => {
    jest.replaceProperty(BODY_LIMITS as { readMs: number }, 'readMs', 500);
    jest.replaceProperty(BODY_LIMITS as { lingerMs: number }, 'lingerMs', 500);
    service = await startService({ MAX_CONNECTIONS: String(MAX_OPEN) }, { limits: LIMITS });
    await service.import({ users: [user('Ada')], recordings: [mine] }, { 'long.mp4': MEDIA });
    ada = service.api.as(keyOf('Ada'));
  });
  afterAll(async () => {
    jest.restoreAllMocks();
    await service.stop();
  });
  afterEach(() => {
    for (const socket of sockets) socket.destroy();
    sockets = [];
  });

  function open(options?: ConstructorParameters<typeof RawSocket>[1]): RawSocket {
    const socket = new RawSocket(service, options);
    sockets.push(socket);
    return socket;
  }

  it('by sending a JSON body byte by byte gets 408', async () => {
    const socket = open();
    await socket.ask(announced('POST', '/recordings', JSON_BODY), CONTINUE);
    socket.trickle(' ', 50);
    await socket.closed;
    expect(socket.reply()).toMatchObject({ status: 408, body: refusal('REQUEST_TIMEOUT') });
  });

  it('by sending a body that nobody reads, after the reply, is disconnected', async () => {
    const socket = open();
    await socket.ask(announced('POST', '/recordings', {}), '"UNAUTHORIZED"');
    socket.trickle('a', 50);
    await socket.closed;
  });

  it('by pausing an upload does not lose it', async () => {
    const { id } = await created(ada, { size: 3_000 });
    const socket = open();
    await socket.ask(announced('PATCH', `/uploads/${id}`, { ...AUTHORIZED, ...at(0) }, 3_000), CONTINUE);
    const video = fakeVideo(3_000);
    for (let sent = 0; sent < 3_000; sent += 1_000) {
      await setTimeout(LIMITS.timeout / 2);
      socket.socket.write(video.subarray(sent, sent + 1_000));
    }
    await socket.ask('', ' 204 ');
  });

  describe('without a request', () => {
    it.each([
      ['nothing', '', ''],
      ['headers that never end', 'GET / HTTP/1.1\r\n', 'a: b\r\n'],
    ])('sends %s, and gets 408', async (_, first, more) => {
      const socket = open();
      if (first) socket.socket.write(first);
      if (more) socket.trickle(more, 50);
      const begun = performance.now();
      await socket.closed;
      expect(performance.now() - begun).toBeLessThan(SERVER_LIMITS.headersTimeout / 2);
      expect(socket.reply()).toMatchObject({ status: 408, body: refusal('REQUEST_TIMEOUT') });
    });
  });

  describe('by not reading a video', () => {
    async function download(): Promise<RawSocket> {
      const { body } = await ada.get(`/recordings/${mine.id}`);
      const { pathname, search } = new URL(body.data.videoUrl as string);
      const socket = open();
      socket.socket.pause();
      socket.socket.write(
        `GET ${pathname}${search} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`,
      );
      return socket;
    }

    it('is disconnected', async () => {
      const socket = await download();
      await eventually(async () => expect(await openConnections(service)).toBe(0));
      socket.socket.resume();
      await socket.closed;
      expect(socket.received.length).toBeGreaterThan(0);
      expect(socket.received.length).toBeLessThan(MEDIA.length);
    });

    it('does not lose it as long as it reads a little now and then', async () => {
      const socket = await download();
      for (let turn = 0; turn < 3; turn += 1) {
        await setTimeout(LIMITS.timeout / 2);
        await socket.readMore(3 * MIB);
      }
      expect(socket.received.length).toBeLessThan(MEDIA.length);
      socket.socket.resume();
      await socket.closed;
      expect(socket.received.length).toBeGreaterThan(MEDIA.length);
    });
  });

  it('with more than 200 headers gets 400', async () => {
    const socket = open();
    const headers = Array.from({ length: 201 }, (_, n) => `h${n}: x\r\n`).join('');
    await socket.ask(`GET /health/live HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${headers}\r\n`, '}}');
    expect(socket.reply()).toMatchObject({ status: 400, body: refusal('VALIDATION_ERROR') });
  });

  it('that it has opened ahead does not delay the stop of the service', async () => {
    const other = await startService({}, { beside: service });
    const socket = new RawSocket(other);
    await once(socket.socket, 'connect');
    await eventually(async () => expect(await openConnections(other)).toBe(1));
    const begun = performance.now();
    await other.stop();
    await socket.closed;
    expect(performance.now() - begun).toBeLessThan(8_000);
  });

  it('on all connections keeps others out only as long as its own limits last', async () => {
    await eventually(async () => expect(await openConnections(service)).toBe(0));
    const silent = Array.from({ length: MAX_OPEN }, () => open());
    await Promise.all(silent.map(({ socket }) => once(socket, 'connect')));
    const tooMany = open();
    await tooMany.closed;
    expect(tooMany.received).toBe('');
    await Promise.all(silent.map(({ closed }) => closed));
    await open().ask(HEALTH, '"ok"');
  });
});
