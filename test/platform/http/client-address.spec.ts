import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import type { NestExpressApplication } from '@nestjs/platform-express';
import express from 'express';
import { parseSettings } from '../../../src/platform/config/settings.js';
import {
  clientAddress,
  limitedAddress,
  trustProxies,
  warnOfUndeclaredProxy,
} from '../../../src/platform/http/requests/client-address.js';
import { AppLogger } from '../../../src/platform/logging/app-logger.js';

/** What the service takes for the client of a request with these headers, for the log and for limits. */
async function seen(
  trustProxy: string | undefined,
  headers: Record<string, string> = {},
): Promise<{ address: string; limited: string; warnings: number }> {
  const settings = parseSettings(trustProxy === undefined ? {} : { TRUST_PROXY: trustProxy });
  const lines: string[] = [];
  const app = express();
  trustProxies(app as unknown as NestExpressApplication, settings);
  app.use((request, response) => {
    const address = clientAddress(request);
    response.json({ address, limited: limitedAddress(address) });
  });
  const server = app.listen(0, '127.0.0.1');
  warnOfUndeclaredProxy(server, settings, new AppLogger('info', { write: (line) => void lines.push(line) }));
  await once(server, 'listening');
  const send = () => fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, { headers });
  try {
    await send();
    const reply = (await (await send()).json()) as { address: string; limited: string };
    return { ...reply, warnings: lines.length };
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

describe('the address of a client', () => {
  it.each([
    ['not set, not forwarded', undefined, {}, '127.0.0.1', '127.0.0.1', 0],
    ['not set, forwarded', undefined, { 'x-forwarded-for': '9.9.9.9' }, '127.0.0.1', '127.0.0.1', 1],
    ['not set, Forwarded', undefined, { forwarded: 'for=9.9.9.9' }, '127.0.0.1', '127.0.0.1', 1],
    ['none, forwarded', 'none', { 'x-forwarded-for': '9.9.9.9' }, '127.0.0.1', '127.0.0.1', 0],
    ['another proxy', '10.0.0.0/8', { 'x-forwarded-for': '9.9.9.9' }, '127.0.0.1', '127.0.0.1', 0],
    ['this proxy', 'loopback', { 'x-forwarded-for': '9.9.9.9' }, '9.9.9.9', '9.9.9.9', 0],
    [
      'the last untrusted one counts',
      '127.0.0.1',
      { 'x-forwarded-for': '6.6.6.6, 9.9.9.9' },
      '9.9.9.9',
      '9.9.9.9',
      0,
    ],
    [
      'IPv6',
      'loopback',
      { 'x-forwarded-for': '2001:DB8:0:0001::5' },
      '2001:DB8:0:0001::5',
      '2001:db8:0:1::/64',
      0,
    ],
    ['with a port', 'loopback', { 'x-forwarded-for': '9.9.9.9:4711' }, '9.9.9.9', '9.9.9.9', 0],
    [
      'IPv6 with a port',
      'loopback',
      { 'x-forwarded-for': '[2001:db8::5]:4711' },
      '2001:db8::5',
      '2001:db8:0:0::/64',
      0,
    ],
    ['not an address', 'loopback', { 'x-forwarded-for': 'unknown' }, '127.0.0.1', '127.0.0.1', 0],
    ['mapped', 'loopback', { 'x-forwarded-for': '::FFFF:909:0909' }, '9.9.9.9', '9.9.9.9', 0],
    ['short IPv6', 'loopback', { 'x-forwarded-for': '::1' }, '::1', '0:0:0:0::/64', 0],
  ] as const)('TRUST_PROXY: %s', async (_, trustProxy, headers, address, limited, warnings) => {
    expect(await seen(trustProxy, headers)).toEqual({ address, limited, warnings });
  });

  it.each([
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['::FFFF:cb00:7107', '203.0.113.7'],
    ['0:0:0:0:0:ffff:203.0.113.7', '203.0.113.7'],
    ['64:ff9b::cb00:7107', '203.0.113.7'],
    ['2002:cb00:7107:ffff::1', '203.0.113.7'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['2001:db8::ffff:ffff:ffff:ffff', '2001:db8:0:0::/64'],
  ])('%s counts as %s, however it is written', (ip, client) => {
    expect(limitedAddress(ip)).toBe(client);
  });

  it.each(['proxy', '10.0.0.0/33', '10.0.0.0/8/8', '1', 'none, loopback', '::1/129'])(
    'TRUST_PROXY=%s is refused',
    (value) => {
      expect(() => parseSettings({ TRUST_PROXY: value })).toThrow(
        'TRUST_PROXY must be none, or a comma-separated list of addresses such as 10.0.0.7 or 10.0.0.0/8',
      );
    },
  );
});
