import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';
import { Transform, type TransformCallback } from 'node:stream';
import { decrypt, ENCRYPTION_BYTES, encrypt } from '../sealing/authenticated-encryption.js';
import type { ByteRange } from './object-store.js';

const CHUNK = 65_536;
/** Bytes of a stored chunk. */
const STORED = CHUNK + ENCRYPTION_BYTES;

/** An object that is not as it was stored. */
export class DamagedObjectError extends Error {
  constructor(objectKey: string, chunk: number, cause: unknown) {
    super(`${objectKey}: chunk ${chunk} was changed, cut off, or encrypted with another key`, { cause });
    this.name = 'DamagedObjectError';
  }
}

/** The bytes of an object, from those that are stored. */
export const plainSize = (stored: number): number =>
  Math.max(0, stored - ENCRYPTION_BYTES * Math.ceil(stored / STORED));

/**
 * The encryption of an object: chunks of 64 KiB, each with AES-256-GCM, a nonce of its own, and its number, so that any
 * can be read alone, and none is taken for another. The last one, never empty unless the object is, is marked.
 */
export class ObjectCipher {
  private readonly key: KeyObject;

  /** `secret`: of several objects; each has a key derived from it, so that none is taken for another. */
  constructor(
    secret: KeyObject,
    private readonly objectKey: string,
  ) {
    this.key = createSecretKey(Buffer.from(hkdfSync('sha256', secret, '', `media ${objectKey}`, 32)));
  }

  encryptAll(content: Uint8Array): Buffer {
    const chunks: Buffer[] = [];
    for (let at = 0; at === 0 || at < content.length; at += CHUNK)
      chunks.push(
        this.encryptChunk(content.subarray(at, at + CHUNK), chunks.length, at + CHUNK >= content.length),
      );
    return Buffer.concat(chunks);
  }

  encrypting(): Transform {
    return new Chunks(CHUNK, 0, (chunk, number, isLast) => this.encryptChunk(chunk, number, isLast));
  }

  /** The range of stored bytes to read for one of the object. */
  storedRange({ start, end }: ByteRange): ByteRange {
    const first = chunkOf(start) * STORED;
    // With a byte of the next chunk, which says that there is one.
    return end === undefined ? { start: first } : { start: first, end: (chunkOf(end) + 1) * STORED };
  }

  /** Decrypts what `storedRange` names, to the bytes of the range. */
  decrypting({ start, end = Infinity }: ByteRange): Transform {
    const first = chunkOf(start);
    const last = chunkOf(end);
    return new Chunks(STORED, first, (stored, number, isLast) => {
      // The byte of the next chunk, or a range beyond the end.
      if (number > last || (stored.length === 0 && first > 0)) return null;
      const chunk = this.decryptChunk(stored, number, isLast);
      const at = number * CHUNK;
      return chunk.subarray(Math.max(0, start - at), end - at + 1);
    });
  }

  private encryptChunk(chunk: Uint8Array, number: number, isLast: boolean): Buffer {
    return encrypt(this.key, chunk, placeOf(number, isLast));
  }

  private decryptChunk(stored: Buffer, number: number, isLast: boolean): Buffer {
    try {
      return decrypt(this.key, stored, placeOf(number, isLast));
    } catch (error) {
      throw new DamagedObjectError(this.objectKey, number, error);
    }
  }
}

const chunkOf = (at: number): number => Math.floor(at / CHUNK);
const placeOf = (number: number, isLast: boolean): Buffer => Buffer.from(`${number}${isLast ? ' last' : ''}`);

type Work = (chunk: Buffer, number: number, isLast: boolean) => Buffer | null;

/** Works on the bytes that pass in chunks of one size; the last one may be shorter. */
class Chunks extends Transform {
  private rest: Buffer = Buffer.alloc(0);

  constructor(
    private readonly size: number,
    private number: number,
    private readonly work: Work,
  ) {
    super();
  }

  override _transform(bytes: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    // Copies only the chunk that began in earlier bytes.
    let at = this.rest.length > 0 ? Math.min(bytes.length, this.size - this.rest.length) : 0;
    if (at > 0) this.rest = Buffer.concat([this.rest, bytes.subarray(0, at)]);
    // Until there is more, any may be the last.
    for (; at < bytes.length; at += this.rest.length) {
      if (this.rest.length > 0 && !this.pass(this.rest, false, done)) return;
      this.rest = bytes.subarray(at, at + this.size);
    }
    done();
  }

  override _flush(done: TransformCallback): void {
    if (this.pass(this.rest, true, done)) done();
  }

  private pass(chunk: Buffer, isLast: boolean, failed: TransformCallback): boolean {
    try {
      const bytes = this.work(chunk, this.number, isLast);
      this.number += 1;
      if (bytes !== null && bytes.length > 0) this.push(bytes);
      return true;
    } catch (error) {
      failed(error as Error);
      return false;
    }
  }
}
