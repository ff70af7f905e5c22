import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * Signs URLs that work without an API key: HMAC-SHA256 over path and query. Changing or adding any part invalidates the
 * signature.
 */
export class UrlSigner {
  constructor(private readonly key: string) {}

  /** Returns `path?query&expires=...&signature=...`; the query is signed in the given order. */
  sign(path: string, query: Readonly<Record<string, string>>, expiresAt: Date): string {
    let signed = `${path}?`;
    for (const [name, value] of Object.entries(query)) signed += `${name}=${encodeURIComponent(value)}&`;
    signed += `expires=${secondsOf(expiresAt)}`;
    return `${signed}&signature=${this.signature(signed)}`;
  }

  /** Whether this exact URL was signed with the key and has not expired. */
  verify(pathAndQuery: string, now: Date): boolean {
    const parts = /^(.*)&signature=([\w-]+)$/.exec(pathAndQuery);
    if (!parts?.[1] || !parts[2]) return false;
    const expected = Buffer.from(this.signature(parts[1]));
    const given = Buffer.from(parts[2]);
    if (expected.length !== given.length || !timingSafeEqual(expected, given)) return false;
    const expires = Number(new URLSearchParams(parts[1].split('?')[1]).get('expires'));
    return expires * 1000 > now.getTime();
  }

  /** Only expiry and signature, for a scope known to both sides; fits into a path segment or a cookie. */
  token(scope: string, expiresAt: Date): string {
    const expires = secondsOf(expiresAt);
    return `${expires}.${this.signature(`${scope}?expires=${expires}`)}`;
  }

  /** Whether `token` was signed for this scope and has not expired. */
  verifyToken(scope: string, token: string, now: Date): boolean {
    const [expires = '', signature = ''] = token.split('.');
    return this.verify(`${scope}?expires=${expires}&signature=${signature}`, now);
  }

  private signature(text: string): string {
    return createHmac('sha256', this.key).update(text).digest('base64url');
  }
}

const secondsOf = (moment: Date): number => Math.floor(moment.getTime() / 1000);
