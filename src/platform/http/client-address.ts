import { isIPv6 } from 'node:net';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Express, Request } from 'express';
import type { Settings } from '../config/settings.js';
import type { AppLogger } from '../logging/app-logger.js';

/** Groups of an IPv6 address that identify a network: one client usually has all addresses below. */
const IPV6_GROUPS = 4;

/** From now on `X-Forwarded-For` counts when it comes from one of the trusted proxies, and from nobody else. */
export function trustProxies(
  app: NestExpressApplication,
  { trustProxy }: Pick<Settings, 'trustProxy'>,
): void {
  app.set('trust proxy', trustProxy === null || trustProxy.length === 0 ? false : [...trustProxy]);
}

/** Whether an address is that of a trusted proxy. */
export function trustedProxies(app: NestExpressApplication): (address: string) => boolean {
  const trusts = (app.getHttpAdapter().getInstance() as Express).get('trust proxy fn') as (
    address: string,
    hops: number,
  ) => boolean;
  return (address) => trusts(address, 0);
}

/** The address that a request came from, as far as it is known: behind a proxy that is not trusted, that of the proxy. */
export function clientAddress(request: Request): string {
  // Express parses the header on every access, also if it is missing.
  const forwarded = request.headers['x-forwarded-for'] !== undefined;
  return withoutMapping((forwarded ? request.ip : request.socket.remoteAddress) ?? '');
}

/** Where a request came from, for the change log. */
export function originOf(request: Request): { readonly id: string; readonly address: string } {
  return { id: request.id, address: clientAddress(request) };
}

/** An IPv4 address that a dual-stack socket shows as IPv6, as IPv4. */
function withoutMapping(ip: string): string {
  return ip.startsWith('::ffff:') ? ip.slice('::ffff:'.length) : ip;
}

/** What limits by address count as one client: an IPv4 address, or an IPv6 network of 64 bits. */
export function limitedAddress(ip: string): string {
  const address = withoutMapping(ip);
  return isIPv6(address) ? networkOf(address) : address;
}

/**
 * What limits by address count as the client of a request (`limitedAddress`). Null when the address cannot
 * be known: the request was forwarded, and `TRUST_PROXY` does not say by whom.
 */
export class LimitedAddresses {
  private warned = false;

  constructor(
    private readonly settings: Pick<Settings, 'trustProxy'>,
    private readonly logger: AppLogger,
  ) {}

  of(request: Request): string | null {
    if (this.settings.trustProxy === null && isForwarded(request)) {
      this.warn();
      return null;
    }
    return limitedAddress(request.ip ?? '');
  }

  private warn(): void {
    if (this.warned) return;
    this.warned = true;
    this.logger.warn(
      'requests are forwarded by a proxy, but TRUST_PROXY is not set: no limit applies by address; set TRUST_PROXY to the address of the proxy, or to none if there is no proxy',
    );
  }
}

export function isForwarded({ headers }: Pick<Request, 'headers'>): boolean {
  return headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined;
}

/** The first half of an IPv6 address, in its canonical form. */
function networkOf(address: string): string {
  const [withoutZone = ''] = address.split('%');
  const [before = '', after] = new URL(`http://[${withoutZone}]`).hostname.slice(1, -1).split('::');
  const groups = before === '' ? [] : before.split(':');
  const last = after ? after.split(':') : [];
  const zeros = Array.from({ length: IPV6_GROUPS * 2 - groups.length - last.length }, () => '0');
  return `${[...groups, ...zeros, ...last].slice(0, IPV6_GROUPS).join(':')}::/64`;
}
