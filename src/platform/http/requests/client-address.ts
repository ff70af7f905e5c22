import type { IncomingMessage, Server } from 'node:http';
import { isIP, isIPv6 } from 'node:net';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Request } from 'express';
import type { Settings } from '../../config/settings.js';
import type { AppLogger } from '../../logging/app-logger.js';

/** Groups of an IPv6 address, and those that identify a network: one client usually has all addresses below. */
const GROUPS = 8;
const NETWORK_GROUPS = 4;

/** Makes `X-Forwarded-For` count when it comes from one of the trusted proxies, and from nobody else. */
export function trustProxies(
  app: NestExpressApplication,
  { trustProxy }: Pick<Settings, 'trustProxy'>,
): void {
  app.set('trust proxy', trustProxy === null || trustProxy.length === 0 ? false : [...trustProxy]);
}

/** The address of the client, or of a proxy that is not trusted. Empty once the connection is closed. */
export function clientAddress(request: Request): string {
  const peer = withoutMapping(request.socket.remoteAddress ?? '');
  // Express parses the header on every access, also if it is missing.
  if (request.headers['x-forwarded-for'] === undefined) return peer;
  const named = withoutPort(request.ip ?? '');
  return isIP(named) === 0 ? peer : withoutMapping(named);
}

/** Characters of a `User-Agent` that are kept. */
const MAX_CLIENT = 200;

export function originOf(request: Request): {
  readonly id: string;
  readonly address: string;
  readonly client: string | undefined;
} {
  const client = request.headers['user-agent']?.slice(0, MAX_CLIENT);
  return { id: request.id, address: clientAddress(request), client };
}

/** Some proxies name the port as well; each connection of a client would otherwise count as another client. */
function withoutPort(address: string): string {
  const [, ipv6, ipv4] = /^(?:\[(.+)\]|([\d.]+))(?::\d+)?$/.exec(address) ?? [];
  return ipv6 ?? ipv4 ?? address;
}

/** An IPv4 address that a dual-stack socket shows as IPv6, as IPv4. */
const withoutMapping = (ip: string): string => (isIPv6(ip) && ipv4After(MAPPED, groupsOf(ip))) || ip;

/** Returns what counts as one client: an IPv4 address, however it is written, or an IPv6 network of 64 bits. */
export function limitedAddress(ip: string): string {
  if (!isIPv6(ip)) return ip;
  const groups = groupsOf(ip);
  const ipv4 = EMBEDDED.map((prefix) => ipv4After(prefix, groups)).find((found) => found !== null);
  // One IPv4 address has 65,536 networks of 6to4.
  return ipv4 ?? `${groups.slice(0, NETWORK_GROUPS).join(':')}::/64`;
}

/** Says once, when a request was forwarded although no proxy is declared, what that means for limits by address. */
export function warnOfUndeclaredProxy(
  server: Server,
  { trustProxy }: Pick<Settings, 'trustProxy'>,
  logger: AppLogger,
): void {
  if (trustProxy !== null) return;
  const warn = ({ headers }: IncomingMessage): void => {
    if (headers['x-forwarded-for'] === undefined && headers.forwarded === undefined) return;
    server.off('request', warn);
    logger.warn(
      'requests are forwarded by a proxy, but TRUST_PROXY is not set: all clients behind the proxy count as one for every limit by address; set TRUST_PROXY to the address of the proxy, or to none if there is no proxy',
    );
  };
  server.on('request', warn);
}

/** Beginnings of IPv6 addresses that contain an IPv4 address, of which there are two groups: mapped, NAT64, and 6to4. */
const MAPPED = '0:0:0:0:0:ffff:';
const EMBEDDED = [MAPPED, '64:ff9b:0:0:0:0:', '2002:'];

function ipv4After(prefix: string, groups: readonly string[]): string | null {
  const address = groups.join(':');
  if (!address.startsWith(prefix)) return null;
  const [high = '', low = ''] = address.slice(prefix.length).split(':');
  return [high, low].flatMap((group) => [parseInt(group, 16) >> 8, parseInt(group, 16) & 255]).join('.');
}

/** The eight groups of an IPv6 address, without its zone and leading zeros, in lower case. */
function groupsOf(address: string): readonly string[] {
  const [withoutZone = ''] = address.split('%');
  const [before = '', after = ''] = new URL(`http://[${withoutZone}]`).hostname.slice(1, -1).split('::');
  const [first, last] = [before, after].map((part) => part.split(':').filter(Boolean)) as [
    string[],
    string[],
  ];
  const zeros = Array.from({ length: GROUPS - first.length - last.length }, () => '0');
  return [...first, ...zeros, ...last];
}
