import { createHmac, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { parseCookie } from 'cookie';
import type { Request, Response } from 'express';
import { PublicUrl } from '../server/public-url.js';

const NAME = 'mrs_session';
const CSRF_HEADER = 'x-csrf-token';
const SAFE = new Set(['GET', 'HEAD', 'OPTIONS']);

declare global {
  namespace Express {
    interface Request {
      /** The API key, or the token of the session, that the request was authenticated with. */
      credential?: string;
    }
  }
}

/** The cookie with the token of a session, and what keeps pages of other sites from using it. */
@Injectable()
export class SessionCookie {
  constructor(private readonly publicUrl: PublicUrl) {}

  /** Browsers let only the host itself set a name with this prefix, over https. */
  private get name(): string {
    return this.publicUrl.isSecure ? `__Host-${NAME}` : NAME;
  }

  /** The token that a request has; undefined if none. */
  read({ headers }: Request): string | undefined {
    return headers.cookie === undefined ? undefined : parseCookie(headers.cookie)[this.name];
  }

  set(response: Response, token: string, expires: Date): void {
    response.cookie(this.name, token, { ...this.attributes(), expires });
  }

  clear(response: Response): void {
    response.clearCookie(this.name, this.attributes());
  }

  /**
   * Whether a request may be made with the session: one that changes nothing, or one of a page of this service that has
   * its token. `given`: the token of a form, which cannot send headers.
   */
  permits(request: Request, token: string, given = request.headers[CSRF_HEADER]): boolean {
    if (SAFE.has(request.method)) return true;
    return this.isOwnPage(request) && typeof given === 'string' && isSame(given, csrfToken(token));
  }

  /** Whether a page of this service sent the request, as far as browsers say. */
  isOwnPage(request: Request): boolean {
    const { origin, 'sec-fetch-site': site } = request.headers;
    if (site !== undefined && site !== 'same-origin') return false;
    return origin === undefined ? site !== undefined : origin === this.publicUrl.originFor(request);
  }

  private attributes() {
    return { path: '/', httpOnly: true, secure: this.publicUrl.isSecure, sameSite: 'lax' } as const;
  }
}

/** What pages send with a request that changes something: derived from the token of the session, which they cannot read. */
export const csrfToken = (token: string): string =>
  createHmac('sha256', token).update('csrf').digest('base64url');

function isSame(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** The headers that authenticate a request, for another one on its behalf. */
export function credentialHeaders({ headers }: Request): Record<string, string> {
  const names = ['authorization', 'cookie', 'origin', 'sec-fetch-site', CSRF_HEADER];
  return Object.fromEntries(
    names.flatMap((name) => (typeof headers[name] === 'string' ? [[name, headers[name]]] : [])),
  );
}
