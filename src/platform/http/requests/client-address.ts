import type { IncomingMessage, Server } from 'node:http';
import { isIP, isIPv6 } from 'node:net';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Request } from 'express';
import type { Settings } from '../../config/settings.js';
import type { AppLogger } from '../../logging/app-logger.js';

/** Groups of an IPv6 address, and those that identify a network: one client usually has all addresses below. */
const GROUPS = 8;
const NETWORK_GROUPS = 4;

/** Where a request came from, for the change log. */
interface RequestOrigin {
  readonly id: string;
  readonly address: string;
  readonly client: string | undefined;
}

/** Makes `X-Forwarded-For` count when it comes from one of the trusted proxies, and from nobody else. */
export function trustProxies(
  app: NestExpressApplication,
  { trustProxy }: Pick<Settings, 'trustProxy'>,
): void {
  app.set('trust proxy', trustProxy === null || trustProxy.length === 0 ? false : [...trustProxy]);
}

/**
 * The address that a request came from: behind a proxy that is not trusted, that of the proxy. Empty once the
 * connection is closed.
 */
export function clientAddress(request: Request): string {
  const peer = withoutMapping(request.socket.remoteAddress ?? '');
  // Express parses the header on every access, also if it is missing.
  if (request.headers['x-forwarded-for'] === undefined) return peer;
  const named = withoutPort(request.ip ?? '');
  return isIP(named) === 0 ? peer : withoutMapping(named);
}

/** Characters of a `User-Agent` that are kept. */
const MAX_CLIENT = 200;

export function originOf(request: Request): RequestOrigin {
  const client = request.headers['user-agent']?.slice(0, MAX_CLIENT);
  return { id: request.id, address: clientAddress(request), client };
}

/** Some proxies name the port as well; each connection of a client would otherwise count as another client. */
function withoutPort(address: string): string {
  const [, ipv6, ipv4] = /^(?:\[(.+)\]|([\d.]+))(?::\d+)?$/.exec(address) ?? [];
  return ipv6 ?? ipv4 ?? address;
}

/** An IPv4 address that a dual-stack socket shows as IPv6, as IPv4. */
const withoutMapping = (ip: string): string => (isIPv6(ip) && ipv4In(groupsOf(ip), MAPPED)) || ip;

/** Returns what counts as one client: an IPv4 address, however it is written, or an IPv6 network of 64 bits. */
export function limitedAddress(ip: string): string {
  if (!isIPv6(ip)) return ip;
  const groups = groupsOf(ip);
  for (const place of EMBEDDED) {
    const ipv4 = ipv4In(groups, place);
    if (ipv4 !== null) return ipv4;
  }
  return `${groups.slice(0, NETWORK_GROUPS).join(':')}::/64`;
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

/** IPv6 addresses that contain an IPv4 address: how they begin, and where it is; in groups of 16 bits. */
interface EmbeddedIPv4 {
  readonly prefix: readonly string[];
  readonly at: number;
}

const MAPPED: EmbeddedIPv4 = { prefix: ['0', '0', '0', '0', '0', 'ffff'], at: 6 };
const NAT64: EmbeddedIPv4 = { prefix: ['64', 'ff9b', '0', '0', '0', '0'], at: 6 };
/** One IPv4 address has 65,536 networks of these. */
const SIX_TO_FOUR: EmbeddedIPv4 = { prefix: ['2002'], at: 1 };
const EMBEDDED = [MAPPED, NAT64, SIX_TO_FOUR] as const;

function ipv4In(groups: readonly string[], { prefix, at }: EmbeddedIPv4): string | null {
  if (!prefix.every((group, index) => groups[index] === group)) return null;
  return [groups[at], groups[at + 1]]
    .map((group) => parseInt(group ?? '', 16))
    .flatMap((group) => [group >> 8, group & 255])
    .join('.');
}

/** The eight groups of an IPv6 address, without its zone and leading zeros, in lower case. */
function groupsOf(address: string): readonly string[] {
  const [withoutZone = ''] = address.split('%');
  const [before = '', after] = new URL(`http://[${withoutZone}]`).hostname.slice(1, -1).split('::');
  const groups = before === '' ? [] : before.split(':');
  const last = after ? after.split(':') : [];
  const zeros = Array.from({ length: GROUPS - groups.length - last.length }, () => '0');
  return [...groups, ...zeros, ...last];
}
