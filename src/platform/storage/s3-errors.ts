import { PlatformError } from '../errors/platform-error.js';
import { ServiceError } from '../errors/service-error.js';

/** Answers that mean "not now": too many requests, or a fault of theirs. */
const BUSY = new Set([
  'SlowDown',
  'RequestTimeout',
  'ServiceUnavailable',
  'InternalError',
  'ThrottlingException',
]);

/** What the AWS SDK throws, as far as it is looked at. */
interface SdkError {
  readonly name?: unknown;
  readonly code?: unknown;
  readonly message?: unknown;
  readonly $metadata?: { readonly httpStatusCode?: number; readonly requestId?: string };
}

/** What says that there was no answer, apart from the codes of a connection. */
const NO_ANSWER = new Set(['TimeoutError', 'AbortError', 'CredentialsProviderError']);

/** A request to S3 that failed, in words that may be logged: nothing of the request but what it was about. */
export class S3Error extends Error {
  /** Of S3 (`NoSuchBucket`), or of the connection (`ECONNREFUSED`). */
  readonly code: string;
  /** Whether S3 answered at all. */
  readonly isAnswer: boolean;
  /** Whether trying again later may help: no answer, or one that says so. */
  readonly isPassing: boolean;

  constructor(error: unknown, doing: string) {
    const { name, code, message, $metadata } = (error ?? {}) as SdkError;
    const what = String(typeof code === 'string' ? code : (name ?? 'Error'));
    const request = $metadata?.requestId ? ` (request ${$metadata.requestId})` : '';
    super(`S3 ${doing}: ${what}: ${String(message || 'no reason given')}${request}`);
    this.name = 'S3Error';
    this.code = what;
    const status = $metadata?.httpStatusCode;
    this.isAnswer = status !== undefined;
    this.isPassing =
      status === undefined
        ? $metadata !== undefined || typeof code === 'string' || NO_ANSWER.has(what)
        : status >= 500 || status === 429 || BUSY.has(what);
  }
}

/** What to throw for an error of the SDK: `SERVICE_UNAVAILABLE` when S3 cannot be used now, else a fault to look at. */
export function storeError(error: unknown, doing: string): Error {
  if (error instanceof ServiceError || error instanceof S3Error) return error;
  const failure = new S3Error(error, doing);
  return failure.isPassing
    ? new PlatformError('SERVICE_UNAVAILABLE', undefined, { cause: failure })
    : failure;
}

/** The `S3Error` that an error is or was caused by. */
export function s3ErrorIn(error: unknown): S3Error | null {
  if (error instanceof S3Error) return error;
  return error instanceof Error && error.cause ? s3ErrorIn(error.cause) : null;
}

/** Whether an error of the SDK says that there is no such object. */
export function saysNoObject(error: unknown): boolean {
  const { name, $metadata } = (error ?? {}) as SdkError;
  // HEAD has no body to tell more.
  return name === 'NoSuchKey' || (name === 'NotFound' && $metadata?.httpStatusCode === 404);
}
