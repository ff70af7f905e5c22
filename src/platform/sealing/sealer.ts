import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';
import type { OnModuleDestroy } from '@nestjs/common';
import type { KeyRing } from '../keys/key-ring.js';
import { decrypt, encrypt } from './authenticated-encryption.js';

const KEY_BYTES = 32;

/** A text encrypted with AES-256-GCM, and the id of the key. */
export interface Sealed {
  readonly keyId: string;
  /** As returned by `encrypt`. */
  readonly sealed: Buffer;
}

/** A sealed text that cannot be read: no key for it, or it was changed or moved. */
export class SealError extends Error {}

/** Encrypts short secrets for the database, so that its contents alone do not reveal them. */
export class Sealer implements OnModuleDestroy {
  private readonly derived = new Map<string, { readonly id: string; readonly key: KeyObject }>();

  /** `lostKeyIds`: keys whose texts the operator has given up. */
  constructor(
    private readonly keys: KeyRing,
    private readonly lostKeyIds: ReadonlySet<string> = new Set(),
  ) {}

  onModuleDestroy(): void {
    this.keys.close();
  }

  /** Of the key that `seal` uses now. */
  get keyId(): string {
    return this.keyFrom(this.keys.current.secret).id;
  }

  /** Of all keys that `unseal` can use. */
  get keyIds(): readonly string[] {
    return this.keys.all.map(({ secret }) => this.keyFrom(secret).id);
  }

  /** `place`: what the text belongs to; it can be unsealed only for the same place. */
  seal(text: string, place: string): Sealed {
    const { id, key } = this.keyFrom(this.keys.current.secret);
    return { keyId: id, sealed: encrypt(key, Buffer.from(text), Buffer.from(place)) };
  }

  /** Null if its key was given up as lost; throws a `SealError` if it cannot be read for any other reason. */
  unseal({ keyId, sealed }: Sealed, place: string): string | null {
    const key = this.find(keyId);
    if (key === undefined) {
      if (this.lostKeyIds.has(keyId)) return null;
      throw new SealError(`${place} was sealed with the key ${keyId}, which this process does not have`);
    }
    try {
      return decrypt(key, sealed, Buffer.from(place)).toString('utf8');
    } catch (cause) {
      throw new SealError(
        `${place} was changed in the database: what is sealed there does not belong there`,
        {
          cause,
        },
      );
    }
  }

  /** A secret of 256 bits for another purpose, which says nothing about the key; from the key that `seal` uses now. */
  derive(purpose: string): Buffer {
    return expand(this.keys.current.secret, purpose, KEY_BYTES);
  }

  /** As `derive`, from all keys that `unseal` can use. */
  deriveAll(purpose: string): readonly Buffer[] {
    return this.keys.all.map(({ secret }) => expand(secret, purpose, KEY_BYTES));
  }

  private find(keyId: string): KeyObject | undefined {
    for (const { secret } of this.keys.all) {
      const { id, key } = this.keyFrom(secret);
      if (id === keyId) return key;
    }
    return undefined;
  }

  /** Settings are texts of any length; the id says nothing about the key. */
  private keyFrom(secret: string): { readonly id: string; readonly key: KeyObject } {
    const known = this.derived.get(secret);
    if (known) return known;
    const id = expand(secret, 'key id', 8).toString('hex');
    const derived = { id, key: createSecretKey(expand(secret, 'key', KEY_BYTES)) };
    this.derived.set(secret, derived);
    return derived;
  }
}

function expand(secret: string, purpose: string, bytes: number): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', `meeting-recording-service sealing ${purpose}`, bytes));
}
