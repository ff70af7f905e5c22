import type { Request } from 'express';
import { isInRanges } from '../../../lib/address-ranges.js';
import type { PublicUrl } from '../server/public-url.js';
import { clientAddress } from './client-address.js';

const LOOPBACK = ['127.0.0.0/8', '::1/128'];
export const LOOPBACK_HOST = /^(localhost|127(\.\d+){3}|\[::1\])$/;
/** Headers that proxies add. */
const FORWARDED = /^(forwarded|via|x-forwarded-.*|x-real-ip)$/;

/** Whether a client on this host sent the request, not through a proxy, which may serve anybody. */
export const isFromHost = (request: Request): boolean =>
  !Object.keys(request.headers).some((name) => FORWARDED.test(name)) &&
  isInRanges(clientAddress(request), LOOPBACK);

/**
 * Whether, in addition, the page that sent it was opened at a name of this host: neither one of another site, nor one at
 * another name for this address. Nor behind a proxy without such headers, if it speaks HTTP/1.0, as nginx does by default.
 */
export function isOpenedOnHost(request: Request, { host }: PublicUrl): boolean {
  const { headers, httpVersion } = request;
  const { origin = 'http://localhost', 'sec-fetch-site': site = 'same-origin' } = headers;
  const names = [host, request.hostname, URL.canParse(origin) ? new URL(origin).hostname : ''];
  return (
    isFromHost(request) &&
    httpVersion === '1.1' &&
    site === 'same-origin' &&
    names.every((name) => LOOPBACK_HOST.test(name))
  );
}
