import { ServiceError } from '../../platform/errors/service-error.js';
import { newId } from '../../platform/ids.js';
import { HEAD_SIZE } from '../../lib/file-types/text-type.js';
import { partsOf } from '../media/public/media-objects.js';
import { recordingOf, type Upload } from './entities/upload.entity.js';
import { DomainError } from '../../contract/domain-error.js';
import { detectFileType, isMediaType, leadingZeros } from '../../lib/file-types/file-types.js';
import type { DiskSpace } from '../../platform/storage/disk-space.js';
import type { ObjectStore } from '../../platform/storage/object-store.js';
import { METRICS } from '../../platform/telemetry/metrics.js';
import { notMedia } from './upload-refusals.js';
import type { UploadsService } from './uploads.service.js';
import { SECOND_MS } from '../../lib/durations.js';
import { LIMITS } from '../../contract/limits.js';

/** The type of a file with too many leading zeros, whose type is detected by packaging. */
const UNKNOWN = 'application/octet-stream';
const ARCHIVE = 'application/zip';
/** Bytes behind leading zeros that are enough to detect the type of audio. */
const ENOUGH_BEHIND_ZEROS = 64;

/** Where the state of uploads and their bytes are. */
interface UploadStores {
  readonly uploads: UploadsService;
  readonly objects: ObjectStore;
  readonly disk: DiskSpace;
}

interface UploadWriterOptions {
  /** Number of bytes expected, if known. */
  readonly length?: number;
  /** Number of bytes of the whole upload, if known, which may have been begun without. */
  readonly total?: number | undefined;
  /** An upload without new bytes is closed after this long. */
  readonly idleMs: number;
}

/**
 * Writes the bytes of one request, part by part: each is durable in the object store, then recorded in the database.
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
    { length = LIMITS.uploadPart, total, idleMs }: UploadWriterOptions,
  ) {
    this.total = total;
    this.mediaType = upload.mediaType;
    // Often enough that a slow upload is not closed as idle.
    this.storeAfterMs = Math.min(LIMITS.uploadPartSeconds * SECOND_MS, idleMs / 4);
    this.buffer = Buffer.allocUnsafeSlow(Math.max(1, Math.min(LIMITS.uploadPart, length)));
  }

  async add(chunk: Uint8Array): Promise<void> {
    for (let taken = 0; taken < chunk.length;) {
      const room = Math.min(this.buffer.length - this.filled, chunk.length - taken);
      this.buffer.set(chunk.subarray(taken, taken + room), this.filled);
      this.filled += room;
      taken += room;
      if (this.filled === this.buffer.length) await this.flush();
      // At once: what is not media is refused before the rest of it is sent.
      else if (this.upload.received + this.filled >= HEAD_SIZE) await this.detectType();
    }
    if (performance.now() - this.storedAt > this.storeAfterMs) await this.flush();
  }

  /** Commits what has been added. Returns the resulting upload. */
  async flush(): Promise<Upload> {
    this.storedAt = performance.now();
    if (this.filled === 0) return this.upload;
    const { uploads, objects, disk } = this.stores;
    await disk.requireRoom();
    const bytes = this.buffer.subarray(0, this.filled);
    const mediaType = await this.detectType();
    const { received: start } = this.upload;
    // Never reused; the bytes are durable once it has been put.
    const key = partsOf(recordingOf(this.upload)) + newId();
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
    METRICS.uploadedBytes.inc(this.filled);
    this.filled = 0;
    return this.upload;
  }

  /** Detects the media type from what has arrived so far (`detectMedia`). */
  private async detectType(): Promise<string | null> {
    if (this.mediaType !== null) return this.mediaType;
    const { upload, stores } = this;
    const before = upload.received > 0 ? await readHead(stores, upload) : Buffer.alloc(0);
    const head = Buffer.concat([before, this.buffer.subarray(0, this.filled)]).subarray(0, HEAD_SIZE);
    const isComplete = upload.received + this.filled === upload.size;
    this.mediaType = await detectMedia(stores.uploads, upload, head, isComplete);
    return this.mediaType;
  }
}

/** Ends an upload that turned out to be complete before its type was detected. Returns the error for the client. */
export async function refuseUnknownType(stores: UploadStores, upload: Upload): Promise<DomainError> {
  const type = await detectFileType(await readHead(stores, upload), true);
  return refuse(stores.uploads, upload, notMedia(type !== null && isMediaType(type) ? null : type));
}

/** Ends an upload with 415. Returns the error for the client. */
export async function refuse(uploads: UploadsService, upload: Upload, reason: string): Promise<DomainError> {
  await uploads.refuse(upload, reason);
  return new DomainError('UNSUPPORTED_MEDIA_TYPE', reason);
}

/**
 * Detects the media type of an upload from its first bytes, at most `HEAD_SIZE`; null if these are too few. Anything
 * but audio and video ends the upload with 415. `isComplete`: it has no other bytes.
 */
export async function detectMedia(
  uploads: UploadsService,
  upload: Upload,
  head: Buffer,
  isComplete: boolean,
): Promise<string | null> {
  const enough = isComplete || head.length === HEAD_SIZE;
  const type = await detectFileType(head, enough);
  if (type !== null ? isTaken(type, upload) : !enough) return type;
  if (type === null && !isComplete && leadingZeros(head) > HEAD_SIZE - ENOUGH_BEHIND_ZEROS) return UNKNOWN;
  throw await refuse(uploads, upload, notMedia(type));
}

/** An archive may have the tracks of a recording. */
const isTaken = (type: string, { trackOf }: Upload): boolean =>
  isMediaType(type) || (trackOf !== null && type === ARCHIVE);

/** Reads the first bytes received, at most `HEAD_SIZE`. */
async function readHead({ uploads, objects }: UploadStores, { recordingId }: Upload): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let missing = HEAD_SIZE;
  for (const { key, size } of await uploads.findFirstParts(recordingId, HEAD_SIZE)) {
    if (missing <= 0) break;
    const end = Math.min(size, missing) - 1;
    for await (const chunk of await objects.get(key, { start: 0, end })) chunks.push(chunk as Buffer);
    missing -= size;
  }
  return Buffer.concat(chunks);
}
