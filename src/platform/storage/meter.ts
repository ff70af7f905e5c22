import { createHash } from 'node:crypto';
import { Transform, type TransformCallback } from 'node:stream';
import type { StoredObject } from './object-store.js';

/** Passes bytes through unchanged while counting and hashing (SHA-256) them. */
export class Meter extends Transform {
  private readonly hash = createHash('sha256');
  /** Not named `size`, which consumers of a stream may mistake for its total length. */
  private passed = 0;

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.hash.update(chunk);
    this.passed += chunk.length;
    done(null, chunk);
  }

  /** Call once, after the last byte. */
  result(): StoredObject {
    return { size: this.passed, sha256: this.hash.digest('hex') };
  }
}
