import type { LookupAddress } from 'node:dns';
import { lookup as systemLookup } from 'node:dns/promises';
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

/** As any program on this machine resolves names: also with its hosts file and the DNS of its containers. */
export const lookupAll: Lookup = (host) => systemLookup(host, { all: true });

/**
 * Resolves the host of a URL, once. If any of its addresses is not allowed, none is: the owner of the name would otherwise
 * decide which of them is connected to.
 */
export async function pinAddresses(
  url: URL,
  allowPrivate: boolean,
  lookup: Lookup,
): Promise<PinnedAddresses> {
  const addresses = await resolve(hostOf(url), lookup);
  const kinds = addresses.map(({ address }) => addressKind(address));
  if (kinds.length === 0 || !kinds.every((kind) => isAllowed(kind, allowPrivate))) throw notReachable();
  const allPrivate = kinds.every((kind) => kind === 'private');
  if (url.protocol === 'http:' && !allPrivate) {
    throw new OutboundError('Only private addresses may be used without https.', { permanent: true });
  }
  return { addresses, kind: kinds.includes('private') ? 'private' : 'public' };
}

async function resolve(host: string, lookup: Lookup): Promise<readonly LookupAddress[]> {
  const family = isIP(host);
  if (family !== 0) return [{ address: host, family }];
  try {
    return await lookup(host);
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === 'ENOTFOUND'
      ? notReachable(error)
      : fromNode(error, false);
  }
}
