import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';
import { Transform, type TransformCallback } from 'node:stream';
import { decrypt, ENCRYPTION_BYTES, encrypt } from '../sealing/authenticated-encryption.js';
import type { ByteRange } from './object-store.js';

/** Bytes of a stored chunk. What the disk reads at once is a multiple, so that no chunk is put together from parts. */
const STORED = 64 * 1024;
const CHUNK = STORED - ENCRYPTION_BYTES;

/** An object that is not as it was stored. */
export class DamagedObjectError extends Error {
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

  encrypting(): Transform {
    return new Chunks(CHUNK, 0, (chunk, number) => encrypt(this.key, chunk, placeOf(number)));
  }

  /** The range of stored bytes to read for one of the object. */
  storedRange({ start, end }: ByteRange): ByteRange {
    const first = chunkOf(start) * STORED;
    return end === undefined ? { start: first } : { start: first, end: (chunkOf(end) + 1) * STORED - 1 };
  }

  /** Decrypts what `storedRange` names, to the bytes of the range. */
  decrypting({ start, end = Infinity }: ByteRange): Transform {
    const first = chunkOf(start);
    return new Chunks(STORED, first, (stored, number) => {
      if (stored.length === 0 && (number > chunkOf(end) || (number === first && first > 0))) return stored;
      const at = number * CHUNK;
      return this.decryptChunk(stored, number).subarray(Math.max(0, start - at), end - at + 1);
    });
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

type Work = (chunk: Buffer, number: number) => Buffer;

/** Works on the bytes that pass in chunks of one size, and on what is left at the end, possibly nothing. */
class Chunks extends Transform {
  private parts: Buffer[] = [];
  private missing: number;

  constructor(
    private readonly size: number,
    private number: number,
    private readonly work: Work,
  ) {
    super({ highWaterMark: 2 * STORED });
    this.missing = size;
  }

  override _transform(bytes: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    for (let at = 0; at < bytes.length; ) {
      const part = bytes.subarray(at, at + this.missing);
      this.parts.push(part);
      this.missing -= part.length;
      at += part.length;
      if (this.missing === 0 && !this.pass(done)) return;
    }
    done();
  }

  override _flush(done: TransformCallback): void {
    if (this.pass(done)) done();
  }

  private pass(failed: TransformCallback): boolean {
    const [only = Buffer.alloc(0), ...others] = this.parts;
    try {
      this.push(this.work(others.length > 0 ? Buffer.concat(this.parts) : only, this.number));
    } catch (error) {
      failed(error as Error);
      return false;
    }
    this.parts = [];
    this.missing = this.size;
    this.number += 1;
    return true;
  }
}
