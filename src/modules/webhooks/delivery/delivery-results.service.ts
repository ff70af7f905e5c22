import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { Clock } from '../../../platform/clock.js';
import { preparedQuery } from '../../../platform/database/prepared-query.js';
import { newId } from '../../../platform/ids.js';
import { TEST_TYPE, type DeliveryStatus } from '../entities/webhook-delivery.entity.js';
import type { DisabledReason } from '../entities/webhook.entity.js';
import { UNSYNCED, type ClaimedDelivery } from './delivery-claims.service.js';
import type { DeliveryMessage } from './delivery-messages.service.js';
import type { AttemptOutcome } from './delivery-request.service.js';
import { GIVE_UP_AFTER_MS, nextTry } from './retry-schedule.js';

type SentMessage = Pick<DeliveryMessage, 'body' | 'isPrivate'>;

const GONE = 410;
/** The receiver asks for all requests to wait, not only for this one. */
const BUSY = new Set([429, 503]);
/** How exact `succeeded_at` is: a webhook's row is not written with each of its deliveries. */
const SUCCESS_EVERY = '1 minute';

/**
 * The attempt, the delivery, and the webhook. If another process has taken the delivery over, it stays as it is. $1: delivery; $2: claim;
 * $3: its status; $4: when it is due; $5: when it ended; $6 to $13: the attempt; $14: whether the body has what the ids stand for;
 * $15: the webhook; $16: whether it succeeded, null if that says nothing of the webhook; $17: until when it asks to be left alone.
 * A concurrent deletion waits, so that the body is either erased by it or not written.
 */
const RECORD = `
  WITH unsynced AS MATERIALIZED (SELECT ${UNSYNCED}), delivery AS (
    SELECT id, organization_id, recording_id, user_id FROM webhook_deliveries WHERE id = $1
  ), organization AS MATERIALIZED (
    SELECT FROM organizations WHERE id = (SELECT organization_id FROM delivery WHERE recording_id IS NULL AND $14::boolean)
      AND deleted_at IS NULL FOR KEY SHARE
  ), recording AS MATERIALIZED (
    SELECT FROM recordings WHERE id = (SELECT recording_id FROM delivery) FOR KEY SHARE
  ), member AS MATERIALIZED (
    SELECT FROM organization_members m JOIN delivery d USING (organization_id, user_id) FOR KEY SHARE OF m
  ), ended AS (
    UPDATE webhook_deliveries SET status = $3, tries = tries + 1, due_at = $4, ended_at = $5, claim = NULL
    WHERE id = $1 AND claim = $2
  ), endpoint AS (
    UPDATE webhooks
    SET failing_since = CASE WHEN NOT $16 THEN coalesce(failing_since, $7) END,
        succeeded_at = CASE WHEN $16 THEN $7 ELSE succeeded_at END,
        paused_until = CASE WHEN NOT $16 THEN greatest(paused_until, $17) END
    WHERE id = $15 AND CASE
      WHEN $16::boolean THEN failing_since IS NOT NULL OR paused_until IS NOT NULL
        OR coalesce(succeeded_at < $7::timestamptz - interval '${SUCCESS_EVERY}', true)
      ELSE NOT $16 AND (failing_since IS NULL OR $17::timestamptz IS NOT NULL) END
  )
  INSERT INTO webhook_attempts (id, delivery_id, at, duration_ms, url, body, response_status, response_body, error)
  SELECT $6, d.id, $7, $8, $9, CASE WHEN body.may_be_kept THEN $10 END, $11, CASE WHEN body.may_be_kept THEN $12 END, $13
  FROM unsynced, delivery d
  CROSS JOIN LATERAL (
    SELECT NOT $14::boolean OR (
      CASE WHEN d.recording_id IS NULL THEN d.organization_id IS NULL OR EXISTS (SELECT FROM organization)
        ELSE EXISTS (SELECT FROM recording) END
      AND (d.organization_id IS NULL OR d.user_id IS NULL OR EXISTS (SELECT FROM member))) AS may_be_kept) AS body`;

const DISABLE = `
  UPDATE webhooks SET enabled = false, disabled_reason = $2
  WHERE id = $1 AND enabled AND ($2 = 'gone' OR failing_since <= $3)`;

/** Writes what came of attempts, and disables webhooks whose receivers are gone. */
@Injectable()
export class DeliveryResultsService {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly clock: Clock,
  ) {}

  async record(claimed: ClaimedDelivery, message: SentMessage, outcome: AttemptOutcome): Promise<void> {
    const reason = reasonToDisable(claimed, outcome);
    if (reason !== null)
      await this.dataSource.query(DISABLE, [claimed.webhookId, reason, giveUpLimit(this.clock.now())]);
    const parameters = parametersOf(claimed, message, outcome);
    await preparedQuery(this.dataSource, { name: 'record_webhook', text: RECORD }, parameters);
  }
}

const giveUpLimit = (now: Date): Date => new Date(now.getTime() - GIVE_UP_AFTER_MS);

function reasonToDisable(
  { type, failingSince }: ClaimedDelivery,
  outcome: AttemptOutcome,
): DisabledReason | null {
  if (outcome.status === GONE) return 'gone';
  if (isSuccess(outcome) || type === TEST_TYPE || failingSince === null) return null;
  return failingSince <= giveUpLimit(outcome.endedAt) ? 'failures' : null;
}

const isSuccess = ({ status }: AttemptOutcome): boolean => status !== null && status >= 200 && status < 300;

function parametersOf(
  { id, webhookId, claim, type, tries, urlMasked }: ClaimedDelivery,
  { body, isPrivate }: SentMessage,
  outcome: AttemptOutcome,
): unknown[] {
  const { at, endedAt, durationMs, reply, error, retryAfter } = outcome;
  const succeeded = isSuccess(outcome);
  const isTest = type === TEST_TYPE;
  const again = succeeded || isTest ? null : nextTry(tries + 1, endedAt, retryAfter);
  const status: DeliveryStatus = succeeded ? 'delivered' : again ? 'pending' : 'failed';
  const attempt = [newId(), at, durationMs, urlMasked, body, outcome.status, reply, error];
  const pause = BUSY.has(outcome.status ?? 0) ? retryAfter : null;
  const verdict = isTest && !succeeded ? null : succeeded;
  return [
    id,
    claim,
    status,
    again ?? endedAt,
    again ? null : endedAt,
    ...attempt,
    isPrivate,
    webhookId,
    verdict,
    pause,
  ];
}
