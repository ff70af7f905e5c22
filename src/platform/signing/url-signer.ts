import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * Signs addresses that work without an API key: HMAC-SHA256 over path and query. Whoever changes any part of the
 * address, or adds one, breaks the signature.
 */
export class UrlSigner {
  constructor(private readonly key: string) {}

  /** `path?query&expires=...&signature=...`; the query is signed in the order given. */
  sign(path: string, query: Readonly<Record<string, string>>, expiresAt: Date): string {
    let signed = `${path}?`;
    for (const [name, value] of Object.entries(query)) signed += `${name}=${encodeURIComponent(value)}&`;
    signed += `expires=${secondsOf(expiresAt)}`;
    return `${signed}&signature=${this.signature(signed)}`;
  }

  /** Whether this address was signed here, exactly as it stands, and has not expired. */
  verify(pathAndQuery: string, now: Date): boolean {
    const parts = /^(.*)&signature=([\w-]+)$/.exec(pathAndQuery);
    if (!parts?.[1] || !parts[2]) return false;
    const expected = Buffer.from(this.signature(parts[1]));
    const given = Buffer.from(parts[2]);
    if (expected.length !== given.length || !timingSafeEqual(expected, given)) return false;
    const expires = Number(new URLSearchParams(parts[1].split('?')[1]).get('expires'));
    return expires * 1000 > now.getTime();
  }

  /** Expiry and signature alone, for a scope that is known on both sides: what fits into a path or a cookie. */
  token(scope: string, expiresAt: Date): string {
    const expires = secondsOf(expiresAt);
    return `${expires}.${this.signature(`${scope}?expires=${expires}`)}`;
  }

  /** Whether `token` was made here for this scope, and has not expired. */
  verifyToken(scope: string, token: string, now: Date): boolean {
    const [expires = '', signature = ''] = token.split('.');
    return this.verify(`${scope}?expires=${expires}&signature=${signature}`, now);
  }

  private signature(text: string): string {
    return createHmac('sha256', this.key).update(text).digest('base64url');
  }
}

const secondsOf = (moment: Date): number => Math.floor(moment.getTime() / 1000);
