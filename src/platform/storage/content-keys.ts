import type { KeyObject } from 'node:crypto';

/** Where `EncryptedObjectStore` gets its keys. An abstract class, so that it can serve as the injection token. */
export abstract class ContentKeys {
  /** The secret of 256 bits to encrypt an object with; `plain` if it is not encrypted, null if the secret was deleted. */
  abstract find(objectKey: string): Promise<KeyObject | 'plain' | null>;
}
