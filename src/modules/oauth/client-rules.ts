import { asLine, isLine } from '../../lib/text.js';
import { CLIENT_LIMITS } from './oauth-limits.js';

const LOOPBACK = /^(localhost|127\.0\.0\.1|\[::1\])$/;

/** The metadata of a client while it is checked. */
type Metadata = Record<string, unknown>;

/** Whether a redirect leads to a program on the user's own device, where any can be: by http, or by a scheme of its own. */
export const isNative = (uri: string): boolean => URL.canParse(uri) && new URL(uri).protocol !== 'https:';

/** Schemes that browsers handle themselves. */
const FORBIDDEN = /^(javascript|vbscript|data|blob|file|about|ws|wss|ftp):$/;

/** Whether a decision may lead there. */
export function isRedirectUri(uri: unknown): uri is string {
  if (typeof uri !== 'string' || uri.length > CLIENT_LIMITS.redirectUri || !URL.canParse(uri)) return false;
  const { protocol, hostname, username, password } = new URL(uri);
  if (uri.includes('#') || username !== '' || password !== '' || FORBIDDEN.test(protocol)) return false;
  return protocol !== 'http:' || LOOPBACK.test(hostname);
}

/** Completes what a client says of itself; returns what is wrong with it, or null. */
export function restrictClient(metadata: Metadata): string | null {
  const { client_id: id, client_name: given, redirect_uris: uris } = metadata;
  const { name: length, redirectUris, metadata: most } = CLIENT_LIMITS;
  // A client that registers itself need not have one; one that publishes its metadata does.
  const named = given ?? (URL.canParse(String(id)) ? '' : 'Unnamed client');
  const name = typeof named === 'string' ? asLine(named) : '';
  metadata['client_name'] = name;
  if (JSON.stringify(metadata).length > most) return `the metadata must be at most ${most} bytes`;
  if (!isLine(name, length)) return `client_name must be a line of 1 to ${length.max} characters`;
  if (!Array.isArray(uris) || uris.length > redirectUris || !uris.every(isRedirectUri))
    return `redirect_uris must be at most ${redirectUris} URLs with https, with http and localhost or 127.0.0.1, or with a scheme of their own`;
  // What clients may ask for is not theirs to limit; nothing is fetched for identifiers that users do not have.
  for (const unused of ['scope', 'sector_identifier_uri']) delete metadata[unused];
  // Older clients do not say so, and use a port that was free.
  if (uris.some(isNative)) metadata['application_type'] = 'native';
  metadata['response_modes'] = ['query'];
  return null;
}
