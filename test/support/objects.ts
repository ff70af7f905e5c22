import { createHash, type KeyObject } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { ContentKeys } from '../../src/platform/storage/content-keys.js';
import type { ByteRange, ObjectStore } from '../../src/platform/storage/object-store.js';

export const sha256 = (content: Uint8Array): string => createHash('sha256').update(content).digest('hex');

/** A stream of text or bytes, in the given pieces. */
export const stream = (...pieces: (string | Uint8Array)[]): Readable =>
  Readable.from(pieces.map((piece) => Buffer.from(piece)));

/** A stream that fails after this many bytes. */
export function brokenStream(bytes: number): Readable {
  return Readable.from(
    (async function* () {
      for (let sent = 0; sent < bytes; sent += 65_536) yield Buffer.alloc(Math.min(65_536, bytes - sent), 1);
      throw new Error('connection lost');
    })(),
  );
}

export async function contentOf(store: ObjectStore, key: string, range?: ByteRange): Promise<Buffer> {
  return buffer(await store.get(key, range));
}

export async function textOf(store: ObjectStore, key: string, range?: ByteRange): Promise<string> {
  return (await contentOf(store, key, range)).toString();
}

export async function keysOf(store: ObjectStore, prefix = ''): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of store.list(prefix)) keys.push(key);
  return keys.toSorted();
}

/** The same key for all objects. */
export class KeysOfTest extends ContentKeys {
  constructor(private readonly key: KeyObject | 'plain' | null) {
    super();
  }

  async find(): Promise<KeyObject | 'plain' | null> {
    return this.key;
  }
}
