import { DomainError } from '../../contract/domain-error.js';
import type { Upload } from './entities/upload.entity.js';

export const EMPTY_FILE = 'The file is empty.';

/** `type` is what was found instead, undefined when that cannot be told. */
export const noMedia = (type?: string): string =>
  `The file is neither audio nor video: ${type ? `it is ${type}` : 'its type is unknown'}.`;

/** Why an upload that is complete cannot become a recording; null when it can, or may yet. */
export function flawOf({ size, received, mediaType }: Upload): string | null {
  if (size === 0) return EMPTY_FILE;
  return received === size && mediaType === null ? noMedia() : null;
}

/** What is answered to bytes that come after the end. */
export function closed(): DomainError {
  return new DomainError('CONFLICT', 'This recording takes no more bytes.');
}

/** A later request for the upload has sent bytes or begun it anew. */
export function superseded(): DomainError {
  return new DomainError('CONFLICT', 'Another request for this upload has taken over.');
}

/** The bytes do not follow those received. */
export function moved({ received }: Upload): DomainError {
  return new DomainError('CONFLICT', `Upload-Offset: this upload has received ${received} bytes`);
}
