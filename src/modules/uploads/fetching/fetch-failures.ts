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
