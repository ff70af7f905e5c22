import { createServer, type RequestListener, type Server } from 'node:http';
import { afterEach, describe, expect, it } from '@jest/globals';
import { sendInProcess, type InProcessRequest } from '../../../src/platform/http/server/in-process.js';

describe('a request within the process', () => {
  let server: Server;
  afterEach(() => server.closeAllConnections());

  /** The server does not listen. */
  const to = (listener: RequestListener, request: Partial<InProcessRequest> = {}) => {
    server = createServer(listener);
    return sendInProcess(server, '192.0.2.7', { method: 'GET', path: '/', headers: {}, ...request });
  };

  it('passes method, path, headers, body and address, and returns the reply', async () => {
    const reply = await to(
      (request, response) => {
        const chunks: Buffer[] = [];
        request.on('data', (chunk: Buffer) => chunks.push(chunk));
        request.on('end', () => {
          response.writeHead(429, { 'Content-Type': 'application/json', 'Retry-After': '7' });
          const { method, url, headers, socket } = request;
          const body = Buffer.concat(chunks).toString();
          response.end(JSON.stringify([method, url, headers['x-test'], body, socket.remoteAddress]));
        });
      },
      { method: 'POST', path: '/a?b=c', headers: { 'x-test': 'yes' }, body: 'ü'.repeat(100_000) },
    );
    expect([reply.status, reply.headers.get('retry-after')]).toEqual([429, '7']);
    expect(await reply.json()).toEqual(['POST', '/a?b=c', 'yes', 'ü'.repeat(100_000), '192.0.2.7']);
  });

  it('returns replies of megabytes, and empty ones', async () => {
    const large = 'x'.repeat(5_000_000);
    expect((await (await to((_, response) => void response.end(large))).text()).length).toBe(large.length);
    const empty = await to((_, response) => void response.writeHead(204).end());
    expect([empty.status, await empty.text()]).toEqual([204, '']);
  });

  it('ends on the server when it is aborted', async () => {
    const aborting = new AbortController();
    const closed = new Promise((resolve) => {
      to(
        (_, response) => {
          response.once('close', () => resolve(response.writableFinished));
          aborting.abort(new Error('not wanted any more'));
        },
        { signal: aborting.signal },
      ).then(resolve, () => undefined);
    });
    expect(await closed).toBe(false);
  });

  it('fails when the server closes the connection, before the reply and within it', async () => {
    await expect(to((request) => void request.socket.destroy())).rejects.toThrow(/closed|hang up/);
    await expect(
      to((request, response) => {
        response.writeHead(200, { 'Content-Length': '100' });
        response.write('half');
        setImmediate(() => request.socket.destroy());
      }),
    ).rejects.toThrow();
  });
});
