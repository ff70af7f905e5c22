import { ServiceError } from '../../platform/errors/service-error.js';
import { newId } from '../../platform/ids.js';
import { HEAD_SIZE } from '../../lib/file-types/text-type.js';
import { objectsOf } from '../media/public/media-keys.js';
import type { Upload } from './entities/upload.entity.js';
import { detectUploadType, type UploadStores } from './upload-type.js';

/** Bytes stored and acknowledged together: the most that a crash can lose, and the memory that one upload takes. */
const PART_SIZE = 8 * 1024 * 1024;
/** Bytes that arrive slowly, such as those of a running meeting, are stored after this long at the latest. */
const PART_AFTER_MS = 5_000;

export interface UploadWriterOptions {
  /** Number of bytes expected, if known. */
  readonly length?: number;
  /** Number of bytes of the whole upload, if known, which may have been begun without. */
  readonly total?: number | undefined;
  /** An upload without new bytes is closed after this long. */
  readonly idleMs: number;
}

/**
 * Writes the bytes of one request into an upload, part by part. A part is committed once it is durable in the object
 * store and then recorded in the database.
 */
export class UploadWriter {
  private readonly buffer: Buffer;
  private filled = 0;
  private storedAt = performance.now();
  private readonly storeAfterMs: number;
  private readonly total: number | undefined;
  private mediaType: string | null;

  constructor(
    private upload: Upload,
    private readonly stores: UploadStores,
    { length = PART_SIZE, total, idleMs }: UploadWriterOptions,
  ) {
    this.total = total;
    this.mediaType = upload.mediaType;
    // Often enough that a slow upload is not closed as idle.
    this.storeAfterMs = Math.min(PART_AFTER_MS, idleMs / 4);
    this.buffer = Buffer.allocUnsafeSlow(Math.max(1, Math.min(PART_SIZE, length)));
  }

  async add(chunk: Uint8Array): Promise<void> {
    for (let taken = 0; taken < chunk.length;) {
      const room = Math.min(this.buffer.length - this.filled, chunk.length - taken);
      this.buffer.set(chunk.subarray(taken, taken + room), this.filled);
      this.filled += room;
      taken += room;
      if (this.filled === this.buffer.length) await this.flush();
      // At once: what is no media is refused before the rest of it is sent.
      else if (this.upload.received + this.filled >= HEAD_SIZE) await this.detectType();
    }
    if (performance.now() - this.storedAt > this.storeAfterMs) await this.flush();
  }

  /** Commits what has been added. Returns the resulting upload. */
  async flush(): Promise<Upload> {
    this.storedAt = performance.now();
    if (this.filled === 0) return this.upload;
    const { uploads, objects } = this.stores;
    const bytes = this.buffer.subarray(0, this.filled);
    const mediaType = await this.detectType();
    const { recordingId, received: start } = this.upload;
    // Never reused; the bytes are durable once it has been put.
    const key = `${objectsOf(recordingId)}parts/${newId()}`;
    const { size } = await objects.put(key, bytes);
    // Media of an unknown type is looked at as a whole first.
    const isLast = start + size === this.total && mediaType !== null;
    try {
      this.upload = await uploads.append(this.upload, { start, size, key }, mediaType, isLast);
    } catch (error) {
      // Definitely refused. After any other error the part may have been committed, so it stays.
      if (error instanceof ServiceError) await objects.delete([key]);
      throw error;
    }
    this.filled = 0;
    return this.upload;
  }

  /** From what has arrived so far; null if that is too little. */
  private async detectType(): Promise<string | null> {
    const bytes = this.buffer.subarray(0, this.filled);
    this.mediaType ??= await detectUploadType(this.stores, this.upload, bytes);
    return this.mediaType;
  }
}
