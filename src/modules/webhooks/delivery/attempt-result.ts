import type { DisabledReason } from '../entities/webhook.entity.js';
import type { ClaimedRow } from './deliveries.queries.js';
import type { AttemptOutcome } from './delivery-request.js';
import { DAY_MS, SECOND_MS } from '../../../lib/durations.js';
import { LIMITS } from '../../../contract/limits.js';

const GONE = 410;
/** The receiver asks for all requests to wait, not only for this one. */
const BUSY = new Set([429, 503]);

/** Decides what becomes of a delivery, and of its webhook, after an attempt. */
export function decideResult({ position, tries }: ClaimedRow, outcome: AttemptOutcome) {
  const { endedAt, retryAfter } = outcome;
  const succeeded = isSuccess(outcome);
  const isTest = position === null;
  const again = succeeded || isTest ? null : nextTry(tries + 1, endedAt, retryAfter);
  return {
    status: succeeded ? 'delivered' : again ? 'pending' : 'failed',
    dueAt: again ?? endedAt,
    endedAt: again ? null : endedAt,
    // That a test fails says nothing of the webhook.
    succeeded: isTest && !succeeded ? null : succeeded,
    pausedUntil: BUSY.has(outcome.status ?? 0) ? retryAfter : null,
  };
}

/** Returns why an attempt disables its webhook; null if it does not. */
export function reasonToDisable(
  { position, failingSince }: ClaimedRow,
  outcome: AttemptOutcome,
): DisabledReason | null {
  if (outcome.status === GONE) return 'gone';
  if (isSuccess(outcome) || position === null || failingSince === null) return null;
  return failingSince <= giveUpLimit(outcome.endedAt) ? 'failures' : null;
}

/** A webhook that has failed since then is given up. */
export const giveUpLimit = (now: Date): Date => new Date(now.getTime() - LIMITS.webhookFailureDays * DAY_MS);

export const isSuccess = ({ status }: AttemptOutcome): boolean =>
  status !== null && status >= 200 && status < 300;

/** Deliveries that failed at the same moment are not all tried again at another one. */
const JITTER = 0.1;

/**
 * Returns when to try again after `tries` failures, not before the receiver wants to; null if that was the last time.
 */
export function nextTry(
  tries: number,
  now: Date,
  notBefore: Date | null,
  random = Math.random(),
): Date | null {
  const delay = LIMITS.webhookRetries[tries - 1];
  if (delay === undefined) return null;
  const time = now.getTime() + delay * SECOND_MS * (1 - JITTER + 2 * JITTER * random);
  return new Date(Math.max(time, notBefore?.getTime() ?? 0));
}
