const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** The delays from a failed attempt to the next one. */
const DELAYS_MS = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
];
/** Deliveries that failed at the same moment are not all tried again at another one. */
const JITTER = 0.1;
const LONGEST_WAIT_MS = 24 * HOUR_MS;

/** Failures without a success in between for so long disable a webhook. */
export const GIVE_UP_AFTER_MS = 5 * 24 * HOUR_MS;

/**
 * Returns when to try again after `tries` failed attempts, not before the receiver wants to; null if that was the last
 * one. `random`: 0 to 1.
 */
export function nextTry(
  tries: number,
  now: Date,
  notBefore: Date | null,
  random = Math.random(),
): Date | null {
  const delay = DELAYS_MS[tries - 1];
  if (delay === undefined) return null;
  const time = now.getTime() + delay * (1 - JITTER + 2 * JITTER * random);
  return new Date(Math.max(time, notBefore?.getTime() ?? 0));
}

/** `Retry-After`, in seconds or as a date, at most a day from now; null if it is absent, past or anything else. */
export function readRetryAfter(header: string | undefined, now: Date): Date | null {
  if (header === undefined || header.length > 100) return null;
  const time = /^\d+$/.test(header) ? now.getTime() + Number(header) * SECOND_MS : Date.parse(header);
  if (Number.isNaN(time) || time <= now.getTime()) return null;
  return new Date(Math.min(time, now.getTime() + LONGEST_WAIT_MS));
}
