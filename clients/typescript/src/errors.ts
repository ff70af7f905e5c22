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

export class UnauthorizedError extends ApiError<'UNAUTHORIZED'> {}
export class InvalidApiKeyError extends ApiError<'INVALID_API_KEY'> {}
export class ApiKeyExpiredError extends ApiError<'API_KEY_EXPIRED'> {}
export class UserNotFoundError extends ApiError<'USER_NOT_FOUND'> {}
export class ForbiddenError extends ApiError<'FORBIDDEN'> {}
export class RecordingNotFoundError extends ApiError<'RECORDING_NOT_FOUND'> {}
export class RecordingLockedError extends ApiError<'RECORDING_LOCKED'> {}
export class TranscriptNotAvailableError extends ApiError<'TRANSCRIPT_NOT_AVAILABLE'> {}
export class SharingDisabledError extends ApiError<'SHARING_DISABLED'> {}
export class OrganizationSubscriptionExpiredError extends ApiError<'ORGANIZATION_SUBSCRIPTION_EXPIRED'> {}
export class QuotaExceededError extends ApiError<'QUOTA_EXCEEDED'> {}
export class SegmentNotFoundError extends ApiError<'SEGMENT_NOT_FOUND'> {}
export class TranscriptRevisionNotFoundError extends ApiError<'TRANSCRIPT_REVISION_NOT_FOUND'> {}
export class SummaryRevisionNotFoundError extends ApiError<'SUMMARY_REVISION_NOT_FOUND'> {}
export class ActionItemNotFoundError extends ApiError<'ACTION_ITEM_NOT_FOUND'> {}
export class OrganizationNotFoundError extends ApiError<'ORGANIZATION_NOT_FOUND'> {}
export class MemberNotFoundError extends ApiError<'MEMBER_NOT_FOUND'> {}
export class ServiceAccountNotFoundError extends ApiError<'SERVICE_ACCOUNT_NOT_FOUND'> {}
export class FolderNotFoundError extends ApiError<'FOLDER_NOT_FOUND'> {}
export class InvitationNotFoundError extends ApiError<'INVITATION_NOT_FOUND'> {}
export class TransferNotFoundError extends ApiError<'TRANSFER_NOT_FOUND'> {}
export class ApiKeyNotFoundError extends ApiError<'API_KEY_NOT_FOUND'> {}
export class AlreadyRevokedError extends ApiError<'ALREADY_REVOKED'> {}
export class WebhookNotFoundError extends ApiError<'WEBHOOK_NOT_FOUND'> {}
export class WebhookDeliveryNotFoundError extends ApiError<'WEBHOOK_DELIVERY_NOT_FOUND'> {}
export class ShareLinkNotFoundError extends ApiError<'SHARE_LINK_NOT_FOUND'> {}
export class SharePasswordRequiredError extends ApiError<'SHARE_PASSWORD_REQUIRED'> {}
export class SharePasswordWrongError extends ApiError<'SHARE_PASSWORD_WRONG'> {}
export class ValidationError extends ApiError<'VALIDATION_ERROR'> {}
export class NotFoundError extends ApiError<'NOT_FOUND'> {}
export class MethodNotAllowedError extends ApiError<'METHOD_NOT_ALLOWED'> {}
export class RequestTimeoutError extends ApiError<'REQUEST_TIMEOUT'> {}
export class ConflictError extends ApiError<'CONFLICT'> {}
export class CursorExpiredError extends ApiError<'CURSOR_EXPIRED'> {}
export class PreconditionFailedError extends ApiError<'PRECONDITION_FAILED'> {}
export class IdempotencyKeyReusedError extends ApiError<'IDEMPOTENCY_KEY_REUSED'> {}
export class IdempotencyKeyInUseError extends ApiError<'IDEMPOTENCY_KEY_IN_USE'> {}
export class IdempotencyReplyLostError extends ApiError<'IDEMPOTENCY_REPLY_LOST'> {}
export class PayloadTooLargeError extends ApiError<'PAYLOAD_TOO_LARGE'> {}
export class UnsupportedMediaTypeError extends ApiError<'UNSUPPORTED_MEDIA_TYPE'> {}
export class RangeNotSatisfiableError extends ApiError<'RANGE_NOT_SATISFIABLE'> {}
export class RateLimitedError extends ApiError<'RATE_LIMITED'> {}
export class InternalError extends ApiError<'INTERNAL_ERROR'> {}
export class ServiceUnavailableError extends ApiError<'SERVICE_UNAVAILABLE'> {}
