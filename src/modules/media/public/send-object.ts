import { pipeline } from 'node:stream/promises';
import type { Request, Response } from 'express';
import { DomainError } from '../../../contract/domain-error.js';
import {
  ObjectMissingError,
  type ByteRange,
  type ObjectStore,
} from '../../../platform/storage/object-store.js';
import { METRICS } from '../../../platform/telemetry/metrics.js';
import { sendNotModified } from './file-headers.js';

/** Sends an object, with ranges and conditional requests. Throws `ObjectMissingError` if it does not exist. */
export async function sendObject(objects: ObjectStore, key: string, response: Response): Promise<void> {
  const { req: request } = response;
  const found = await objects.stat(key);
  if (!found) throw new ObjectMissingError(key);
  response.set({ 'Accept-Ranges': 'bytes', 'Last-Modified': found.modifiedAt.toUTCString() });
  requirePreconditions(request, response);
  if (request.fresh) return sendNotModified(response);
  const range = wantedRange(request, response, found.size);
  const content = request.method === 'HEAD' ? null : await objects.get(key, range);
  if (range) response.status(206).set('Content-Range', `bytes ${range.start}-${range.end}/${found.size}`);
  response.set('Content-Length', String(range ? range.end - range.start + 1 : found.size));
  if (!content) return void response.end();
  content.on('data', (bytes: Buffer) => METRICS.sentBytes.inc(bytes.length));
  await pipeline(content, response).catch((error: NodeJS.ErrnoException) => {
    // A player that seeks or stops closes the connection, which is not an error.
    if (error.code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  });
}

/** RFC 9110, 13.2.2. */
function requirePreconditions({ headers }: Request, response: Response): void {
  const { 'if-match': match, 'if-unmodified-since': since } = headers;
  const tags = match?.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  const changed = tags
    ? !response.get('ETag') || !(match === '*' || tags.includes(response.get('ETag') ?? ''))
    : since !== undefined && modifiedAt(response) > Date.parse(since);
  if (changed) throw new DomainError('PRECONDITION_FAILED');
}

/** Undefined means the whole object, which is also the reply to multiple or invalid ranges. */
function wantedRange(request: Request, response: Response, size: number): Required<ByteRange> | undefined {
  const wanted = request.headers.range ?? '';
  if (!/^ *bytes=/.test(wanted) || !isSame(request, response)) return undefined;
  // RFC 9110, 14.1.2: a suffix longer than the file means the whole file, which `range-parser` calls unsatisfiable.
  if (size > 0 && Number(/^bytes=-(\d+)$/.exec(wanted)?.[1]) > size) return { start: 0, end: size - 1 };
  const ranges = request.range(size, { combine: true });
  if (ranges === -1) {
    response.set('Content-Range', `bytes */${size}`);
    throw new DomainError('RANGE_NOT_SATISFIABLE');
  }
  return typeof ranges === 'object' && ranges.length === 1 ? ranges[0] : undefined;
}

/** Whether the content is unchanged since the client received the first part of it. */
function isSame(request: Request, response: Response): boolean {
  const ifRange = request.get('If-Range');
  if (!ifRange) return true;
  const etag = response.get('ETag');
  if (ifRange.includes('"')) return etag !== undefined && ifRange.includes(etag);
  return modifiedAt(response) <= Date.parse(ifRange);
}

const modifiedAt = (response: Response): number => Date.parse(response.get('Last-Modified') ?? '');
