import { ServiceError, type ErrorDefinition, type ServiceErrorOptions } from './service-error.js';

/** The error codes that the platform gives by itself; the contract lists them among all others. */
export const PLATFORM_ERRORS = {
  VALIDATION_ERROR: {
    status: 400,
    message: 'The request is not valid.',
    when: 'invalid or missing request parameters',
  },
  NOT_FOUND: { status: 404, message: 'There is nothing at this address.', when: 'unknown route or address' },
  REQUEST_TIMEOUT: {
    status: 408,
    message: 'The request did not arrive in time.',
    when: 'the request was not completed in time',
  },
  PRECONDITION_FAILED: {
    status: 412,
    message: 'The resource is not in the state that the request asks for.',
    when: 'an `If-Match` or `If-Unmodified-Since` header does not hold',
  },
  PAYLOAD_TOO_LARGE: {
    status: 413,
    message: 'The request body is too large.',
    when: 'the request body is larger than the operation takes',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    message: 'Send the body as application/json.',
    when: 'the request body is of a type that the operation does not take',
  },
  RATE_LIMITED: {
    status: 429,
    message: 'Too many requests; try again later.',
    when: 'too many requests; see `Retry-After`',
  },
  INTERNAL_ERROR: { status: 500, message: 'Something went wrong on our side.', when: 'server-side error' },
  SERVICE_UNAVAILABLE: {
    status: 503,
    message: 'The service is temporarily unavailable; try again shortly.',
    when: 'database or storage unreachable, or too many requests wait for costly work; see `Retry-After`',
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
