import { WebhookVerificationError } from './errors.js';
import type { Event } from './types.js';

/** Headers of a request, as frameworks have them. */
export type RequestHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

export interface VerifyOptions {
  /** Seconds by which the clocks may differ, and for which a request can be repeated by somebody else; by default 300. */
  readonly tolerance?: number;
}

const PREFIX = 'whsec_';

/**
 * The event in a request of a webhook, if the service has signed it with this secret; else it rejects with a
 * `WebhookVerificationError`. `body` is what was received, byte for byte, not parsed. An event may arrive twice: its `id` is the same.
 */
export async function verifyWebhook(
  body: string | ArrayBuffer | Uint8Array,
  headers: RequestHeaders,
  secret: string,
  { tolerance = 300 }: VerifyOptions = {},
): Promise<Event> {
  const get = (name: string): string => read(headers, name);
  const id = get('webhook-id');
  const timestamp = get('webhook-timestamp');
  const signatures = get('webhook-signature').split(' ');
  // Also of what is no number, which is never within the tolerance.
  if (!(Math.abs(Date.now() / 1000 - Number(timestamp)) <= tolerance)) {
    throw new WebhookVerificationError('The request is too old, or not from a webhook');
  }
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : new Uint8Array(body);
  const signed = new Blob([`${id}.${timestamp}.`, bytes as BlobPart]);
  const content = await signed.arrayBuffer();
  const key = await crypto.subtle.importKey('raw', keyOf(secret), { name: 'HMAC', hash: 'SHA-256' }, false, [
    'verify',
  ]);
  // While a secret is being replaced, there is a signature with each.
  for (const signature of signatures) {
    const given = decode(/^v1,(.+)$/.exec(signature)?.[1] ?? '');
    // `verify` takes the same time whatever differs.
    if (given && (await crypto.subtle.verify('HMAC', key, given, content))) {
      return JSON.parse(new TextDecoder().decode(bytes)) as Event;
    }
  }
  throw new WebhookVerificationError('The signature is not of this body and secret');
}

function read(headers: RequestHeaders, name: string): string {
  if (headers instanceof Headers) return headers.get(name) ?? '';
  const found = Object.entries(headers).find(([one]) => one.toLowerCase() === name)?.[1];
  return (typeof found === 'string' ? found : found?.[0]) ?? '';
}

function keyOf(secret: string): Uint8Array<ArrayBuffer> {
  const key = decode(secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret);
  if (!key?.length) throw new TypeError('The secret of a webhook begins with whsec_');
  return key;
}

/** The bytes of Base64; null if it is none. */
function decode(text: string): Uint8Array<ArrayBuffer> | null {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(text) || text.length % 4 !== 0) return null;
  return Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
}
