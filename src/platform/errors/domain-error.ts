import { ERROR_CATALOG, type ErrorCode } from './error-catalog.js';

/**
 * The one error that services throw. The filter turns it into `{"error":{"code","message"}}` with the status of the
 * catalog; `message` is read by the client, so it never holds anything the client may not know. What only the log
 * should say goes into `cause`.
 */
export class DomainError extends Error {
  readonly code: ErrorCode;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    code: ErrorCode,
    message: string = ERROR_CATALOG[code].message,
    options: { cause?: unknown; headers?: Record<string, string> } = {},
  ) {
    super(message, { cause: options.cause });
    this.name = 'DomainError';
    this.code = code;
    this.headers = options.headers ?? DEFAULT_HEADERS[code] ?? {};
  }

  get status(): number {
    return ERROR_CATALOG[this.code].status;
  }
}

/** Headers that belong to a code wherever it is thrown. */
const DEFAULT_HEADERS: Partial<Record<ErrorCode, Record<string, string>>> = {
  UNAUTHORIZED: { 'WWW-Authenticate': 'Bearer' },
  INVALID_API_KEY: { 'WWW-Authenticate': 'Bearer' },
  API_KEY_EXPIRED: { 'WWW-Authenticate': 'Bearer' },
  USER_NOT_FOUND: { 'WWW-Authenticate': 'Bearer' },
  SERVICE_UNAVAILABLE: { 'Retry-After': '2' },
};
