import { DomainError } from '../../contract/domain-error.js';
import { ServiceError } from '../../platform/errors/service-error.js';
import type { Checksum } from './checksum.js';
import type { Upload } from './entities/upload.entity.js';
import type { UploadPartsService } from './upload-parts.service.js';
import type { NewPart, UploadsService } from './uploads.service.js';
import { HEAD_SIZE, type UploadSnifferService } from './upload-sniffer.service.js';

/** Bytes that are stored and acknowledged together: what a crash may cost, and what one upload takes of memory. */
const PART_SIZE = 8 * 1024 * 1024;
/** What comes in slowly, from a meeting that runs, is stored after so long in any case. */
const PART_AFTER_MS = 5_000;

export interface UploadWriterOptions {
  /** Bytes that are to come, where that is known. */
  readonly length?: number;
  /** Nothing counts before all of it is here and matches. */
  readonly checksum?: Checksum;
  /** An upload without new bytes is closed after so long. */
  readonly idleMs?: number;
}

interface UploadWriterServices {
  readonly uploads: UploadsService;
  readonly parts: UploadPartsService;
  readonly sniffer: UploadSnifferService;
}

/**
 * The bytes of one request on their way into an upload, part by part. A part counts once it is durable in the object
 * store and then in the database.
 */
export class UploadWriter {
  private readonly buffer: Buffer;
  private filled = 0;
  private offset: number;
  private storedAt = performance.now();
  private readonly storeAfterMs: number;
  /** Stored, but not counting yet. */
  private stored: NewPart[] = [];
  /** The first bytes, as many as are needed to tell what they are. */
  private head = Buffer.alloc(0);

  constructor(
    private upload: Upload,
    private readonly services: UploadWriterServices,
    private readonly options: UploadWriterOptions,
  ) {
    this.offset = upload.received;
    // In time for it to be seen that the upload goes on.
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
      if (this.filled === this.buffer.length) await this.pass();
    }
    if (performance.now() - this.storedAt > this.storeAfterMs) await this.pass();
  }

  /** All bytes are here. Returns the upload as it is now. */
  async finish(): Promise<Upload> {
    await this.store();
    if (this.options.checksum && !this.options.checksum.matches()) throw new DomainError('CHECKSUM_MISMATCH');
    await this.commit();
    return this.upload;
  }

  /** No more bytes will come: what has arrived is kept, unless a checksum was to prove it. */
  async breakOff(): Promise<void> {
    if (!this.options.checksum) await this.pass();
  }

  /** Removes what does not count. */
  async discard(): Promise<void> {
    await this.services.parts.drop(this.stored);
  }

  private async pass(): Promise<void> {
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
    const { uploads, parts, sniffer } = this.services;
    const mediaType = this.upload.mediaType ?? (await sniffer.sniff(this.upload, this.head, this.offset));
    const counted = this.stored;
    this.stored = [];
    try {
      this.upload = await uploads.append(this.upload, counted, mediaType);
    } catch (error) {
      // Refused for certain. After any other error nobody knows: the parts may count, so they stay.
      if (error instanceof ServiceError) await parts.drop(counted);
      throw error;
    }
    this.head = Buffer.alloc(0);
  }
}
