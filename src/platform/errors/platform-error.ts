import { PRIVATE_ADDRESSES } from '../outbound/outbound-url.js';
import { ServiceError, type ErrorDefinition, type ServiceErrorOptions } from './service-error.js';
import { IDEMPOTENCY_LIMITS } from '../http-limits.js';
import { sizeText } from '../../lib/amounts.js';

/** Error codes of the platform itself; the contract's catalog includes them. */
export const PLATFORM_ERRORS = {
  VALIDATION_ERROR: {
    status: 400,
    message: 'The request is not valid.',
    when: 'invalid or missing request parameters',
    advice: PRIVATE_ADDRESSES,
  },
  NOT_FOUND: { status: 404, message: 'Nothing was found at this URL.', when: 'unknown URL' },
  METHOD_NOT_ALLOWED: {
    status: 405,
    message: 'This URL does not accept the method of the request; see the Allow header.',
    when: 'the URL exists but does not accept the method; see `Allow`',
  },
  REQUEST_TIMEOUT: {
    status: 408,
    message: 'The request was not received in time.',
    when: 'the request was not received in time',
  },
  PRECONDITION_FAILED: {
    status: 412,
    message: 'The resource is not in the state that the request requires.',
    when: 'the condition of an `If-Match` or `If-Unmodified-Since` header is not met',
  },
  PAYLOAD_TOO_LARGE: {
    status: 413,
    message: 'The request body is too large.',
    when: 'the request body is larger than the operation accepts',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    message: 'Send the body as application/json.',
    when: 'the request body has a type that the operation does not accept',
  },
  RATE_LIMITED: {
    status: 429,
    message: 'Too many requests; try again later.',
    when: 'too many requests; see `Retry-After`',
  },
  IDEMPOTENCY_KEY_REUSED: {
    status: 400,
    message:
      'This Idempotency-Key has been used for a different request (method, URL, If-Match or body). Use a new key for each new request.',
    when: 'the `Idempotency-Key` has been used for a different request',
  },
  IDEMPOTENCY_KEY_IN_USE: {
    status: 409,
    message: 'The first request with this Idempotency-Key is still running; try again shortly.',
    when: 'the first request with this `Idempotency-Key` is still running; see `Retry-After`',
    headers: { 'Retry-After': '1' },
  },
  IDEMPOTENCY_REPLY_LOST: {
    status: 409,
    message:
      'The first request with this Idempotency-Key has made its changes, but its reply is not available. Read the resource to see them; to make further changes, use a new key.',
    when: `the first request with this \`Idempotency-Key\` has made changes, but the service was interrupted before it could keep the reply, the reply is larger than ${sizeText(IDEMPOTENCY_LIMITS.replyBytes)}, or what it is about has been deleted since`,
  },
  INTERNAL_ERROR: {
    status: 500,
    message: 'Something went wrong on the server.',
    when: 'unexpected server error',
  },
  SERVICE_UNAVAILABLE: {
    status: 503,
    message: 'The service is temporarily unavailable; try again shortly.',
    when: 'database or storage unreachable, or too many requests waiting for expensive work; see `Retry-After`',
    headers: { 'Retry-After': '2' },
  },
} as const satisfies Record<string, ErrorDefinition>;

export type PlatformErrorCode = keyof typeof PLATFORM_ERRORS;

export class PlatformError extends ServiceError {
  declare readonly code: PlatformErrorCode;

  constructor(code: PlatformErrorCode, message?: string, options?: ServiceErrorOptions) {
    super(code, PLATFORM_ERRORS[code], message, options);
  }
}
