import { once } from 'node:events';
import { createServer as overHttp, type RequestListener, type Server } from 'node:http';
import { createServer as overHttps } from 'node:https';
import type { AddressInfo, Server as TcpServer } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from '@jest/globals';
import {
  OutboundClient,
  type OutboundOptions,
  type OutboundRequest,
} from '../../src/platform/outbound/outbound-client.js';
import { AUTHORITY, SERVER_TLS } from '../support/tls.js';

const HERE = { address: '127.0.0.1', family: 4 };
const servers: TcpServer[] = [];

afterEach(async () => {
  for (const server of servers.splice(0)) {
    (server as Partial<Server>).closeAllConnections?.();
    server.close();
    await once(server, 'close');
  }
});

async function listening(server: TcpServer): Promise<number> {
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

const secure = (handler: RequestListener): Promise<number> => listening(overHttps(SERVER_TLS, handler));
const plain = (handler: RequestListener): Promise<number> => listening(overHttp(handler));

/** Resolves all names to this machine. */
const client = (options: Partial<OutboundOptions> = {}): OutboundClient =>
  new OutboundClient({ allowPrivate: true, ca: AUTHORITY, lookup: async () => [HERE], ...options });

const at = (port: number, path = '/', host = 'files.example.com'): URL =>
  new URL(`https://${host}:${port}${path}`);

async function text(request: OutboundRequest, of = client()): Promise<string> {
  return (await buffer((await of.request(request)).body)).toString();
}

describe('a request to an address from outside', () => {
  it('reaches the server over TLS, and asks for an uncompressed reply', async () => {
    const port = await secure(({ method, headers: { host, range, 'accept-encoding': encoding } }, response) =>
      response.end([method, host, range, encoding].join(' ')),
    );
    const reply = await text({ url: at(port), headers: { range: 'bytes=5-', 'accept-encoding': 'gzip' } });
    expect(reply).toBe(`GET files.example.com:${port} bytes=5- identity`);
  });

  it('is refused by a certificate that is not trusted, or for another name', async () => {
    const port = await secure((_, response) => response.end());
    const message = 'No secure connection: the certificate of the server is not valid.';
    const wrongName = client().request({ url: at(port, '/', 'third.example.com') });
    await expect(wrongName).rejects.toMatchObject({ message, permanent: true });
    const untrusted = new OutboundClient({ allowPrivate: true, lookup: async () => [HERE] });
    await expect(untrusted.request({ url: at(port) })).rejects.toMatchObject({ message, permanent: true });
  });

  it('reaches a private address without TLS only if all addresses of the name are private', async () => {
    const port = await plain((_, response) => response.end('at home'));
    const url = new URL(`http://nas:${port}/`);
    expect(await text({ url })).toBe('at home');
    const mixed = client({ lookup: async () => [HERE, { address: '93.184.215.14', family: 4 }] });
    await expect(mixed.request({ url })).rejects.toMatchObject({
      message: 'Only private addresses may be used without https.',
    });
  });

  it('ignores the proxies of the environment', async () => {
    const port = await secure((_, response) => response.end('direct'));
    process.env['HTTPS_PROXY'] = 'http://127.0.0.1:9';
    try {
      expect(await text({ url: at(port) })).toBe('direct');
    } finally {
      delete process.env['HTTPS_PROXY'];
    }
  });
});

describe('the addresses of a name', () => {
  const refusal = {
    message: 'The host name was not found, or its address is not allowed.',
    permanent: true,
  };

  it.each([
    [[HERE]],
    [[{ address: '93.184.215.14', family: 4 }, HERE]],
    [[{ address: '169.254.169.254', family: 4 }]],
    [[{ address: '::ffff:127.0.0.1', family: 6 }]],
    [[]],
  ])('%j are not connected to', async (addresses) => {
    let requests = 0;
    const port = await secure((_, response) => response.end(`${++requests}`));
    const strict = client({ allowPrivate: false, lookup: async () => addresses });
    await expect(strict.request({ url: at(port) })).rejects.toMatchObject(refusal);
    expect(requests).toBe(0);
  });

  it('are refused in the same words as a name that does not exist', async () => {
    const missing = client({
      lookup: () => Promise.reject(Object.assign(new Error('queryA'), { code: 'ENOTFOUND' })),
    });
    await expect(missing.request({ url: at(443) })).rejects.toMatchObject(refusal);
  });

  it('are asked for once: a name that changes its answer is connected to at the first', async () => {
    let asked = 0;
    const port = await secure((_, response) => response.end('first'));
    const rebinding = client({
      lookup: async () => (++asked === 1 ? [HERE] : [{ address: '127.0.0.2', family: 4 }]),
    });
    expect(await text({ url: at(port) }, rebinding)).toBe('first');
    expect(asked).toBe(1);
  });

  it('are not waited for longer than for a connection', async () => {
    const silent = client({ lookup: () => new Promise(() => undefined) });
    await expect(silent.request({ url: at(443), limits: { connectMs: 50 } })).rejects.toMatchObject({
      message: 'The server did not answer in time.',
      permanent: false,
    });
  });
});

describe('a redirect', () => {
  const badRedirect = {
    message: 'The server redirects to an address that is not allowed.',
    permanent: true,
  };
  const to = (location: string): RequestListener => {
    return (_, response) => response.writeHead(302, { location }).end();
  };

  it('is followed, and takes secrets only to the same origin', async () => {
    const echo: RequestListener = ({ url, headers: { authorization, range } }, response) => {
      if (url === '/') response.writeHead(307, { location: '/here' }).end();
      else response.end(`${url} ${authorization} ${range}`);
    };
    const port = await secure(echo);
    const headers = { authorization: 'Bearer secret', range: 'bytes=5-' };
    expect(await text({ url: at(port), headers })).toBe('/here Bearer secret bytes=5-');
    const from = await secure(to(at(port, '/there', 'other.example.com').href));
    expect(await text({ url: at(from), headers })).toBe('/there undefined bytes=5-');
  });

  it.each([
    'https://169.254.169.254/latest/meta-data/',
    'http://files.example.com/',
    'file:///etc/passwd',
    'https://[::1]/',
    'https://',
  ])('to %s is refused', async (location) => {
    const port = await secure(to(location));
    // A name that the test may connect to, though nothing else that is private.
    const strict = client();
    Object.assign(strict, { read: (url: string) => new OutboundClient({ allowPrivate: false }).read(url) });
    await expect(strict.request({ url: at(port) })).rejects.toMatchObject(badRedirect);
  });

  it('from https to http is refused, even to a private address', async () => {
    const port = await secure(to('http://nas:3000/'));
    await expect(client().request({ url: at(port) })).rejects.toMatchObject(badRedirect);
  });

  it('to a name that resolves to an address that is not allowed is refused', async () => {
    const port = await secure(to('https://other.example.com:8443/'));
    const metadata = { address: '169.254.169.254', family: 4 };
    const outside = client({ lookup: async (host) => (host === 'files.example.com' ? [HERE] : [metadata]) });
    await expect(outside.request({ url: at(port) })).rejects.toMatchObject({
      message: 'The host name was not found, or its address is not allowed.',
      permanent: true,
    });
  });

  it('is followed five times at most', async () => {
    const hop: RequestListener = ({ url }, response) => {
      const left = Number(url?.slice(1));
      if (left > 0) response.writeHead(302, { location: `/${left - 1}` }).end();
      else response.end('arrived');
    };
    const port = await secure(hop);
    expect(await text({ url: at(port, '/5') })).toBe('arrived');
    await expect(client().request({ url: at(port, '/6') })).rejects.toMatchObject({
      message: 'The server redirects too often.',
    });
  });

  it('of a request with a body is returned, not followed', async () => {
    const port = await secure(to('/elsewhere'));
    const reply = await client().request({ url: at(port), method: 'POST', body: Buffer.from('1') });
    expect([reply.status, reply.headers.location]).toEqual([302, '/elsewhere']);
    reply.close();
  });
});

describe('a hostile server', () => {
  it('that never answers is given up', async () => {
    const port = await secure(() => undefined);
    await expect(client().request({ url: at(port), limits: { headersMs: 50 } })).rejects.toMatchObject({
      message: 'The server did not answer in time.',
      permanent: false,
    });
  });

  it('that sends a byte from time to time is given up', async () => {
    const port = await secure((_, response) => {
      const timer = setInterval(() => response.write('x'), 20);
      response.on('close', () => clearInterval(timer));
    });
    const limits = { behindMs: 200, bytesPerSecond: 10_000 };
    await expect(text({ url: at(port), limits })).rejects.toMatchObject({
      message: 'The server sends too slowly.',
      permanent: false,
    });
  });

  it('that is slow overall is given up when the time is over', async () => {
    const port = await secure((_, response) => {
      const timer = setInterval(() => response.write(Buffer.alloc(10_000)), 20);
      response.on('close', () => clearInterval(timer));
    });
    const limits = { totalMs: 300, bytes: 1e9 };
    await expect(text({ url: at(port), limits })).rejects.toMatchObject({
      message: 'The server did not answer in time.',
    });
  });

  it('that sends without end is cut off at the limit', async () => {
    const port = await secure((_, response) => {
      const more = (): void => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536))) continue;
      };
      response.on('drain', more);
      more();
    });
    await expect(text({ url: at(port), limits: { bytes: 1_000_000 } })).rejects.toMatchObject({
      message: 'The file is larger than 1000000 bytes.',
      permanent: true,
    });
  });

  it('that compresses its reply is refused: nothing is ever decompressed', async () => {
    const bomb = gzipSync(Buffer.alloc(10_000_000));
    const port = await secure((_, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb),
    );
    await expect(client().request({ url: at(port) })).rejects.toMatchObject({ permanent: true });
  });

  it('that sends endless headers is refused', async () => {
    const port = await secure((_, response) =>
      response.writeHead(200, { 'x-padding': 'x'.repeat(20_000) }).end('body'),
    );
    await expect(client().request({ url: at(port) })).rejects.toMatchObject({
      message: 'The reply of the server is not valid.',
      permanent: true,
    });
  });

  it('that sends fewer bytes than it announced breaks off, after what has arrived', async () => {
    const port = await secure((_, response) => {
      response.writeHead(200, { 'content-length': 10 });
      response.write('12345', () => response.destroy());
    });
    const { body } = await client().request({ url: at(port) });
    const seen: Uint8Array[] = [];
    const reading = (async () => {
      for await (const chunk of body) seen.push(chunk);
    })();
    await expect(reading).rejects.toMatchObject({
      message: 'The connection to the server broke off.',
      permanent: false,
    });
    expect(Buffer.concat(seen).toString()).toBe('12345');
  });

  it('cannot outlast an abort', async () => {
    const port = await secure((_, response) => void response.write('x'));
    const stop = new AbortController();
    const reply = await client().request({ url: at(port), signal: stop.signal });
    stop.abort(new Error('enough'));
    await expect(buffer(reply.body)).rejects.toThrow('enough');
  });
});
