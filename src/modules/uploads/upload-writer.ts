import { DomainError } from '../../contract/domain-error.js';
import { ServiceError } from '../../platform/errors/service-error.js';
import type { Checksum } from './checksum.js';
import type { Upload } from './entities/upload.entity.js';
import type { UploadMergingService } from './upload-merging.service.js';
import { PART_SIZE, type UploadPartsService } from './upload-parts.service.js';
import type { NewPart, UploadsService } from './uploads.service.js';
import { HEAD_SIZE } from '../../platform/file-types/file-type.js';
import type { UploadSnifferService } from './upload-sniffer.service.js';

/** Bytes that arrive slowly, such as those of a running meeting, are stored after this long at the latest. */
const PART_AFTER_MS = 5_000;

export interface UploadWriterOptions {
  /** Number of bytes expected, if known. */
  readonly length?: number;
  /** Nothing is committed until everything has arrived and matches. */
  readonly checksum?: Checksum;
  /** An upload without new bytes is closed after this long. */
  readonly idleMs?: number;
}

interface UploadWriterServices {
  readonly uploads: UploadsService;
  readonly parts: UploadPartsService;
  readonly sniffer: UploadSnifferService;
  readonly merging: UploadMergingService;
}

/**
 * Writes the bytes of one request into an upload, part by part. A part is committed once it is durable in the object store
 * and then recorded in the database.
 */
export class UploadWriter {
  private readonly buffer: Buffer;
  private filled = 0;
  private offset: number;
  private storedAt = performance.now();
  private readonly storeAfterMs: number;
  /** Stored but not yet committed. */
  private stored: NewPart[] = [];
  /** The first bytes, as many as type detection needs. */
  private head = Buffer.alloc(0);

  constructor(
    private upload: Upload,
    private readonly services: UploadWriterServices,
    private readonly options: UploadWriterOptions,
  ) {
    this.offset = upload.received;
    // Often enough that a slow upload is not closed as idle.
    this.storeAfterMs = Math.min(PART_AFTER_MS, (options.idleMs ?? Infinity) / 4);
    this.buffer = Buffer.allocUnsafeSlow(Math.max(1, Math.min(PART_SIZE, options.length ?? PART_SIZE)));
  }

  async add(chunk: Uint8Array): Promise<void> {
    this.options.checksum?.update(chunk);
    for (let taken = 0; taken < chunk.length;) {
      const room = Math.min(this.buffer.length - this.filled, chunk.length - taken);
      this.buffer.set(chunk.subarray(taken, taken + room), this.filled);
      this.filled += room;
      taken += room;
      if (this.filled === this.buffer.length) await this.flush();
    }
    if (performance.now() - this.storedAt > this.storeAfterMs) await this.flush();
  }

  /** To be called after the last byte. Returns the resulting upload. */
  async finish(): Promise<Upload> {
    await this.store();
    if (this.options.checksum && !this.options.checksum.matches()) throw new DomainError('CHECKSUM_MISMATCH');
    await this.commit();
    return this.upload;
  }

  /** To be called when the connection breaks: keeps what has arrived, unless a checksum was to verify it. */
  async breakOff(): Promise<void> {
    if (!this.options.checksum) await this.flush();
  }

  /** Removes what has not been committed. */
  async discard(): Promise<void> {
    await this.services.parts.drop(this.stored);
  }

  private async flush(): Promise<void> {
    await this.store();
    if (!this.options.checksum) await this.commit();
  }

  private async store(): Promise<void> {
    this.storedAt = performance.now();
    if (this.filled === 0) return;
    const bytes = this.buffer.subarray(0, this.filled);
    if (this.head.length < HEAD_SIZE) this.head = Buffer.concat([this.head, bytes.subarray(0, HEAD_SIZE)]);
    this.stored.push(await this.services.parts.store(this.upload.recordingId, this.offset, bytes));
    this.offset += this.filled;
    this.filled = 0;
  }

  private async commit(): Promise<void> {
    if (this.stored.length === 0) return;
    const { uploads, parts, sniffer, merging } = this.services;
    const mediaType = this.upload.mediaType ?? (await sniffer.sniff(this.upload, this.head, this.offset));
    const committed = this.stored;
    this.stored = [];
    try {
      this.upload = await uploads.append(this.upload, committed, mediaType);
    } catch (error) {
      // Definitely refused. After any other error the parts may have been committed, so they stay.
      if (error instanceof ServiceError) await parts.drop(committed);
      throw error;
    }
    this.head = Buffer.alloc(0);
    if (committed.some(({ size }) => size < PART_SIZE)) await merging.enqueueIfDue(this.upload);
  }
}
