import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { keyOf, recording, user } from '../../factories/workspace.js';
import { ObjectStore } from '../../../src/platform/storage/object-store.js';
import { refusal, type Client } from '../../support/client.js';
import { eventually, startService, type TestService } from '../../support/service.js';
import { filePart, FORM_TYPE } from '../../support/forms.js';
import { announced, CONTINUE, openConnections, RawSocket } from '../../support/sockets.js';
import { at, created, demoVideo, fakeVideo, MIB, RawTus } from '../../support/uploads.js';

/** A minute of the real limits lasts a second. */
const LIMITS = {
  check: 20,
  headers: 400,
  idle: 700,
  body: 1_000,
  bodyRate: 6_000,
  unread: 800,
  closing: 100,
  behind: 300,
};
const AUTHORIZED = { Authorization: `Bearer ${keyOf('Ada')}` };
const JSON_BODY = { ...AUTHORIZED, 'Content-Type': 'application/json' };
const GET_ME = `GET /api/v1/me HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${AUTHORIZED.Authorization}\r\n\r\n`;
/** More than fits into the buffers of a connection. */
const MEDIA = Buffer.concat([demoVideo(), randomBytes(24 * MIB)]);
const SOCKETS = 100;

describe('A client that keeps a connection waiting', () => {
  let service: TestService;
  let ada: Client;
  let sockets: RawSocket[] = [];
  const mine = recording('Ada', { media: 'long.mp4' });

  beforeAll(async () => {
    service = await startService({ MAX_CONNECTIONS: String(SOCKETS) }, { limits: LIMITS });
    await service.import({ users: [user('Ada')], recordings: [mine] }, { 'long.mp4': MEDIA });
    ada = service.api.as(keyOf('Ada'));
  });
  afterAll(() => service.stop());
  afterEach(() => {
    for (const socket of sockets) socket.destroy();
    sockets = [];
  });

  function open(options?: ConstructorParameters<typeof RawSocket>[1]): RawSocket {
    const socket = new RawSocket(service, options);
    sockets.push(socket);
    return socket;
  }

  describe('by sending a body of a byte a minute', () => {
    it('on all connections gets 408, and keeps others out only for a moment', async () => {
      const slow = Array.from({ length: SOCKETS }, () => open());
      await Promise.all(
        slow.map((socket) => socket.ask(announced('POST', '/recordings', JSON_BODY), CONTINUE)),
      );
      for (const socket of slow) socket.trickle(' ', 1_000);
      await eventually(async () => expect((await ada.get('/me')).status).toBe(200), 800);
      await eventually(async () => expect((await ada.get('//health/live')).status).toBe(200), 800);
      await Promise.all(slow.map((socket) => socket.closed));
      const answered = slow.filter(({ received }) => received.length > CONTINUE.length + 20);
      // Some had to make room.
      expect(answered.length).toBeGreaterThan(SOCKETS - 10);
      for (const socket of answered) {
        expect(socket.reply()).toMatchObject({ status: 408, body: refusal('REQUEST_TIMEOUT') });
      }
      await eventually(async () => expect(await openConnections(service)).toBeLessThan(5));
    });

    it.each([
      ['a whole file', {}, ''],
      ['a form before its file', { 'Content-Type': FORM_TYPE }, ''],
      ['a file in a form', { 'Content-Type': FORM_TYPE }, filePart('').subarray(0, -2)],
    ])('of %s gets 408 too, and the upload stays open', async (_, type, begin) => {
      const { id } = await created(ada);
      const socket = open();
      await socket.ask(announced('PUT', `/recordings/${id}/media`, { ...AUTHORIZED, ...type }), CONTINUE);
      socket.socket.write(begin);
      socket.trickle('a', 1_000);
      await socket.closed;
      expect(socket.reply()).toMatchObject({ status: 408, body: refusal('REQUEST_TIMEOUT') });
      expect((await ada.get(`/recordings/${id}`)).body.data.status).toBe('UPLOADING');
    });

    it('that nobody reads, after the reply, is disconnected', async () => {
      const socket = open();
      await socket.ask(announced('POST', '/recordings', {}), '"UNAUTHORIZED"');
      socket.trickle('a', 1_000);
      await socket.closed;
    });

    it('in a tus request is disconnected without a reply, and resumes with what has arrived', async () => {
      const video = fakeVideo(4_000);
      const { id } = await created(ada, { size: video.length });
      const socket = open();
      await socket.ask(announced('PATCH', `/uploads/${id}`, { ...AUTHORIZED, ...at(0) }, 4_000), CONTINUE);
      socket.socket.write(video.subarray(0, 1_500));
      await socket.closed;
      expect(socket.received.endsWith(CONTINUE)).toBe(true);
      const tus = new RawTus(ada, id);
      await eventually(async () => expect(await tus.offset()).toBe(1_500));
      expect((await tus.patch(1_500, video.subarray(1_500))).status).toBe(204);
    });
  });

  it('does not lose a live recording with pauses', async () => {
    const { id } = await created(ada);
    const socket = open();
    const size = 30 * 450;
    const patch = announced('PATCH', `/uploads/${id}`, { ...AUTHORIZED, ...at(0) }, size);
    await socket.ask(patch, CONTINUE);
    const video = fakeVideo(size);
    // 6 kbit/s of speech, a minute lasting a second, with two pauses.
    for (let sent = 0; sent < size; sent += 450) {
      await setTimeout(sent === 4_500 || sent === 9_000 ? 600 : 10);
      socket.socket.write(video.subarray(sent, sent + 450));
    }
    await socket.ask('', ' 204 ');
  });

  it('is not to blame while the service itself does not read', async () => {
    const { id } = await created(ada);
    const store = service.app.get(ObjectStore);
    const put = store.put.bind(store);
    store.put = async (...given: Parameters<typeof put>) => {
      store.put = put;
      await setTimeout(1.5 * LIMITS.body);
      return put(...given);
    };
    try {
      const { status } = await ada.request('PUT', `/recordings/${id}/media`, { body: fakeVideo(14 * MIB) });
      expect(status).toBe(200);
    } finally {
      store.put = put;
    }
  });

  describe('without a request', () => {
    it.each([
      ['nothing', '', ''],
      ['headers that never end', 'GET / HTTP/1.1\r\n', 'a: b\r\n'],
      ['empty lines', '', '\r\n'],
    ])('sends %s, and gets 408', async (_, first, more) => {
      const socket = open();
      if (first) socket.socket.write(first);
      if (more) socket.trickle(more, 50);
      const begun = performance.now();
      await socket.closed;
      expect(performance.now() - begun).toBeLessThan(LIMITS.headers + 1_000);
      expect(socket.reply()).toMatchObject({ status: 408, body: refusal('REQUEST_TIMEOUT') });
    });

    it('sends empty lines after one, and is disconnected', async () => {
      const socket = open();
      await socket.ask(GET_ME, '"email"');
      // From the first one on, Node itself would keep the connection forever.
      socket.trickle('\r\n', 50);
      await socket.closed;
    });

    it('never closes its side after the service did, and is disconnected', async () => {
      await eventually(async () => expect(await openConnections(service)).toBe(0));
      const socket = open({ allowHalfOpen: true });
      await socket.ask('nonsense\r\n\r\n', '"VALIDATION_ERROR"');
      await eventually(async () => expect(await openConnections(service)).toBe(0));
    });
  });

  it('gets no reply within another: headers that never end during a download close it', async () => {
    const { body } = await ada.get(`/recordings/${mine.id}`);
    const { pathname, search } = new URL(body.data.videoUrl as string);
    const socket = open();
    socket.socket.write(`GET ${pathname}${search} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    await socket.readMore(1);
    socket.socket.write('G');
    await eventually(async () => expect(await openConnections(service)).toBe(0));
    socket.socket.resume();
    await socket.closed;
    expect(socket.received).not.toContain('408 Request Timeout');
    expect(socket.received.length).toBeLessThan(MEDIA.length);
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
      for (let turn = 0; turn < 4; turn += 1) {
        await setTimeout(LIMITS.unread / 2);
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
});
