import type { KeyObject } from 'node:crypto';

/** A secret of 256 bits for all objects of a recording; `plain` if they are not encrypted, `gone` once it is deleted. */
export type ContentKey = KeyObject | 'plain' | 'gone';

/** Where `EncryptedObjectStore` gets its keys. An abstract class, so that it can serve as the injection token. */
export abstract class ContentKeys {
  /** Whether anything is encrypted at all. */
  abstract readonly areUsed: boolean;

  /** What encrypts the object with this key. */
  abstract find(objectKey: string): Promise<ContentKey>;
}
