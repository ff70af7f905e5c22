import type { EntityManager } from 'typeorm';
import { tableOf, type Sql, sql } from '../../../platform/database/sql.js';
import { newId } from '../../../platform/ids.js';
import type { WebhookDelivery } from '../entities/webhook-delivery.entity.js';
import type { DisabledReason, Webhook } from '../entities/webhook.entity.js';
import type { RequestsUnderWay } from '../../../platform/outbound/requests-under-way.js';
import type { WebhookReader } from './webhook-reader.js';
import { LIMITS } from '../../../contract/limits.js';

/** The channel that is notified when something is due. */
export const DELIVERIES_CHANNEL = 'webhooks';

/** The commit does not wait for the disk: what a crash of PostgreSQL loses is sent again, as receivers expect. */
export const UNSYNCED = `set_config('synchronous_commit', 'off', true)`;

/** A delivery that this process alone may send, until its lease ends. `tries`: attempts so far. */
export type ClaimedRow = Omit<WebhookDelivery, 'status' | 'dueAt' | 'createdAt' | 'endedAt'> &
  Pick<Webhook, 'urlSealed' | 'sealingKeyId' | 'urlMasked' | 'failingSince'> &
  WebhookReader & {
    /** Whether the webhook is known to answer. */
    readonly fast: boolean;
    /** The trace that the change was part of; null without one, and for a test. */
    readonly traceparent: string | null;
  };

/** Longer than any attempt with what belongs to it. If the process is killed, another one sends it then. */
const LEASE_MS = 60_000;
/** Due deliveries of a webhook among which a round looks for one that need not wait. */
const LOOKED_AT = 64;
/** If all of those wait for earlier ones, as after a worker was killed, this many are put aside for this time. */
const PUT_ASIDE = 500;
const ASIDE = '5 seconds';

/** Wakes the senders of all processes once the transaction has committed. */
export async function notifySenders(manager: EntityManager): Promise<void> {
  await sql(manager)`SELECT pg_notify(${DELIVERIES_CHANNEL}, '')`;
}

/**
 * Claims due deliveries of many webhooks at once: for those that are known to answer and for others, as many as there
 * is room for.
 *
 * An earlier event of the same recording comes first, until it has failed twice. Tests are sent in any case. Among
 * webhooks that do not answer, those that have not failed come first, and chance decides: none can keep the others
 * waiting.
 */
