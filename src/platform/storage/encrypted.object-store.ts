import { createHash, generateKeySync } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline, Readable } from 'node:stream';
import type { ContentKeys } from './content-keys.js';
import { ObjectCipher, plainSize } from './encrypted-chunks.js';
import {
  Meter,
  ObjectMissingError,
  ObjectStore,
  type ByteRange,
  type Delivery,
  type ObjectInfo,
  type ObjectLocation,
  type StoredObject,
} from './object-store.js';

const WHOLE: ByteRange = { start: 0 };

/** Keeps objects encrypted in another store, those that have a key. Sizes and hashes are of what was given. */
export class EncryptedObjectStore extends ObjectStore {
  constructor(
    private readonly stored: ObjectStore,
    private readonly keys: ContentKeys,
  ) {
    super();
  }

  async put(key: string, content: Readable | Uint8Array): Promise<StoredObject> {
    // It may fail while the key is looked up; whoever reads it then gets the error.
    if (content instanceof Readable) content.on('error', () => undefined);
    const cipher = await this.cipherToWrite(key).catch((error: unknown) => {
      if (content instanceof Readable) content.destroy();
      throw error;
    });
    if (cipher === null) return this.stored.put(key, content);
    if (content instanceof Uint8Array) {
      await this.stored.put(key, cipher.encryptAll(content));
      return { size: content.byteLength, sha256: createHash('sha256').update(content).digest('hex') };
    }
    const meter = new Meter();
    await this.stored.put(
      key,
      pipeline(content, meter, cipher.encrypting(), () => undefined),
    );
    return meter.result();
  }

  async putFile(key: string, path: string): Promise<void> {
    if ((await this.keys.find(key)) === 'plain') await this.stored.putFile(key, path);
    else await this.put(key, createReadStream(path));
  }

  async get(key: string, range?: ByteRange): Promise<Readable> {
    const found = await this.keys.find(key);
    if (found === 'gone') throw new ObjectMissingError(key);
    if (found === 'plain') return this.stored.get(key, range);
    const cipher = new ObjectCipher(found, key);
    const wanted = range ?? WHOLE;
    const content = await this.stored.get(key, cipher.storedRange(wanted));
    return pipeline(content, cipher.decrypting(wanted), () => undefined);
  }

  async stat(key: string): Promise<ObjectInfo | null> {
    const found = await this.keys.find(key);
    const info = found === 'gone' ? null : await this.stored.stat(key);
    return info && found !== 'plain' ? { ...info, size: plainSize(info.size) } : info;
  }

  async *list(prefix: string): AsyncGenerator<ObjectInfo> {
    for await (const info of this.stored.list(prefix)) {
      const isPlain = (await this.keys.find(info.key)) === 'plain';
      yield isPlain ? info : { ...info, size: plainSize(info.size) };
    }
  }

  delete(keys: readonly string[]): Promise<void> {
    return this.stored.delete(keys);
  }

  async locate(key: string, delivery: () => Delivery): Promise<ObjectLocation | null> {
    return (await this.keys.find(key)) === 'plain' ? this.stored.locate(key, delivery) : null;
  }

  check(): Promise<void> {
    return this.stored.check();
  }

  private async cipherToWrite(key: string): Promise<ObjectCipher | null> {
    const found = await this.keys.find(key);
    if (found === 'plain') return null;
    // Whoever still works on a deleted recording notices later, and nobody reads it: not even its key is kept.
    return new ObjectCipher(found === 'gone' ? generateKeySync('aes', { length: 256 }) : found, key);
  }
}
