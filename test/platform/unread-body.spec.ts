import { once } from 'node:events';
import { Agent, createServer, request as httpRequest, type ClientRequest, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { limitUnreadBody } from '../../src/platform/http/unread-body.js';

const FOREVER_MS = 2 ** 30;

describe('an unread body', () => {
  let server: Server;
  let agent: Agent;
  let connections: number;
  let lingerMs: number;

  beforeEach(async () => {
    connections = 0;
    // Without Node's own timeout for idle connections.
    server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
      limitUnreadBody(request, response, lingerMs);
      response.end('refused');
    });
    server.on('connection', () => (connections += 1));
    await once(server.listen(0, '127.0.0.1'), 'listening');
    agent = new Agent({ keepAlive: true, maxSockets: 1 });
  });
  afterEach(async () => {
    agent.destroy();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  /** A request whose reply has arrived while its body is still being sent. */
  async function begun(): Promise<ClientRequest> {
    const { port } = server.address() as AddressInfo;
    const request = httpRequest({ port, host: '127.0.0.1', agent, method: 'POST' });
    request.setHeader('content-length', 10);
    request.write('12345');
    const [response] = await once(request, 'response');
    response.resume();
    await once(response, 'end');
    return request;
  }

  it('closes its connection when it continues for too long after the reply', async () => {
    lingerMs = 20;
    const request = await begun();
    await once(
      request.on('error', () => {}),
      'close',
    );
    expect(request.socket?.destroyed).toBe(true);
  });

  it('leaves its connection open for the next request when it ends in time', async () => {
    lingerMs = FOREVER_MS;
    for (let count = 0; count < 3; count += 1) {
      const request = await begun();
      request.end('67890');
      await once(request, 'close');
    }
    expect(connections).toBe(1);
  });
});
