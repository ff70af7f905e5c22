import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { keyOf, user } from '../factories/workspace.js';
import { refusal } from '../support/client.js';
import { startService, type TestService } from '../support/service.js';
import { announced, CONTINUE, RawSocket } from '../support/sockets.js';

describe('With the real limits, a client', () => {
  let service: TestService;

  beforeAll(async () => {
    service = await startService();
    await service.import({ users: [user('Ada')] });
  });
  afterAll(() => service.stop());

  /** Seconds until the connection is closed with 408. */
  async function refusedAfter(socket: RawSocket): Promise<number> {
    const begun = performance.now();
    await socket.closed;
    expect(socket.reply()).toMatchObject({ status: 408, body: refusal('REQUEST_TIMEOUT') });
    return (performance.now() - begun) / 1000;
  }

  it.concurrent('that sends a byte of its headers a second is disconnected after 20 s', async () => {
    const socket = new RawSocket(service);
    socket.socket.write('GET / HTTP/1.1\r\n');
    socket.trickle('a', 1_000);
    const seconds = await refusedAfter(socket);
    expect(seconds).toBeGreaterThan(19);
    expect(seconds).toBeLessThan(25);
  });

  it.concurrent(
    'that sends a byte of a JSON body a second is disconnected after a minute',
    async () => {
      const headers = { Authorization: `Bearer ${keyOf('Ada')}`, 'Content-Type': 'application/json' };
      const socket = new RawSocket(service);
      await socket.ask(announced('POST', '/recordings', headers), CONTINUE);
      socket.trickle(' ', 1_000);
      const seconds = await refusedAfter(socket);
      expect(seconds).toBeGreaterThan(58);
      expect(seconds).toBeLessThan(65);
    },
    120_000,
  );
});
