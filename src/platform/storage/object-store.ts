import type { Readable } from 'node:stream';

export interface StoredObject {
  /** Bytes. */
  readonly size: number;
  /** Lower-case hexadecimal. */
  readonly sha256: string;
}

export interface ObjectInfo {
  readonly key: string;
  /** Bytes. */
  readonly size: number;
  /** When it was stored; what `stat` tells may be cut to the second. */
  readonly modifiedAt: Date;
}

/** How an object is to come out over HTTP. */
export interface Delivery {
  readonly type: string;
  readonly disposition: 'inline' | 'attachment';
  readonly fileName: string;
  readonly expiresAt: Date;
}

/** Where HTTP gets an object: the service sends a local file itself; an address needs no permission but itself. */
export type ObjectLocation = { readonly file: string } | { readonly url: string };

/** Bytes from `start` to `end`, both included; `end` omitted: to the last one. Beyond the last one there are none. */
export interface ByteRange {
  readonly start: number;
  readonly end?: number;
}

/** What `get` throws for a key that has no object. */
export class ObjectMissingError extends Error {
  constructor(readonly key: string) {
    super(`No object ${key}`);
    this.name = 'ObjectMissingError';
  }
}

/**
 * Where files are kept. Keys are relative paths of lower-case letters, digits and `-_./`, made by the service itself
 * (`object-key.ts`); none is a folder of another. A store that cannot be used now is a `SERVICE_UNAVAILABLE`. Abstract class, so that it is its own injection token. Adapters: `disk.object-store.ts`, `s3.object-store.ts`; both
 * pass `test/integration/object-store.spec.ts`.
 */
export abstract class ObjectStore {
  /** Stores a whole object, durable and complete when it returns; an object of that key is replaced at once. */
  abstract put(key: string, content: Readable | Uint8Array): Promise<StoredObject>;

  /** The same with a local file, which stays where it is and is not changed afterwards. */
  abstract putFile(key: string, path: string): Promise<void>;

  /**
   * The bytes of an object or of a part of it, to be read or destroyed; `ObjectMissingError` when there is none. Fails
   * rather than end early.
   */
  abstract get(key: string, range?: ByteRange): Promise<Readable>;

  /** Null when there is no such object. */
  abstract stat(key: string): Promise<ObjectInfo | null>;

  /** Every object whose key starts with `prefix`, in any order; what has no key of ours is not shown. */
  abstract list(prefix: string): AsyncIterable<ObjectInfo>;

  /** Removes objects; those that are not there are no error. */
  abstract delete(keys: readonly string[]): Promise<void>;

  /** Where HTTP gets it. The object is not looked up; `delivery` is asked where the address has to say it. */
  abstract locate(key: string, delivery: () => Delivery): Promise<ObjectLocation>;

  /** Whether the store can be written to now; the reason as an error otherwise. */
  abstract check(): Promise<void>;
}