export async function claimDeliveries(
  manager: EntityManager,
  requests: RequestsUnderWay,
  now: Date,
): Promise<ClaimedRow[]> {
  const room = requests.room();
  if (room.fast + room.other === 0) return [];
  const time = sql`${now}::timestamptz`;
  const due = (limit: number): Sql => sql`
        SELECT * FROM webhook_deliveries WHERE webhook_id = e.id AND status = 'pending' AND due_at <= ${time}
        ORDER BY due_at, position LIMIT ${limit}::int`;
  // An earlier event of the same recording is being sent, or has not failed twice.
  const waits = sql`EXISTS (
        SELECT FROM webhook_deliveries b
        WHERE b.webhook_id = d.webhook_id AND b.recording_id = d.recording_id AND b.status = 'pending' AND b.position < d.position
          AND (b.tries < 2 OR (b.claim IS NOT NULL AND b.due_at > ${time})))`;
  const statement = sql`
  WITH RECURSIVE waiting AS (
    (SELECT webhook_id FROM webhook_deliveries WHERE status = 'pending' ORDER BY webhook_id LIMIT 1)
    UNION ALL
    SELECT (SELECT d.webhook_id FROM webhook_deliveries d WHERE d.status = 'pending' AND d.webhook_id > waiting.webhook_id
            ORDER BY d.webhook_id LIMIT 1)
    FROM waiting WHERE waiting.webhook_id IS NOT NULL
  ), endpoints AS (
    SELECT w.id, w.failing_since IS NOT NULL AS failing, w.enabled AND coalesce(w.paused_until <= ${time}, true) AS open, answers.fast,
           greatest(0, CASE WHEN answers.fast THEN ${LIMITS.webhookRequests}::int ELSE 1 END - coalesce(known.requests, 0)) AS room
    FROM waiting JOIN webhooks w ON w.id = waiting.webhook_id
    LEFT JOIN ${tableOf(requests.knownColumns(), 'known')} ON known.id = w.id
    CROSS JOIN LATERAL (
      SELECT w.failing_since IS NULL AND w.succeeded_at IS NOT NULL AND known.slow IS NOT TRUE AS fast) AS answers
  ), candidates AS (
    SELECT e.id AS webhook_id, e.failing, e.fast, due.id
    FROM endpoints e CROSS JOIN LATERAL (
      SELECT d.id FROM (${due(LOOKED_AT)}) AS d
      WHERE (e.open OR d.position IS NULL) AND NOT ${waits}
      ORDER BY d.due_at, d.position LIMIT e.room) AS due
    WHERE e.room > 0
  ), waits AS (
    SELECT d.id FROM endpoints e CROSS JOIN LATERAL (${due(PUT_ASIDE)}) AS d
    WHERE e.room > 0 AND e.open AND NOT EXISTS (SELECT FROM candidates c WHERE c.webhook_id = e.id)
      AND (SELECT count(*) FROM (${due(LOOKED_AT)}) AS first) = ${LOOKED_AT}::int AND ${waits}
  ), aside AS (
    SELECT d.id FROM webhook_deliveries d JOIN waits ON waits.id = d.id
    WHERE d.status = 'pending' AND d.due_at <= ${time} FOR NO KEY UPDATE OF d SKIP LOCKED
  ), put_aside AS (
    UPDATE webhook_deliveries d SET due_at = ${time} + ${ASIDE}::interval FROM aside WHERE d.id = aside.id
  ), chosen AS (
    SELECT id, fast FROM (
      SELECT id, fast, row_number() OVER (PARTITION BY fast ORDER BY failing, random()) AS nth FROM candidates) AS ranked
    WHERE nth <= CASE WHEN fast THEN ${room.fast}::int ELSE ${room.other}::int END
  ), locked AS (
    SELECT d.id, chosen.fast FROM webhook_deliveries d JOIN chosen ON chosen.id = d.id
    WHERE d.status = 'pending' AND d.due_at <= ${time} FOR NO KEY UPDATE OF d SKIP LOCKED
  ), claimed AS (
    UPDATE webhook_deliveries d SET due_at = ${new Date(now.getTime() + LEASE_MS)}::timestamptz, claim = ${newId()}::uuid
    FROM locked WHERE d.id = locked.id
    RETURNING d.*, locked.fast
  ), unsynced AS MATERIALIZED (SELECT ${() => UNSYNCED})
  SELECT c.id, c.webhook_id AS "webhookId", c.event_id AS "eventId", c.position, c.type, c.audience,
         c.organization_id AS "organizationId", c.recording_id AS "recordingId", c.user_id AS "userId", c.target_id AS "targetId", c.at, c.claim, c.tries,
         c.fast, w.url_sealed AS "urlSealed", w.sealing_key_id AS "sealingKeyId", w.url_masked AS "urlMasked",
         w.failing_since AS "failingSince", w.created_by AS reader, w.organization_id AS home,
         (SELECT traceparent FROM events WHERE change_id = c.event_id)
  FROM claimed c JOIN webhooks w ON w.id = c.webhook_id, unsynced
  ORDER BY c.position`;
  return sql(manager)`${statement}`;
}

/** Disables a webhook, unless it is `failures` and it has succeeded since `limit`. */
export async function disableWebhook(
  manager: EntityManager,
  webhookId: string,
  reason: DisabledReason,
  limit: Date,
): Promise<void> {
  await sql(manager)`
    UPDATE webhooks SET enabled = false, disabled_reason = ${reason}::text
    WHERE id = ${webhookId} AND enabled AND (${reason}::text = 'gone' OR failing_since <= ${limit})`;
}
