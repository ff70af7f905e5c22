import { createHmac, createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';
import { decrypt, encrypt } from '../sealing/authenticated-encryption.js';

/** What makes two requests the same. */
export interface RequestIdentity {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  /** The `If-Match` header. */
  readonly precondition: string | undefined;
  /** Parsed JSON; undefined without a body. */
  readonly body: unknown;
}

const KEY_BYTES = 32;

/**
 * Keys derived from an API key or the token of a session, which the database does not contain. Without that secret, nobody can read
 * what is stored about a request, nor guess it: the plain hash of a body could be compared with those of likely
 * passwords.
 */
export class CallerSecrets {
  private readonly keys: Readonly<Record<'key' | 'request' | 'reply', KeyObject>>;

  constructor(credential: string) {
    const info = 'meeting-recording-service idempotency';
    const bytes = Buffer.from(hkdfSync('sha256', credential, '', info, 3 * KEY_BYTES));
    const keyAt = (nth: number) => createSecretKey(bytes.subarray(nth * KEY_BYTES, (nth + 1) * KEY_BYTES));
    this.keys = { key: keyAt(0), request: keyAt(1), reply: keyAt(2) };
  }

  /** Under which the request is stored: different for each API key and session. */
  idOf(idempotencyKey: string): Buffer {
    return createHmac('sha256', this.keys.key).update(idempotencyKey).digest();
  }

  /** The same for bodies that differ only in white space, escapes or the order of members. */
  fingerprint({ method, url, precondition, body }: RequestIdentity): Buffer {
    const text = JSON.stringify([method, url, precondition ?? null, body ?? null], inOrder);
    return createHmac('sha256', this.keys.request).update(text).digest();
  }

  encryptReply(reply: Buffer, id: Buffer): Buffer {
    return encrypt(this.keys.reply, reply, id);
  }

  decryptReply(encrypted: Buffer, id: Buffer): Buffer {
    return decrypt(this.keys.reply, encrypted, id);
  }
}

/** Sorts the members of objects; bodies are limited in depth and number of values. */
function inOrder(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
