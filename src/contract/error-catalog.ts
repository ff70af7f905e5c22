import { CLI } from './cli.js';
import { PLATFORM_ERRORS } from '../platform/errors/platform-error.js';
import type { ErrorDefinition } from '../platform/errors/service-error.js';
import { LIMITS } from './limits.js';

const BEARER = { 'WWW-Authenticate': 'Bearer' };
/** With which OAuth clients know that they need another (RFC 6750). */
const INVALID_TOKEN = { 'WWW-Authenticate': 'Bearer error="invalid_token"' };

const CREATES_KEY = `An operator creates one with "${CLI} keys create --email EMAIL --name NAME"`;
const ANOTHER_KEY = `Create another with a valid key and POST /api/v1/api-keys. ${CREATES_KEY}.`;
const RENEWS = `An operator renews it with "${CLI} orgs update ORG_ID --subscription active --subscription-ends-at never"`;

/** For those who present the key itself. */
export const expiredMessage = (at: Date): string =>
  `The API key expired at ${at.toISOString()}. ${ANOTHER_KEY}`;

/** `when` completes "returned when"; by default, it is the message itself. */
const error = (
  status: number,
  message: string,
  when = message.replace(/^./, (letter) => letter.toLowerCase()).replace(/\.$/, ''),
  others: Pick<ErrorDefinition, 'advice' | 'headers'> = {},
): ErrorDefinition => ({ status, message, when, ...others });

const notFound = (what: string, when: string): ErrorDefinition => error(404, `${what} not found.`, when);

