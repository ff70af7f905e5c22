import { conflict, DomainError, required } from '../../contract/domain-error.js';
import { nameOfType } from '../../lib/file-types/type-names.js';
import type { Upload } from './entities/upload.entity.js';

export const EMPTY_FILE =
  'The file is empty, or none was sent. Choose a file of audio or video; curl sends one with -T FILE.';
export const NO_UPLOAD =
  'This recording has no open upload. Open one with POST /api/v1/recordings/{id}/upload.';

const TAKEN = 'Upload audio or video instead, such as MP4, MOV, MKV, WebM, AVI, MP3, M4A, WAV or Ogg.';
const AS_TRANSCRIPT = 'Import it as the transcript of a recording instead: PUT /recordings/{id}/transcript.';
const MEDIA_ITSELF = 'It only refers to media: upload the audio or video itself.';

/** What to do with files of these types. */
const HELP: Readonly<Record<string, string>> = {
  'text/vtt': AS_TRANSCRIPT,
  'application/x-subrip': AS_TRANSCRIPT,
  'application/x-mpegurl': MEDIA_ITSELF,
};

/** `type` is the detected media type, or null. */
export function notMedia(type: string | null): string {
  if (type === null) return `The file is not recognized as audio or video. ${TAKEN}`;
  return `The file is ${nameOfType(type)}. ${HELP[type] ?? TAKEN}`;
}

/** Why a complete upload cannot become a recording; null if it can, or is not complete yet. */
export function refusalReason({ size, received, mediaType }: Upload): string | null {
  if (size === 0) return EMPTY_FILE;
  return received === size && mediaType === null ? notMedia(null) : null;
}

/** The reply to bytes that arrive after the upload has been closed. */
export function closed(): DomainError {
  return conflict(
    'The upload of this recording is closed. Open another with POST /api/v1/recordings/{id}/upload.',
  );
}

/** Bytes of clients are not for an upload that the service fetches itself. */
export function requireFromClient({ fetched, closedAt }: Upload): void {
  if (!fetched || closedAt !== null) return;
  throw conflict('The service fetches this recording from its source_url; nothing can be uploaded to it.');
}

/** The upload that a client may send bytes of; 409 if there is none. */
export function requireOpen(found: Upload | null): Upload {
  const upload = required(found, 'CONFLICT', NO_UPLOAD);
  requireFromClient(upload);
  if (upload.closedAt !== null) throw closed();
  return upload;
}

/** A later request has appended to the upload or restarted it. */
export function superseded(): DomainError {
  return conflict('This request was superseded by a later one for the same upload.');
}

/** The bytes do not continue from those already received. */
export function offsetMismatch({ received }: Pick<Upload, 'received'>): DomainError {
  return conflict(`Upload-Offset: must be ${received}, the number of bytes that this upload has received`);
}

/** The file is not as long as its upload declared. */
export function wrongSize(code: 'CONFLICT' | 'PAYLOAD_TOO_LARGE', { size }: Upload): DomainError {
  return new DomainError(
    code,
    `The declared size of this upload is ${size} bytes; send exactly these, or cancel it with DELETE /api/v1/uploads/{id} and open another.`,
  );
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
