import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { keyOf, user } from '../factories/workspace.js';
import { refusal } from '../support/client.js';
import { startService, type TestService } from '../support/service.js';
import { announced, CONTINUE, RawSocket } from '../support/sockets.js';
import { created } from '../support/uploads.js';

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

  it.concurrent('that sends nothing is disconnected after 20 s', async () => {
    const seconds = await refusedAfter(new RawSocket(service));
    expect(seconds).toBeGreaterThan(19);
    expect(seconds).toBeLessThan(25);
  });

  it.concurrent(
    'that sends a byte of a file every 20 s is disconnected after a minute',
    async () => {
      const key = { Authorization: `Bearer ${keyOf('Ada')}` };
      const { id } = await created(service.api.as(keyOf('Ada')));
      const socket = new RawSocket(service);
      await socket.ask(announced('PUT', `/recordings/${id}/media`, key), CONTINUE);
      socket.trickle('a', 20_000);
      const seconds = await refusedAfter(socket);
      expect(seconds).toBeGreaterThan(58);
      expect(seconds).toBeLessThan(75);
    },
    120_000,
  );
});
