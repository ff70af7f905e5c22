import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';
import { decrypt, ENCRYPTION_BYTES, encrypt } from '../sealing/authenticated-encryption.js';
import type { ByteRange } from './object-store.js';

/** Bytes of a stored chunk. What the disk reads at once is a multiple, so that no chunk is put together from parts. */
const STORED = 64 * 1024;
const CHUNK = STORED - ENCRYPTION_BYTES;

/** An object that is not as it was stored. */
class DamagedObjectError extends Error {
  constructor(objectKey: string, chunk: number, cause?: unknown) {
    super(`${objectKey}: chunk ${chunk} was changed, cut off, or encrypted with another key`, { cause });
    this.name = 'DamagedObjectError';
  }
}

/** The bytes of an object, from those that are stored. */
export const plainSize = (stored: number): number =>
  Math.max(0, stored - ENCRYPTION_BYTES * (Math.floor(stored / STORED) + 1));

/**
 * The encryption of an object: chunks with AES-256-GCM, each with a nonce of its own and bound to its number, so that any
 * can be read alone, and none passes for another. The last one is shorter than the others, possibly empty: an object that
 * ends without it was cut off.
 */
export class ObjectCipher {
  private readonly key: KeyObject;

  /** `secret`: of several objects; each gets a key derived from it, so that none passes for another. */
  constructor(
    secret: KeyObject,
    private readonly objectKey: string,
  ) {
    this.key = createSecretKey(Buffer.from(hkdfSync('sha256', secret, '', `media ${objectKey}`, 32)));
  }

  async *encrypt(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    let number = 0;
    for await (const chunk of chunksOf(source, CHUNK)) {
      yield encrypt(this.key, chunk, placeOf(number));
      number += 1;
    }
  }

  /** The range of stored bytes to read for one of the object. */
  storedRange({ start, end }: ByteRange): ByteRange {
    const first = chunkOf(start) * STORED;
    return end === undefined ? { start: first } : { start: first, end: (chunkOf(end) + 1) * STORED - 1 };
  }

  /** Decrypts what `storedRange` names, to the bytes of the range. Throws a `DamagedObjectError`. */
  async *decrypt(
    source: AsyncIterable<Buffer>,
    { start, end = Infinity }: ByteRange,
  ): AsyncGenerator<Buffer> {
    const first = chunkOf(start);
    let number = first;
    for await (const stored of chunksOf(source, STORED)) {
      // Behind the range, or, if the range is, behind the end of the object.
      const isBehind = number > chunkOf(end) || (number === first && first > 0);
      if (stored.length === 0 && isBehind) return;
      const at = number * CHUNK;
      const chunk = this.decryptChunk(stored, number).subarray(Math.max(0, start - at), end - at + 1);
      if (chunk.length > 0) yield chunk;
      number += 1;
    }
  }

  private decryptChunk(stored: Buffer, number: number): Buffer {
    try {
      return decrypt(this.key, stored, placeOf(number));
    } catch (error) {
      throw new DamagedObjectError(this.objectKey, number, error);
    }
  }
}

const chunkOf = (at: number): number => Math.floor(at / CHUNK);
const placeOf = (number: number): Buffer => Buffer.from(String(number));

/** Cuts what passes into chunks of `size` bytes and a shorter last one, possibly empty. */
async function* chunksOf(source: AsyncIterable<Buffer>, size: number): AsyncGenerator<Buffer> {
  let parts: Buffer[] = [];
  let missing = size;
  for await (const bytes of source) {
    for (let at = 0; at < bytes.length;) {
      const part = bytes.subarray(at, at + missing);
      parts.push(part);
      at += part.length;
      missing -= part.length;
      if (missing > 0) continue;
      yield joined(parts);
      parts = [];
      missing = size;
    }
  }
  yield joined(parts);
}

/** Copies only if it must. */
const joined = (parts: readonly Buffer[]): Buffer =>
  parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts);
