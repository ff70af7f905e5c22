import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * Signs addresses that work without an API key: HMAC-SHA256 over path and query. Whoever changes any part of the
 * address, or adds one, breaks the signature.
 */
export class UrlSigner {
  constructor(private readonly key: string) {}

  /** `path?query&expires=...&signature=...`; the query is signed in the order given. */
  sign(path: string, query: Readonly<Record<string, string>>, expiresAt: Date): string {
    const expires = String(Math.floor(expiresAt.getTime() / 1000));
    const signed = `${path}?${new URLSearchParams({ ...query, expires }).toString()}`;
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

  private signature(text: string): string {
    return createHmac('sha256', this.key).update(text).digest('base64url');
  }
}
