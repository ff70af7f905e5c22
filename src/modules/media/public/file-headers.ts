import { createHash } from 'node:crypto';
import type { Response } from 'express';
import { contentDisposition } from '../../../platform/http/replies/content-disposition.js';
import type { Delivery } from '../../../platform/storage/object-store.js';
import mime from 'mime';
import { fileNameOf } from '../../../contract/file-name.js';

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

/**
 * Whether the client already has this, judged by the reply's `ETag` alone, before any file or store is accessed.
 * Conditions that depend on the object are left to the code that sends it: those with precedence (RFC 9110, 13.2.2),
 * `*`, and times.
 */
export function matchesEtag({ req }: Response): boolean {
  const { 'if-match': match, 'if-unmodified-since': since, 'if-none-match': noneMatch } = req.headers;
  if (match !== undefined || since !== undefined) return false;
  return noneMatch !== undefined && noneMatch !== '*' && req.fresh;
}

/** 304 with the headers that a cache refreshes, and without those that describe the content. */
export function sendNotModified(response: Response): void {
  response.status(304).removeHeader('Content-Type');
  response.end();
}

/** Where it is not the first one that is registered. */
const USUAL_EXTENSIONS: Readonly<Record<string, string>> = {
  'audio/aac': 'aac',
  'audio/flac': 'flac',
  'audio/mpeg': 'mp3',
  'audio/ogg': 'ogg',
  'audio/webm': 'webm',
  'application/ogg': 'ogg',
  'video/quicktime': 'mov',
};

/** Names a download: the title, with the extension of its media type, or with one of several that it already has. */
export function downloadName(title: string, mediaType: string): string {
  // Others may be those of programs.
  const known = /^(audio|video)\//.test(mediaType) ? [...(mime.getAllExtensions(mediaType) ?? [])] : [];
  const extension = USUAL_EXTENSIONS[mediaType] ?? mime.getExtension(mediaType) ?? 'bin';
  return fileNameOf(title, extension, known);
}
