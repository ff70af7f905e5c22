import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';
import type { Keys } from '../secrets/keys.js';
import { decrypt, encrypt } from './authenticated-encryption.js';

const KEY_BYTES = 32;

/** A text encrypted with AES-256-GCM, and the id of the key. */
export interface Sealed {
  readonly keyId: string;
  /** What `encrypt` returns. */
  readonly sealed: Buffer;
}

/** A sealed text that cannot be read: no key for it, or it was changed or moved. */
export class SealError extends Error {}

/** Encrypts short secrets for the database, so that its contents alone do not reveal them. */
export class Sealer {
  /** Keys by id; the current one first. */
  private readonly derived: ReadonlyMap<string, KeyObject>;
  /** The id of the key that `seal` uses. */
  readonly keyId: string;

  constructor(private readonly keys: Keys) {
    // Settings are texts of any length; the id says nothing about the key.
    this.derived = new Map(
      keys.map((key) => [
        expand(key, 'key id', 8).toString('hex'),
        createSecretKey(expand(key, 'key', KEY_BYTES)),
      ]),
    );
    [this.keyId = ''] = this.derived.keys();
  }

  /** The ids of all keys that `unseal` can use. */
  get keyIds(): readonly string[] {
    return [...this.derived.keys()];
  }

  /** `context`: what the text belongs to; it can be unsealed only for the same context. */
  seal(text: string, context: string): Sealed {
    const { keyId } = this;
    return { keyId, sealed: encrypt(this.keyOf(keyId, context), Buffer.from(text), Buffer.from(context)) };
  }

  /** Throws a `SealError` if it cannot be read. */
  unseal({ keyId, sealed }: Sealed, context: string): string {
    const key = this.keyOf(keyId, context);
    try {
      return decrypt(key, sealed, Buffer.from(context)).toString('utf8');
    } catch (cause) {
      throw new SealError(
        `${context} was changed in the database: what is sealed there does not belong there`,
        { cause },
      );
    }
  }

  /** Secrets of 256 bits for another purpose, which say nothing about the keys; that of the current key first. */
  derive(purpose: string): readonly [Buffer, ...Buffer[]] {
    const [current, ...previous] = this.keys;
    const secretOf = (key: string): Buffer => expand(key, purpose, KEY_BYTES);
    return [secretOf(current), ...previous.map(secretOf)];
  }

  private keyOf(keyId: string, context: string): KeyObject {
    const key = this.derived.get(keyId);
    if (key) return key;
    throw new SealError(`${context} was sealed with the key ${keyId}, which this process does not have`);
  }
}

const expand = (secret: string, purpose: string, bytes: number): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, '', `meeting-recording-service sealing ${purpose}`, bytes));
