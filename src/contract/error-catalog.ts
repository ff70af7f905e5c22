import { PLATFORM_ERRORS } from '../platform/errors/platform-error.js';
import type { ErrorDefinition } from '../platform/errors/service-error.js';

const BEARER = { 'WWW-Authenticate': 'Bearer' };

/** Every error code the service can answer with: the one list that replies, the API document and the tests share. */
export const ERROR_CATALOG = {
  UNAUTHORIZED: {
    status: 401,
    message: 'Send an API key in the header "Authorization: Bearer <API_KEY>".',
    when: '`Authorization` header missing or malformed',
    headers: BEARER,
  },
  INVALID_API_KEY: {
    status: 401,
    message: 'The API key does not exist or has been revoked.',
    when: 'key does not exist or has been revoked',
    headers: BEARER,
  },
  API_KEY_EXPIRED: {
    status: 401,
    message: 'The API key has expired.',
    when: 'key has expired',
    headers: BEARER,
  },
  USER_NOT_FOUND: {
    status: 401,
    message: 'The user this API key belongs to no longer exists.',
    when: "the key's user no longer exists",
    headers: BEARER,
  },
  FORBIDDEN: {
    status: 403,
    message: 'You do not have permission for this resource.',
    when: 'authenticated but lacking permission for the resource',
  },
  RECORDING_NOT_FOUND: {
    status: 404,
    message: 'Recording not found.',
    when: 'recording does not exist or is not accessible',
  },
  RECORDING_LOCKED: {
    status: 403,
    message: 'This recording needs a subscription upgrade.',
    when: 'the feature requires a subscription upgrade',
  },
  TRANSCRIPT_NOT_AVAILABLE: {
    status: 403,
    message: 'Transcription is disabled for the organization or member.',
    when: 'transcription disabled for the organization or member',
  },
  SHARING_DISABLED: {
    status: 403,
    message: 'Sharing is disabled for the organization or member.',
    when: 'sharing disabled for the organization or member',
  },
  ORGANIZATION_SUBSCRIPTION_EXPIRED: {
    status: 402,
    message: "The organization's Enterprise subscription is no longer active.",
    when: "the organization's Enterprise subscription is no longer active",
  },
  SEGMENT_NOT_FOUND: {
    status: 404,
    message: 'The transcript has no such segment.',
    when: 'the transcript has no segment of this number',
  },
  ORGANIZATION_NOT_FOUND: {
    status: 404,
    message: 'Organization not found.',
    when: 'organization does not exist',
  },
  API_KEY_NOT_FOUND: {
    status: 404,
    message: 'API key not found.',
    when: 'key does not exist or belongs to another user',
  },
  ALREADY_REVOKED: {
    status: 400,
    message: 'The API key is already revoked.',
    when: 'key is already revoked',
  },
  SHARE_LINK_NOT_FOUND: {
    status: 404,
    message: 'The recording has no such share link.',
    when: 'the recording has no share link of this id',
  },
  SHARE_PASSWORD_REQUIRED: {
    status: 403,
    message:
      'This share link has a password: send it to POST /shares/:token/access, and what that gives as X-Share-Access.',
    when: 'the share link is protected by a password that was not given yet',
  },
  SHARE_PASSWORD_WRONG: {
    status: 403,
    message: 'That is not the password of this share link.',
    when: 'the password is not that of the share link',
  },
  VALIDATION_ERROR: PLATFORM_ERRORS.VALIDATION_ERROR,
  NOT_FOUND: PLATFORM_ERRORS.NOT_FOUND,
  REQUEST_TIMEOUT: PLATFORM_ERRORS.REQUEST_TIMEOUT,
  CONFLICT: {
    status: 409,
    message: 'The state of the resource does not allow this.',
    when: "the resource's state forbids it",
  },
  PRECONDITION_FAILED: PLATFORM_ERRORS.PRECONDITION_FAILED,
  PAYLOAD_TOO_LARGE: PLATFORM_ERRORS.PAYLOAD_TOO_LARGE,
  UNSUPPORTED_MEDIA_TYPE: {
    ...PLATFORM_ERRORS.UNSUPPORTED_MEDIA_TYPE,
    when: 'the request body is not JSON, or not a video',
  },
  RANGE_NOT_SATISFIABLE: {
    status: 416,
    message: 'The requested range lies outside the file.',
    when: 'the `Range` header asks for bytes the file does not have',
  },
  CHECKSUM_MISMATCH: {
    status: 460,
    message: 'The bytes do not have the checksum that was sent with them; send them again.',
    when: 'an `Upload-Checksum` header does not match the bytes (tus)',
  },
  RATE_LIMITED: {
    ...PLATFORM_ERRORS.RATE_LIMITED,
    message: 'Too many requests with this API key; try again later.',
    when: 'too many requests with one key, or wrong passwords for one share link; see `Retry-After`',
  },
  INTERNAL_ERROR: PLATFORM_ERRORS.INTERNAL_ERROR,
  SERVICE_UNAVAILABLE: PLATFORM_ERRORS.SERVICE_UNAVAILABLE,
} as const satisfies Record<string, ErrorDefinition>;

export type ErrorCode = keyof typeof ERROR_CATALOG;

export const ERROR_CODES = Object.keys(ERROR_CATALOG) as ErrorCode[];
