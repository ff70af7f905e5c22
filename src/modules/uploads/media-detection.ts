import { DomainError } from '../../contract/domain-error.js';
import { detectFileType, isMediaType, leadingZeros } from '../../lib/file-types/file-types.js';
import { HEAD_SIZE } from '../../lib/file-types/text-type.js';
import type { Upload } from './entities/upload.entity.js';
import { notMedia } from './upload-refusals.js';
import type { UploadsService } from './uploads.service.js';

/** The type of a file with too many leading zeros, whose type is detected by packaging. */
const UNKNOWN = 'application/octet-stream';
/** Bytes behind leading zeros that are enough to detect the type of audio. */
const ENOUGH_BEHIND_ZEROS = 64;

/** What a file is: its media type, null if its beginning is too short to tell; or why it is refused. */
interface Detected {
  readonly type: string | null;
  readonly refused?: string;
}

/** Detects what a file is from its first bytes, at most `HEAD_SIZE`. `isComplete`: the file has no others. */
export async function detectMedia(head: Buffer, isComplete: boolean): Promise<Detected> {
  const enough = isComplete || head.length === HEAD_SIZE;
  const type = await detectFileType(head, enough);
  if (type !== null ? isMediaType(type) : !enough) return { type };
  if (type === null && !isComplete && leadingZeros(head) > HEAD_SIZE - ENOUGH_BEHIND_ZEROS)
    return { type: UNKNOWN };
  return { type, refused: notMedia(type) };
}

/** Ends an upload with 415. Returns the error for the client. */
export async function refuse(uploads: UploadsService, upload: Upload, reason: string): Promise<DomainError> {
  await uploads.refuse(upload, reason);
  return new DomainError('UNSUPPORTED_MEDIA_TYPE', reason);
}
