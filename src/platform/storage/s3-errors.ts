import { PlatformError } from '../errors/platform-error.js';
import { ServiceError } from '../errors/service-error.js';

/** Error codes of an overloaded or failing server, which may recover. */
const BUSY = new Set([
  'SlowDown',
  'RequestTimeout',
  'ServiceUnavailable',
  'InternalError',
  'ThrottlingException',
]);

/** The parts of the AWS SDK's errors that are used here. */
interface SdkError {
  readonly name?: unknown;
  readonly code?: unknown;
  readonly message?: unknown;
  readonly $metadata?: { readonly httpStatusCode?: number; readonly requestId?: string };
}

/** Errors without a response, apart from connection errors. */
const NO_ANSWER = new Set(['TimeoutError', 'AbortError', 'CredentialsProviderError']);

/** A failed request to S3, safe to log: of the request it only contains the operation and the key. */
export class S3Error extends Error {
  /** The code of S3 (`NoSuchBucket`) or of the connection (`ECONNREFUSED`). */
  readonly code: string;
  /** Whether S3 responded at all. */
  readonly isAnswer: boolean;
  /** Whether a later retry may succeed: S3 did not respond, or responded with a transient error. */
  readonly isTransient: boolean;

  constructor(error: unknown, doing: string) {
    const { name, code, message, $metadata } = (error ?? {}) as SdkError;
    const what = String(typeof code === 'string' ? code : (name ?? 'Error'));
    const request = $metadata?.requestId ? ` (request ${$metadata.requestId})` : '';
    super(`S3 ${doing}: ${what}: ${String(message || 'no details')}${request}`);
    this.name = 'S3Error';
    this.code = what;
    const status = $metadata?.httpStatusCode;
    this.isAnswer = status !== undefined;
    this.isTransient =
      status === undefined
        ? $metadata !== undefined || typeof code === 'string' || NO_ANSWER.has(what)
        : status >= 500 || status === 429 || BUSY.has(what);
  }
}

/** The error to throw for an error of the SDK: `SERVICE_UNAVAILABLE` if S3 is unavailable, otherwise an `S3Error`. */
export function storeError(error: unknown, doing: string): Error {
  if (error instanceof ServiceError || error instanceof S3Error) return error;
  const failure = new S3Error(error, doing);
  return failure.isTransient
    ? new PlatformError('SERVICE_UNAVAILABLE', undefined, { cause: failure })
    : failure;
}

/** The error itself if it is an `S3Error`, or the one that caused it. */
export function s3ErrorIn(error: unknown): S3Error | null {
  if (error instanceof S3Error) return error;
  return error instanceof Error && error.cause ? s3ErrorIn(error.cause) : null;
}

export function saysNoObject(error: unknown): boolean {
  const { name, $metadata } = (error ?? {}) as SdkError;
  // A HEAD response has no body with a more specific code.
  return name === 'NoSuchKey' || (name === 'NotFound' && $metadata?.httpStatusCode === 404);
}
