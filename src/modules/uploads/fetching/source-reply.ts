import type { IncomingHttpHeaders } from 'node:http';
import { FetchInterruptedError, FetchRefusedError } from './fetch-failures.js';

/** The file that the bytes received so far belong to. */
export interface Received {
  readonly bytes: number;
  readonly size: number | null;
  /** Null if the server gave none: then nothing shows that the rest belongs to the same file. */
  readonly validator: string | null;
}

/** What the body of a reply contains. */
export interface SourceReply {
  /** Offset of its first byte: 0, or where the last attempt ended. */
  readonly start: number;
  /** The size of the whole file in bytes; null if the server does not say. */
  readonly size: number | null;
  readonly validator: string | null;
  /** The server can send the rest of it later. */
  readonly resumable: boolean;
}

const canResume = ({ bytes, validator }: Received): boolean => bytes > 0 && validator !== null;

/** Asks for the rest of the file, or for all of it if it has changed. */
export function rangeHeaders(received: Received): Record<string, string> {
  if (!canResume(received)) return {};
  return { range: `bytes=${received.bytes}-`, 'if-range': received.validator ?? '' };
}

/** Throws if the reply has no bytes of the file. */
export function readReply(status: number, headers: IncomingHttpHeaders, received: Received): SourceReply {
  const validator = validatorOf(headers);
  if (status === 200) {
    const resumable = validator !== null && headers['accept-ranges'] === 'bytes';
    return { start: 0, size: lengthOf(headers), validator, resumable };
  }
  if (status === 206 && canResume(received)) {
    const range = /^bytes (\d{1,15})-\d{1,15}\/(\d{1,15})$/.exec(headers['content-range'] ?? '');
    const size = Number(range?.[2]);
    const same = validator === null || validator === received.validator;
    const fits = Number(range?.[1]) === received.bytes && (received.size ?? size) === size;
    if (range && same && fits)
      return { start: received.bytes, size, validator: received.validator, resumable: true };
    throw new SourceChangedError();
  }
  if (status === 416) throw new SourceChangedError();
  const message = `The server of the source_url answered with status ${status}.`;
  if (TRANSIENT.has(status) || status >= 500) throw new FetchInterruptedError(message, askedWait(headers));
  throw new FetchRefusedError(message);
}

/** What the server has now does not continue what was received: the next attempt starts over. */
export class SourceChangedError extends FetchInterruptedError {
  constructor() {
    super('The file changed while it was fetched.');
  }
}

const TRANSIENT = new Set([408, 421, 425, 429]);

/** Returns the validator as `If-Range` takes it: weak validators do not show that files are the same byte for byte. */
function validatorOf({ etag, 'last-modified': modified }: IncomingHttpHeaders): string | null {
  if (etag?.startsWith('"')) return etag;
  return etag === undefined && modified !== undefined ? modified : null;
}

function lengthOf({ 'content-length': length }: IncomingHttpHeaders): number | null {
  return length === undefined ? null : Number(length);
}

function askedWait({ 'retry-after': after }: IncomingHttpHeaders): number {
  if (after === undefined) return 0;
  const wait = /^\d{1,9}$/.test(after) ? Number(after) * 1000 : Date.parse(after) - Date.now();
  return Number.isNaN(wait) ? 0 : Math.max(0, wait);
}
