import { nameOf } from './names.js';
import type { Schemas } from './types.js';

/** The codes of the API's errors. More may be added. */
export type ErrorCode = Schemas['ErrorCode'];

/** What is known of a reply that is an error. */
export interface ErrorDetails<Code extends string = string> {
  readonly status: number;
  readonly code: Code;
  readonly message: string;
  readonly requestId: string | null;
  readonly retryAfter: number | null;
}

/** The service answered with an error. Each code has a class of its own; a code newer than this client has this one. */
export class ApiError<Code extends string = string> extends Error {
  /** HTTP status of the reply. */
  readonly status: number;
  /** For programs. The message is for people. */
  readonly code: Code;
  /** Identifies the request in the log of the service; null if the reply has none. */
  readonly requestId: string | null;
  /** Seconds after which to try again; null if the reply does not say. */
  readonly retryAfter: number | null;

  constructor({ status, code, message, requestId, retryAfter }: ErrorDetails<Code>) {
    super(message);
    this.name = new.target === ApiError ? 'ApiError' : nameOf(code);
    this.status = status;
    this.code = code;
    this.requestId = requestId;
    this.retryAfter = retryAfter;
  }
}

/** The reply is not one of the service: an error page of a proxy, a redirect, broken JSON. */
export class InvalidReplyError extends ApiError<'INVALID_REPLY'> {
  constructor(status: number, message: string, retryAfter: number | null = null) {
    super({ status, code: 'INVALID_REPLY', message, requestId: null, retryAfter });
  }
}

/** No reply: the service cannot be reached, or the connection broke. `cause` says why. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';
}

/** Nothing has come of it within the time that was given. */
export class TimeoutError extends Error {
  override readonly name = 'TimeoutError';
}

/** What was waited for will not come. The message says why. */
export class RecordingFailedError extends Error {
  override readonly name = 'RecordingFailedError';

  constructor(
    readonly recording: Schemas['RecordingDetail'],
    reason: string,
  ) {
    super(reason);
  }
}

/** The request was not sent by the service, was altered, or is too old. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
}
