import { generateKeySync } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { PassThrough, pipeline, Readable } from 'node:stream';
import type { ContentKeys } from './content-keys.js';
import { ObjectCipher, plainSize } from './encrypted-chunks.js';
import {
  Meter,
  ObjectMissingError,
  ObjectStore,
  type ByteRange,
  type Delivery,
  type ListedObject,
  type ObjectInfo,
  type ObjectLocation,
  type PresignedPut,
  type StoredObject,
} from './object-store.js';

/** Encrypts the objects that have a key in another store. Sizes and hashes are those of the plain content. */
export class EncryptedObjectStore extends ObjectStore {
  constructor(
    private readonly stored: ObjectStore,
    private readonly keys: ContentKeys,
  ) {
    super();
  }

  async put(key: string, content: Readable | Uint8Array): Promise<StoredObject> {
    const source = content instanceof Readable ? content : Readable.from([content]);
    // It may fail while the key is looked up; its reader then gets the error.
    source.on('error', () => undefined);
    const found = await this.keys.find(key).catch((error: unknown) => {
      source.destroy();
      throw error;
    });
    if (found === 'plain') return this.stored.put(key, content);
    // Work on a deleted recording stops a little later. Nobody can read what it stores until then: this key is not kept.
    const cipher = new ObjectCipher(found ?? generateKeySync('aes', { length: 256 }), key);
    const meter = new Meter();
    const encrypted = pipeline(
      source,
      meter,
      (plain: AsyncIterable<Buffer>) => cipher.encrypt(plain),
      new PassThrough(),
      () => undefined,
    );
    await this.stored.put(key, encrypted);
    return meter.result();
  }

  async putFile(key: string, path: string): Promise<void> {
    if ((await this.keys.find(key)) === 'plain') await this.stored.putFile(key, path);
    else await this.put(key, createReadStream(path));
  }

  async get(key: string, range: ByteRange = { start: 0 }): Promise<Readable> {
    const found = await this.keys.find(key);
    if (found === null) throw new ObjectMissingError(key);
    if (found === 'plain') return this.stored.get(key, range);
    const cipher = new ObjectCipher(found, key);
    const content = await this.stored.get(key, cipher.storedRange(range));
    return pipeline(
      content,
      (stored: AsyncIterable<Buffer>) => cipher.decrypt(stored, range),
      new PassThrough(),
      () => undefined,
    );
  }

  async stat(key: string): Promise<ObjectInfo | null> {
    const found = await this.keys.find(key);
    const info = found && (await this.stored.stat(key));
    return info && found !== 'plain' ? { ...info, size: plainSize(info.size) } : info;
  }

  list(prefix: string): AsyncIterable<ListedObject> {
    return this.stored.list(prefix);
  }

  delete(keys: readonly string[]): Promise<void> {
    return this.stored.delete(keys);
  }

  async locate(key: string, delivery: () => Delivery): Promise<ObjectLocation | null> {
    return (await this.keys.find(key)) === 'plain' ? this.stored.locate(key, delivery) : null;
  }

  async presign(key: string, content: StoredObject, expiresAt: Date): Promise<PresignedPut | null> {
    return (await this.keys.find(key)) === 'plain' ? this.stored.presign(key, content, expiresAt) : null;
  }

  check(): Promise<void> {
    return this.stored.check();
  }
}
