import type { LookupAddress } from 'node:dns';
import { lookup as systemLookup, Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import { addressKind, type AddressKind } from './address-kinds.js';
import { fromNode, notReachable, OutboundError } from './outbound-error.js';
import { hostOf, isAllowed } from './outbound-url.js';

export type Lookup = (host: string) => Promise<readonly LookupAddress[]>;

/** The addresses that one connection may use. */
export interface PinnedAddresses {
  readonly addresses: readonly LookupAddress[];
  readonly kind: AddressKind;
}

/** No more than one connection may take, with all of its tries. */
export const DNS_LIMITS = { timeout: 2_500, tries: 2 };
const NO_SUCH_NAME = new Set(['ENOTFOUND', 'ENODATA']);

/** Resolves names as this machine does, with its hosts file; each occupies one of the four threads for files. */
export const systemNames: Lookup = (host) => systemLookup(host, { all: true });

/** Resolves public names by DNS alone, without a thread. `servers`: default, those of this machine. */
export function publicNames(servers?: readonly string[]): Lookup {
  return async (host) => {
    // A new one each time, as the name servers of a machine may change.
    const resolver = new Resolver(DNS_LIMITS);
    if (servers) resolver.setServers(servers);
    const answers = await Promise.allSettled([
      resolver.resolve4(host).then((found) => found.map((address) => ({ address, family: 4 }))),
      resolver.resolve6(host).then((found) => found.map((address) => ({ address, family: 6 }))),
    ]);
    const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    if (addresses.length > 0) return addresses;
    const errors = answers.flatMap((answer) => (answer.status === 'rejected' ? [codeOf(answer.reason)] : []));
    const code = errors.find((error) => !NO_SUCH_NAME.has(error)) ?? 'ENOTFOUND';
    throw Object.assign(new Error(`${host} was not resolved`), { code });
  };
}

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? '';

/** Resolves the host of a URL, once. One address that is not allowed forbids all: the owner of the name decides. */
export async function pinAddresses(
  url: URL,
  allowPrivate: boolean,
  lookup: Lookup,
): Promise<PinnedAddresses> {
  const addresses = await resolve(hostOf(url), lookup);
  const kinds = addresses.map(({ address }) => addressKind(address));
  if (kinds.length === 0 || !kinds.every((kind) => isAllowed(kind, allowPrivate))) throw notReachable();
  const allPrivate = kinds.every((kind) => kind === 'private');
  if (url.protocol === 'http:' && !allPrivate)
    throw new OutboundError('Only private addresses may be used without https.');
  return { addresses, kind: kinds.includes('private') ? 'private' : 'public' };
}

async function resolve(host: string, lookup: Lookup): Promise<readonly LookupAddress[]> {
  const family = isIP(host);
  if (family !== 0) return [{ address: host, family }];
  try {
    return await lookup(host);
  } catch (error) {
    throw codeOf(error) === 'ENOTFOUND' ? notReachable(error) : fromNode(error, false);
  }
}
