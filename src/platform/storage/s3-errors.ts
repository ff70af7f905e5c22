import type { S3Settings } from '../config/settings.js';
import { ServiceError } from '../errors/service-error.js';
import { StoreUnavailableError } from './object-store.js';

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
  return failure.isTransient ? new StoreUnavailableError(failure) : failure;
}

/** The error itself if it is an `S3Error`, or the one that caused it. */
function s3ErrorIn(error: unknown): S3Error | null {
  if (error instanceof S3Error) return error;
  return error instanceof Error && error.cause ? s3ErrorIn(error.cause) : null;
}

export function saysNoObject(error: unknown): boolean {
  const { name, $metadata } = (error ?? {}) as SdkError;
  // A HEAD response has no body with a more specific code.
  return name === 'NoSuchKey' || (name === 'NotFound' && $metadata?.httpStatusCode === 404);
}

/** One line that names the setting to check. Does not contain the secret, and neither do errors from S3. */
export function explainS3(error: unknown, { bucket, endpoint, region }: S3Settings): string {
  const failure = s3ErrorIn(error);
  const message = failure?.message ?? String(error);
  const where = endpoint === undefined ? `Amazon S3 (${region})` : new URL(endpoint).origin;
  const otherRegion = `S3_REGION: "${bucket}" is not in ${region}: ${message}`;
  const known: Readonly<Record<string, string>> = {
    NoSuchBucket: `S3_BUCKET: there is no bucket "${bucket}" at ${where}; create it first`,
    InvalidBucketName: `S3_BUCKET: "${bucket}" is not a valid bucket name`,
    InvalidAccessKeyId: `S3_ACCESS_KEY_ID: unknown at ${where}`,
    SignatureDoesNotMatch: `S3_SECRET_ACCESS_KEY: does not match S3_ACCESS_KEY_ID at ${where}`,
    CredentialsProviderError: 'S3_ACCESS_KEY_ID: not set, and the AWS SDK found no other credentials',
    AccessDenied: `S3_BUCKET: access to "${bucket}" at ${where} was denied: ${message}`,
    PermanentRedirect: otherRegion,
    AuthorizationHeaderMalformed: otherRegion,
  };
  const setting = failure?.isAnswer ? 'S3_BUCKET' : 'S3_ENDPOINT';
  return known[failure?.code ?? ''] ?? `${setting}: cannot use "${bucket}" at ${where}: ${message}`;
}
