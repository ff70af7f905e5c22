import { DomainError } from '../../contract/domain-error.js';
import { detectFileType, isMediaType, leadingZeros } from '../../lib/file-types/file-types.js';
import { HEAD_SIZE } from '../../lib/file-types/text-type.js';
import type { ObjectStore } from '../../platform/storage/object-store.js';
import type { Upload } from './entities/upload.entity.js';
import { notMedia } from './upload-refusals.js';
import type { UploadsService } from './uploads.service.js';

/** The type of a file that begins with so many zeros that only packaging can detect it. */
const UNKNOWN = 'application/octet-stream';
/** Bytes behind leading zeros that are enough to detect the type of audio. */
const ENOUGH_BEHIND_ZEROS = 64;

/** Where the state of uploads and their bytes are. */
export interface UploadStores {
  readonly uploads: UploadsService;
  readonly objects: ObjectStore;
}

/**
 * Detects the media type of an upload from its first bytes, ignoring its name and headers; null while there are too few
 * of them. `bytes` follow those received so far. Anything but audio and video ends the upload with 415.
 */
export async function detectUploadType(
  stores: UploadStores,
  upload: Upload,
  bytes: Uint8Array,
): Promise<string | null> {
  const before = upload.received > 0 ? await readHead(stores, upload) : Buffer.alloc(0);
  const head = Buffer.concat([before, bytes.subarray(0, HEAD_SIZE)]).subarray(0, HEAD_SIZE);
  const isComplete = upload.received + bytes.length === upload.size;
  const enough = isComplete || head.length === HEAD_SIZE;
  const type = await detectFileType(head, enough);
  if (type !== null ? isMediaType(type) : !enough) return type;
  if (type === null && !isComplete && leadingZeros(head) > HEAD_SIZE - ENOUGH_BEHIND_ZEROS) return UNKNOWN;
  throw await refuseType(stores, upload, type);
}

/** Ends an upload that turned out to be complete before its type was detected. Returns the error for the client. */
export async function refuseUnknownType(stores: UploadStores, upload: Upload): Promise<DomainError> {
  const type = await detectFileType(await readHead(stores, upload), true);
  return refuseType(stores, upload, type !== null && isMediaType(type) ? null : type);
}

async function refuseType(
  { uploads }: UploadStores,
  upload: Upload,
  type: string | null,
): Promise<DomainError> {
  const reason = notMedia(type);
  await uploads.refuse(upload, reason);
  return new DomainError('UNSUPPORTED_MEDIA_TYPE', reason);
}

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
