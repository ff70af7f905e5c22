import type { IncomingHttpHeaders } from 'node:http';
import { readRetryAfter } from '../../../lib/retry-after.js';
import { OutboundError } from '../../../platform/outbound/outbound-error.js';
import { ServiceError } from '../../../platform/errors/service-error.js';
import { SealError } from '../../../platform/sealing/sealer.js';

/** Another attempt would not help. The message is the recording's `statusReason`. */
export class FetchRefusedError extends Error {}

/** Another attempt may help. */
export class FetchInterruptedError extends Error {
  /** `waitMs`: what the server asked for. */
  constructor(
    message: string,
    readonly waitMs = 0,
  ) {
    super(message);
    this.name = 'FetchInterruptedError';
  }
}

const URL_LOST = 'The source_url can no longer be decrypted; create the recording again.';
export const URL_NOT_ALLOWED = 'The source_url is not allowed any more.';
export const TOO_LONG = 'The file could not be fetched within a day.';
export const WITHDRAWN =
  'Ended because the user who requested it is not allowed to change the recording any more.';
export const GIVEN_UP = 'The file could not be fetched; trying again may help.';

/** Refusals of an upload that end it, as its bytes can never be accepted. */
const ENDING = new Set(['PAYLOAD_TOO_LARGE', 'QUOTA_EXCEEDED']);
/** Refusals that mean that it has ended, or that another attempt is faster. */
const ENDED = new Set(['CONFLICT', 'NOT_FOUND', 'RECORDING_NOT_FOUND', 'UNSUPPORTED_MEDIA_TYPE']);

/** Why retrying is pointless; null if it is not. */
export function refusalOf(error: unknown, contact: string | null): string | null {
  if (error instanceof FetchRefusedError) return error.message;
  if (error instanceof OutboundError && error.permanent) return error.message;
  if (error instanceof SealError) return URL_LOST;
  return error instanceof ServiceError && ENDING.has(error.code) ? error.messageFor(contact) : null;
}

export const isEnded = (error: unknown): boolean => error instanceof ServiceError && ENDED.has(error.code);

/** Attempts without any new bytes after which the server is given up: with the waits below, after about an hour. */
const MAX_FAILURES = 14;
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 10 * 60_000;
const LONGEST_ASKED_MS = 60 * 60_000;

/** Milliseconds before the next attempt; null if there should be none. */
export function waitBefore(error: unknown, failures: number): number | null {
  if (failures >= MAX_FAILURES) return null;
  const own = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (failures - 1));
  const asked = error instanceof FetchInterruptedError ? error.waitMs : 0;
  return Math.max(own, Math.min(asked, LONGEST_ASKED_MS));
}

/** Whether another attempt may help, though the service itself is not at fault. */
export const isInterruption = (error: unknown): error is Error =>
  error instanceof FetchInterruptedError || (error instanceof OutboundError && !error.permanent);

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
    const length = headers['content-length'];
    return { start: 0, size: length === undefined ? null : Number(length), validator, resumable };
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
  if (TRANSIENT.has(status) || status >= 500)
    throw new FetchInterruptedError(message, readRetryAfter(headers['retry-after']) ?? 0);
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
