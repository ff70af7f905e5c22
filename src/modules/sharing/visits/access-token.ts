import { parseCookie } from 'cookie';
import type { Request } from 'express';

/** The cookie of browsers, for the paths of the link; API clients send the header. */
export const COOKIE = 'share_access';
const HEADER = 'X-Share-Access';

export function accessTokenOf(request: Request): string | undefined {
  return request.get(HEADER) ?? parseCookie(request.headers.cookie ?? '')[COOKIE];
}
