import type { IncomingHttpHeaders } from 'node:http';
import { printable } from '../../lib/text.js';

const RIGHT_PLACE = 'send it in the header "Authorization: Bearer <API_KEY>"';

/** What begins like a key in a query, with or without the scheme before it. */
const IN_QUERY = /=(?:bearer(?:\+|%20))?mrs_/i;

/** Says where the API key of a request is, if not where it belongs; null if it has none. */
export function explainMisplacedKey(url: string, headers: IncomingHttpHeaders): string | null {
  if (IN_QUERY.test(url.slice(url.indexOf('?'))))
    return `The API key is in the URL, where logs and histories keep it: ${RIGHT_PLACE}. Rotate this key, or revoke it, as others may have read it.`;
  const name = Object.keys(headers).find(
    (one) => one === 'x-api-key' || (one !== 'authorization' && String(headers[one]).startsWith('mrs_')),
  );
  return name === undefined ? null : `The API key is in the header ${printable(name)}: ${RIGHT_PLACE}.`;
}
