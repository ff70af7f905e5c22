import type { Readable } from 'node:stream';

export interface StoredObject {
  /** Bytes. */
  readonly size: number;
  /** Lower-case hexadecimal. */
  readonly sha256: string;
}

/**
 * Where files are kept. Keys are relative paths of lower-case letters, digits and `-_./`, made by the service itself.
 * Abstract class, so that it is its own injection token; `disk.object-store.ts` is the adapter for a folder.
 */
export abstract class ObjectStore {
  /** Stores a whole object, durable and complete when it returns; an object of that key is replaced at once. */
  abstract put(key: string, content: Readable): Promise<StoredObject>;

  /** Removes an object; one that is not there is no error. */
  abstract delete(key: string): Promise<void>;

  /** Whether the store can be written to now; the reason as an error otherwise. */
  abstract check(): Promise<void>;
}
