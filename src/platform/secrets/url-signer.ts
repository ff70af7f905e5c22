import { createHmac, createSecretKey, timingSafeEqual, type KeyObject } from 'node:crypto';
import type { Keys } from './keys.js';

/** Signs URLs that work without an API key: HMAC-SHA256 over path and query; previous keys are accepted. */
export class UrlSigner {
  private readonly keys: readonly [KeyObject, ...KeyObject[]];

  constructor([current, ...previous]: Keys) {
    this.keys = [toKey(current), ...previous.map(toKey)];
  }

  /** Returns `path?query&expires=...&signature=...`; the query is signed in the given order. */
  sign(path: string, query: Readonly<Record<string, string>>, expiresAt: Date): string {
    let signed = `${path}?`;
    for (const [name, value] of Object.entries(query)) signed += `${name}=${encodeURIComponent(value)}&`;
    signed += `expires=${secondsOf(expiresAt)}`;
    return `${signed}&signature=${hmac(signed, this.keys[0])}`;
  }

  /** Whether this exact URL was signed with an accepted key and has not expired. */
  verify(pathAndQuery: string, now: Date): boolean {
    const [, signed, given] = /^(.*)&signature=([\w-]+)$/.exec(pathAndQuery) ?? [];
    if (!signed || !given) return false;
    const expires = Number(new URLSearchParams(signed.split('?')[1]).get('expires')) * 1000;
    if (!(expires > now.getTime())) return false;
    return this.hasSigned(signed, given);
  }

  /** The signature of a text that cannot be mistaken for a URL: one that does not begin with a slash. */
  signatureOf(text: string): string {
    return hmac(text, this.keys[0]);
  }

  hasSigned(text: string, signature: string): boolean {
    return this.keys.some((key) => equal(hmac(text, key), signature));
  }

  /** Only expiry and signature, for a scope known to both sides; fits into a path segment or a cookie. */
  token(scope: string, expiresAt: Date): string {
    const expires = secondsOf(expiresAt);
    return `${expires}.${hmac(`${scope}?expires=${expires}`, this.keys[0])}`;
  }

  verifyToken(scope: string, token: string, now: Date): boolean {
    const [expires = '', signature = ''] = token.split('.');
    return this.verify(`${scope}?expires=${expires}&signature=${signature}`, now);
  }
}

const toKey = (key: string): KeyObject => createSecretKey(Buffer.from(key));

const hmac = (text: string, key: KeyObject): string =>
  createHmac('sha256', key).update(text).digest('base64url');

function equal(expected: string, given: string): boolean {
  const [a, b] = [Buffer.from(expected), Buffer.from(given)];
  return a.length === b.length && timingSafeEqual(a, b);
}

const secondsOf = (moment: Date): number => Math.floor(moment.getTime() / 1000);