const CATALOG = {
  UNAUTHORIZED: error(
    401,
    `Send an API key in the header "Authorization: Bearer <API_KEY>". ${CREATES_KEY}.`,
    'the `Authorization` header is missing or malformed',
    { advice: CREATES_KEY, headers: BEARER },
  ),
  INVALID_API_KEY: error(
    401,
    `The API key does not exist or has been revoked. ${ANOTHER_KEY}`,
    'the API key does not exist or has been revoked',
    { advice: CREATES_KEY, headers: BEARER },
  ),
  API_KEY_EXPIRED: error(401, `The API key has expired. ${ANOTHER_KEY}`, 'the API key has expired', {
    advice: CREATES_KEY,
    headers: BEARER,
  }),
  TOKEN_EXPIRED: error(
    401,
    'The browser token has expired. The program that created it creates another with POST /api/v1/tokens.',
    'the browser token or OAuth access token has expired',
    { headers: INVALID_TOKEN },
  ),
  USER_NOT_FOUND: error(
    401,
    'The user this API key belongs to no longer exists.',
    "the API key's user no longer exists",
    { headers: BEARER },
  ),
  SESSION_ENDED: error(
    401,
    'The session has ended. Sign in again.',
    'the cookie of the request is that of a session that has ended',
  ),
  INVALID_TOKEN: error(
    401,
    'The access token was issued for something else, or its connection has been revoked. Connect again.',
    'the OAuth access token is unknown or was issued for another resource, or its connection has been revoked',
    { headers: INVALID_TOKEN },
  ),
  FORBIDDEN: error(
    403,
    'You do not have permission to do this.',
    'the caller does not have permission, or the API key lacks a scope',
  ),
  RECORDING_NOT_FOUND: notFound('Recording', 'the recording does not exist or the caller cannot access it'),
  RECORDING_LOCKED: error(
    403,
    'This recording requires a subscription upgrade.',
    'the recording or the feature requires a subscription upgrade',
  ),
  TRANSCRIPT_NOT_AVAILABLE: error(403, 'Transcription is disabled for the organization or member.'),
  SHARING_DISABLED: error(403, 'Sharing is disabled for the organization or member.'),
  ORGANIZATION_SUBSCRIPTION_EXPIRED: error(
    402,
    `The organization's Enterprise subscription is no longer active. ${RENEWS}.`,
    "the organization's Enterprise subscription is no longer active",
    { advice: RENEWS },
  ),
  QUOTA_EXCEEDED: error(
    403,
    'A limit of the plan has been reached: stored bytes, recordings or uploads per day.',
    'the user or the organization has reached a quota of their plan; see `quotas` in `GET /me`',
  ),
  SEGMENT_NOT_FOUND: notFound('Segment', 'the transcript has no segment with this id'),
  TRANSCRIPT_REVISION_NOT_FOUND: notFound(
    'Transcript revision',
    'the transcript has no revision with this number, or it is no longer kept',
  ),
  SUMMARY_REVISION_NOT_FOUND: notFound(
    'Summary revision',
    'the summary has no revision with this number, or it is no longer kept',
  ),
  TRACK_NOT_FOUND: notFound('Track', 'the recording has no track with this id'),
  ACTION_ITEM_NOT_FOUND: notFound(
    'Action item',
    'the action item does not exist, or the caller does not see its recording',
  ),
  ORGANIZATION_NOT_FOUND: notFound('Organization', 'the organization does not exist'),
  AUDIT_STREAM_NOT_FOUND: error(
    404,
    'The audit log of the organization is sent nowhere.',
    'the audit log of the organization is sent nowhere',
  ),
  MEMBER_NOT_FOUND: error(
    404,
    'The organization has no such member.',
    'the organization has no member with this id',
  ),
  SERVICE_ACCOUNT_NOT_FOUND: error(
    404,
    'The organization has no such service account.',
    'the organization has no service account with this id',
  ),
  FOLDER_NOT_FOUND: notFound('Folder', 'the organization has no folder with this id'),
  INVITATION_NOT_FOUND: error(
    404,
    'The invitation does not exist, has been used, has expired or has been withdrawn.',
  ),
  TRANSFER_NOT_FOUND: error(
    404,
    'There is no pending ownership transfer that you can accept or cancel.',
    'no ownership transfer is pending, or the caller cannot accept or cancel it',
  ),
  API_KEY_NOT_FOUND: notFound('API key', 'the API key does not exist or belongs to another user'),
  ALREADY_REVOKED: error(400, 'The API key is already revoked.'),
  EXPORT_NOT_FOUND: notFound(
    'Export',
    'the export does not exist, has expired, belongs to another user, or has what the caller may no longer read',
  ),
  WEBHOOK_NOT_FOUND: notFound(
    'Webhook',
    'the webhook does not exist, or belongs to another user or to an organization that the caller is not a member of',
  ),
  WEBHOOK_DELIVERY_NOT_FOUND: error(
    404,
    'The webhook has no such delivery, or it is no longer kept.',
    'the webhook has no delivery with this id, or it is no longer kept',
  ),
  SHARE_LINK_NOT_FOUND: notFound('Share link', 'the recording has no share link with this id'),
  SHARE_PASSWORD_REQUIRED: error(
    403,
    'This share link has a password. Exchange it for an access token with POST /shares/{token}/access, and send the token in the X-Share-Access header.',
    'the share link has a password, and the request carries no valid access token',
  ),
  SHARE_PASSWORD_WRONG: error(403, 'Wrong password for this share link.', 'the password is wrong'),
  VALIDATION_ERROR: PLATFORM_ERRORS.VALIDATION_ERROR,
  NOT_FOUND: PLATFORM_ERRORS.NOT_FOUND,
  METHOD_NOT_ALLOWED: PLATFORM_ERRORS.METHOD_NOT_ALLOWED,
  REQUEST_TIMEOUT: PLATFORM_ERRORS.REQUEST_TIMEOUT,
  CONFLICT: error(
    409,
    'The current state of the resource does not allow this.',
    'the current state of the resource does not allow the operation',
  ),
  LEGAL_HOLD: error(
    409,
    'This is under legal hold, so it must be kept.',
    'a legal hold that the caller may know of keeps what would be deleted; other callers get `CONFLICT`',
  ),
  CURSOR_EXPIRED: error(
    410,
    `This cursor is older than ${LIMITS.eventDays} days, so events after it are missing. Begin without a cursor, and read again what you keep a copy of.`,
    'the cursor is older than the events that are kept',
  ),
  PRECONDITION_FAILED: PLATFORM_ERRORS.PRECONDITION_FAILED,
  IDEMPOTENCY_KEY_REUSED: PLATFORM_ERRORS.IDEMPOTENCY_KEY_REUSED,
  IDEMPOTENCY_KEY_IN_USE: PLATFORM_ERRORS.IDEMPOTENCY_KEY_IN_USE,
  IDEMPOTENCY_REPLY_LOST: PLATFORM_ERRORS.IDEMPOTENCY_REPLY_LOST,
  PAYLOAD_TOO_LARGE: PLATFORM_ERRORS.PAYLOAD_TOO_LARGE,
  UNSUPPORTED_MEDIA_TYPE: PLATFORM_ERRORS.UNSUPPORTED_MEDIA_TYPE,
  RANGE_NOT_SATISFIABLE: error(
    416,
    'The requested range is outside the file.',
    'the `Range` header requests bytes outside the file',
  ),
  RATE_LIMITED: {
    ...PLATFORM_ERRORS.RATE_LIMITED,
    when: 'too many requests, or too many wrong passwords; see `Retry-After`',
  },
  INTERNAL_ERROR: PLATFORM_ERRORS.INTERNAL_ERROR,
  SERVICE_UNAVAILABLE: PLATFORM_ERRORS.SERVICE_UNAVAILABLE,
} as const satisfies Record<string, ErrorDefinition>;

type Catalog = typeof CATALOG;

/** An interface, so that the example of `docs/extending.md` can declare its own rows. */
export interface ErrorCatalog extends Catalog {}

/** Every error code the service can return, shared by responses, the API document and tests. */
export const ERROR_CATALOG = CATALOG as ErrorCatalog;

export type ErrorCode = keyof ErrorCatalog;

export const ERROR_CODES = Object.keys(ERROR_CATALOG) as ErrorCode[];
