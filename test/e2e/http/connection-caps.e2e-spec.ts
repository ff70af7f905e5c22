import { afterEach, describe, expect, it } from '@jest/globals';
import { keyOf, user } from '../../factories/workspace.js';
import { refusal } from '../../support/client.js';
import { eventually, startService, type TestService } from '../../support/service.js';
import { announced, CONTINUE, openConnections, RawSocket } from '../../support/sockets.js';

const CAP = 5;
const ALIVE = (headers = ''): string => `GET /health/live HTTP/1.1\r\nHost: localhost\r\n${headers}\r\n`;
const OK = '"ok"';
const BUSY = announced('POST', '/recordings', {
  Authorization: `Bearer ${keyOf('Ada')}`,
  'Content-Type': 'application/json',
});

describe('The number of connections', () => {
  let service: TestService;
  let sockets: RawSocket[] = [];

  async function start(settings: Record<string, string>): Promise<void> {
    service = await startService(settings);
    await service.import({ users: [user('Ada')] });
    await eventually(async () => expect(await openConnections(service)).toBe(0));
  }
  afterEach(async () => {
    for (const socket of sockets) socket.destroy();
    sockets = [];
    await service.stop();
  });

  function open(from?: string): RawSocket {
    const socket = new RawSocket(service, { from });
    sockets.push(socket);
    return socket;
  }

  /** Connections with a request in progress. */
  async function busy(count: number, from?: string): Promise<RawSocket[]> {
    const opened = Array.from({ length: count }, () => open(from));
    for (const socket of opened) await socket.ask(BUSY, CONTINUE);
    return opened;
  }

  describe('from one address', () => {
    const settings = { MAX_CONNECTIONS_PER_ADDRESS: String(CAP), TRUST_PROXY: 'none' };

    it('is limited: one too many gets 429, other addresses get in, and so does the next after one has ended', async () => {
      await start(settings);
      const [first] = await busy(CAP);
      const refused = open();
      await refused.closed;
      expect(refused.reply()).toMatchObject({
        status: 429,
        headers: expect.stringMatching(/Retry-After: \d+\r\n/),
        body: refusal('RATE_LIMITED'),
      });
      // Players on other sites, before it is known what they ask for.
      expect(refused.reply().headers).toContain('Access-Control-Allow-Origin: *\r\n');
      await open('127.0.0.2').ask(ALIVE(), OK);
      first?.destroy();
      await eventually(async () => open().ask(ALIVE(), OK));
    });

    it('is limited by giving up those without a request first, the longest idle one before others', async () => {
      await start(settings);
      const [oldest, ...others] = Array.from({ length: CAP }, () => open());
      for (const socket of [oldest!, ...others]) await socket.ask(ALIVE(), OK);
      await open().ask(ALIVE(), OK);
      await oldest?.closed;
      for (const socket of others) await socket.ask(ALIVE(), OK);
    });

    it('is counted correctly after connections that broke or were refused', async () => {
      await start(settings);
      for (let round = 0; round < 5; round += 1) {
        const opened = await busy(CAP);
        const more = [open(), open()];
        await Promise.all(more.map((socket) => socket.closed));
        for (const socket of opened) socket.socket.resetAndDestroy();
        await eventually(async () => expect(await openConnections(service)).toBe(0));
      }
      const malformed = Array.from({ length: CAP }, () => open());
      for (const socket of malformed) await socket.ask('nonsense\r\n\r\n', '}}');
      await eventually(async () => expect(await openConnections(service)).toBe(0));
      await busy(CAP);
    });

    it('is not limited for a trusted proxy', async () => {
      await start({ ...settings, TRUST_PROXY: '127.0.0.0/8' });
      await open().ask(ALIVE(), OK);
      await busy(2 * CAP);
    });

    it.each(['none', ''])(
      'is limited for a client that pretends to be a proxy, TRUST_PROXY=%s',
      async (trust) => {
        await start({ ...settings, TRUST_PROXY: trust });
        await open().ask(ALIVE('X-Forwarded-For: 192.0.2.1\r\n'), OK);
        await busy(CAP);
        const refused = open();
        await refused.closed;
        expect(refused.reply().status).toBe(429);
      },
    );
  });

  describe('in all', () => {
    it('is limited: one too many gets 503, whatever its address', async () => {
      await start({ MAX_CONNECTIONS: String(CAP) });
      await busy(3);
      await busy(2, '127.0.0.2');
      const refused = open('127.0.0.3');
      await refused.closed;
      expect(refused.reply()).toMatchObject({
        status: 503,
        headers: expect.stringMatching(/Retry-After: \d+\r\n/),
        body: refusal('SERVICE_UNAVAILABLE'),
      });
    });

    it('keeps nobody out when they are taken by connections that send nothing', async () => {
      await start({ MAX_CONNECTIONS: '50' });
      for (let count = 0; count < 200; count += 1) open();
      for (let count = 0; count < 10; count += 1) await open('127.0.0.2').ask(ALIVE(), OK);
      expect(await openConnections(service)).toBeLessThanOrEqual(50);
    });
  });
});
