import { TEST_TYPE, type DeliveryStatus } from '../entities/webhook-delivery.entity.js';
import type { DisabledReason } from '../entities/webhook.entity.js';
import type { ClaimedRow } from './deliveries.queries.js';
import type { AttemptOutcome } from './delivery-request.js';
import { GIVE_UP_AFTER_MS, nextTry } from './retry-schedule.js';

/** The consequences of an attempt for its delivery and its webhook. */
export interface AttemptResult {
  readonly status: DeliveryStatus;
  readonly dueAt: Date;
  /** Null if it is sent again. */
  readonly endedAt: Date | null;
  /** Null if it says nothing of the webhook. */
  readonly succeeded: boolean | null;
  /** The time until which the webhook asks to be left alone. */
  readonly pausedUntil: Date | null;
}

const GONE = 410;
/** The receiver asks for all requests to wait, not only for this one. */
const BUSY = new Set([429, 503]);

/** Decides what becomes of a delivery after an attempt. */
export function decideResult({ type, tries }: ClaimedRow, outcome: AttemptOutcome): AttemptResult {
  const { endedAt, retryAfter } = outcome;
  const succeeded = isSuccess(outcome);
  const isTest = type === TEST_TYPE;
  const again = succeeded || isTest ? null : nextTry(tries + 1, endedAt, retryAfter);
  return {
    status: succeeded ? 'delivered' : again ? 'pending' : 'failed',
    dueAt: again ?? endedAt,
    endedAt: again ? null : endedAt,
    succeeded: isTest && !succeeded ? null : succeeded,
    pausedUntil: BUSY.has(outcome.status ?? 0) ? retryAfter : null,
  };
}

/** Returns why an attempt disables its webhook; null if it does not. */
export function reasonToDisable(
  { type, failingSince }: ClaimedRow,
  outcome: AttemptOutcome,
): DisabledReason | null {
  if (outcome.status === GONE) return 'gone';
  if (isSuccess(outcome) || type === TEST_TYPE || failingSince === null) return null;
  return failingSince <= giveUpLimit(outcome.endedAt) ? 'failures' : null;
}

/** A webhook that has failed since then is given up. */
export const giveUpLimit = (now: Date): Date => new Date(now.getTime() - GIVE_UP_AFTER_MS);

const isSuccess = ({ status }: AttemptOutcome): boolean => status !== null && status >= 200 && status < 300;
