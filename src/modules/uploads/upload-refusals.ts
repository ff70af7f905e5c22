import { DomainError } from '../../contract/domain-error.js';
import type { Upload } from './entities/upload.entity.js';

export const EMPTY_FILE = 'The file is empty.';

/** `type` is what was detected instead; undefined if nothing was. */
export const notMedia = (type?: string): string =>
  `The file is neither audio nor video: its type ${type ? `is ${type}` : 'could not be detected'}.`;

/** Why a complete upload cannot become a recording; null if it can, or is not complete yet. */
export function refusalReason({ size, received, mediaType }: Upload): string | null {
  if (size === 0) return EMPTY_FILE;
  return received === size && mediaType === null ? notMedia() : null;
}

/** The reply to bytes that arrive after the upload has been closed. */
export function closed(): DomainError {
  return new DomainError('CONFLICT', 'The upload of this recording is closed.');
}

/** A later request has appended to the upload or restarted it. */
export function superseded(): DomainError {
  return new DomainError('CONFLICT', 'This request was superseded by a later one for the same upload.');
}

/** The bytes do not continue from those already received. */
export function offsetMismatch({ received }: Upload): DomainError {
  return new DomainError('CONFLICT', `Upload-Offset: this upload has received ${received} bytes`);
}

/** An upload after a change, with the reason if that change ended it. */
export interface Advanced {
  readonly upload: Upload;
  readonly refused?: string;
}

/** Throws if the change ended the upload, after that has been committed, so that the client learns of it too. */
export function accepted({ upload, refused }: Advanced): Upload {
  if (refused !== undefined) throw new DomainError('UNSUPPORTED_MEDIA_TYPE', refused);
  return upload;
}
