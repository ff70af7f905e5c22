import { isIP } from 'node:net';
import { addressKind, type AddressKind } from './address-kinds.js';

/** Names for this machine and for local networks (RFC 6761, 6762, 8375, and the `internal` that ICANN reserved). */
const LOCAL_NAMES = ['localhost', 'local', 'internal', 'home.arpa'];
/** Names of metadata services: never reachable, whatever they resolve to. */
const METADATA_NAMES = new Set(['metadata', 'metadata.google.internal', 'instance-data']);
/** Besides the port of the scheme. Lower ones belong to other protocols. */
const FIRST_FREE_PORT = 1024;

/** How an operator lets `readOutboundUrl` accept more. */
export const PRIVATE_ADDRESSES = 'ALLOW_PRIVATE_ADDRESSES permits others';

/** What `readOutboundUrl` accepts, for the message of an error. */
export const OUTBOUND_URL_RULE = `must be an https URL of a public host, on port 443 or one from 1024 up, without user name and password (${PRIVATE_ADDRESSES})`;

/** A URL that the service may connect to, as far as can be seen without DNS; or null. `URL` reads `0x7f.1` too. */
export function readOutboundUrl(text: string, allowPrivate: boolean): URL | null {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || url.username !== '' || url.password !== '') return null;
  if (url.protocol !== 'https:' && !(allowPrivate && url.protocol === 'http:')) return null;
  if (url.port !== '' && Number(url.port) < FIRST_FREE_PORT) return null;
  return isAllowedHost(hostOf(url), allowPrivate) ? url : null;
}

/** Without the brackets of an IPv6 address. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '');

export const isAllowed = (kind: AddressKind, allowPrivate: boolean): boolean =>
  kind === 'public' || (kind === 'private' && allowPrivate);

function isAllowedHost(host: string, allowPrivate: boolean): boolean {
  if (isIP(host) !== 0) return isAllowed(addressKind(host), allowPrivate);
  if (host.endsWith('.') || METADATA_NAMES.has(host)) return false;
  return allowPrivate || (host.includes('.') && !LOCAL_NAMES.some((name) => host.endsWith(`.${name}`)));
}
