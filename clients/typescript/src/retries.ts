import { ApiError, ConnectionError, TimeoutError } from './errors.js';

/** Somebody who has to wait longer should decide that themselves. */
const LONGEST_RETRY_AFTER_SECONDS = 60;
const FIRST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 8_000;

/** These create or change nothing twice, and need no key for that: they receive files, passwords or keys that have leaked. */
const TAKES_NO_KEY = /^\/(uploads|shares)(\/|$)|^\/api-keys\/revoke-leaked$/;

/** Their replies say what else has ended with somebody's membership, which the reply to a second request would not. */
const REPORTS = /^\/(me|users\/\{id\}|organizations\/\{id\}\/(members|service-accounts)\/\{\w+\})$/;

/** Whether the operation takes an `Idempotency-Key`. */
export const takesKey = (method: string, path: string): boolean =>
  (method === 'post' || method === 'patch') && !TAKES_NO_KEY.test(path);

/** Whether a request may be sent again if the first one may have been carried out. With a revision, the second would fail. */
export function isRepeatable(method: string, path: string, hasRevision: boolean): boolean {
  if (method === 'get' || method === 'head' || takesKey(method, path)) return true;
  return !hasRevision && (method === 'put' || (method === 'delete' && !REPORTS.test(path)));
}

/** Whether the request may have been carried out although its reply says nothing of it. */
export const isLost = (error: unknown): boolean =>
  error instanceof ConnectionError ||
  error instanceof TimeoutError ||
  (error instanceof ApiError && error.status >= 500);

/** Milliseconds before the next attempt, after this many; null if there is to be none. */
export function delayAfter(error: unknown, attempts: number, repeatable: boolean): number | null {
  if (error instanceof ApiError && error.retryAfter !== null) {
    return error.retryAfter <= LONGEST_RETRY_AFTER_SECONDS ? error.retryAfter * 1000 : null;
  }
  return repeatable && isLost(error) ? backoff(attempts) : null;
}

/** Doubles with each attempt; random, so that clients which failed together do not return together. */
export const backoff = (attempts: number): number =>
  Math.min(FIRST_DELAY_MS * 2 ** (attempts - 1), LONGEST_DELAY_MS) * (0.5 + Math.random() / 2);

/** Seconds of a `Retry-After`, which is a number or a date; null if there is none. */
export function readRetryAfter(headers: Headers): number | null {
  const value = headers.get('retry-after');
  if (!value) return null;
  const seconds = /^\d+$/.test(value) ? Number(value) : (Date.parse(value) - Date.now()) / 1000;
  return Number.isNaN(seconds) ? null : Math.max(0, Math.ceil(seconds));
}
