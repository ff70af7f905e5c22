import { createHash } from 'node:crypto';
import { Transform, type TransformCallback } from 'node:stream';
import type { StoredObject } from './object-store.js';

/** Passes bytes on unchanged, and knows afterwards how many they were and their SHA-256. */
export class Meter extends Transform {
  private readonly hash = createHash('sha256');
  /** Not `size`: whoever reads a stream may take that for how much is to come. */
  private passed = 0;

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.hash.update(chunk);
    this.passed += chunk.length;
    done(null, chunk);
  }

  /** Once, when all has passed. */
  result(): StoredObject {
    return { size: this.passed, sha256: this.hash.digest('hex') };
  }
}
