import { createHash } from 'node:crypto';
import type { Response } from 'express';
import { contentDisposition } from '../../../platform/http/replies/content-disposition.js';
import type { Delivery } from '../../../platform/storage/object-store.js';

/** How a file is described in its reply. */
export interface FileDescription extends Omit<Delivery, 'expiresAt'> {
  readonly etag: string;
}

/** Revalidated every time, because the holder of the URL may no longer have access. */
const REVALIDATED = 'private, no-cache';

/** Headers that describe the file, and do not belong on an error or a redirect. */
const FILE_HEADERS = ['Content-Type', 'Content-Disposition', 'Cache-Control', 'ETag', 'Last-Modified'];

export function setFileHeaders(
  response: Response,
  { type, fileName, disposition, etag }: FileDescription,
): void {
  response.set({
    'Content-Type': type,
    'Content-Disposition': contentDisposition(fileName, disposition),
    'Cache-Control': REVALIDATED,
    // Players on other sites may embed it: the URL itself is the permission.
    'Cross-Origin-Resource-Policy': 'cross-origin',
    ETag: etag,
  });
}

/** The `ETag` of what has this content or, without a stored checksum, this key: keys are never reused. */
export const etagOf = (content: string): string =>
  `"${createHash('sha256').update(content).digest('base64url')}"`;

/** Removes them from a response that turns out not to be the file. */
export function clearFileHeaders(response: Response): void {
  if (!response.headersSent) for (const header of FILE_HEADERS) response.removeHeader(header);
}
