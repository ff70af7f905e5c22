import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { Clock } from '../../../platform/clock.js';
import { newId } from '../../../platform/ids.js';
import { TEST_TYPE, type WebhookDelivery } from '../entities/webhook-delivery.entity.js';
import type { Webhook } from '../entities/webhook.entity.js';
import type { EndpointSlots } from './endpoint-slots.js';

/** A delivery that this process alone may send, until its lease ends. `tries`: attempts so far. */
export type ClaimedDelivery = Omit<WebhookDelivery, 'status' | 'dueAt' | 'createdAt' | 'endedAt'> &
  Pick<Webhook, 'urlSealed' | 'sealingKeyId' | 'urlMasked' | 'failingSince'> & {
    /** Whose rights decide what is sent; null for a test of a webhook that nobody is responsible for. */
    readonly reader: string | null;
    /** Whether the webhook is known to answer. */
    readonly fast: boolean;
  };

/** Longer than any attempt with what belongs to it. If the process is killed, another one sends it then. */
const LEASE_MS = 60_000;
/** Requests at once to a webhook that answers; to others, it is one. */
const MOST_PER_ENDPOINT = 4;
/** Due deliveries of a webhook among which a round looks for one that need not wait. */
const LOOKED_AT = 64;
/** If all of those wait for earlier ones, as after a worker was killed, so many are put aside for so long: others are behind them. */
const PUT_ASIDE = 500;
const ASIDE = '5 seconds';

/** An earlier event of the same recording is being sent, or has not failed twice. */
const WAITS = `EXISTS (
        SELECT FROM webhook_deliveries b
        WHERE b.webhook_id = d.webhook_id AND b.recording_id = d.recording_id AND b.status = 'pending' AND b.position < d.position
          AND (b.tries < 2 OR (b.claim IS NOT NULL AND b.due_at > $1)))`;

const due = (webhookId: 'e.id', most: number): string => `
        SELECT * FROM webhook_deliveries WHERE webhook_id = ${webhookId} AND status = 'pending' AND due_at <= $1
        ORDER BY due_at, position LIMIT ${most}`;

/**
 * The commit does not wait for the disk. If PostgreSQL itself crashes, claims and results of the last moment are lost: these deliveries
 * are sent again, which receivers expect.
 */
export const UNSYNCED = `set_config('synchronous_commit', 'off', true)`;

/**
 * Chooses due deliveries of many webhooks at once. $1: now; $2: end of the lease; $3: the claim; $4, $5, $6: what this process knows
 * of webhooks; $7, $8: requests that may be started to webhooks that answer in time, and to others.
 *
 * An earlier event of the same recording comes first, until it has failed twice. Tests are sent in any case. Among webhooks that
 * do not answer, those that have not failed come first, and chance decides: none can keep the others waiting.
 */
const CLAIM = `
  WITH RECURSIVE waiting AS (
    (SELECT webhook_id FROM webhook_deliveries WHERE status = 'pending' ORDER BY webhook_id LIMIT 1)
    UNION ALL
    SELECT (SELECT d.webhook_id FROM webhook_deliveries d WHERE d.status = 'pending' AND d.webhook_id > waiting.webhook_id
            ORDER BY d.webhook_id LIMIT 1)
    FROM waiting WHERE waiting.webhook_id IS NOT NULL
  ), endpoints AS (
    SELECT w.id, w.failing_since IS NOT NULL AS failing, w.enabled AND coalesce(w.paused_until <= $1, true) AS open,
           answers.fast, greatest(0, CASE WHEN answers.fast THEN ${MOST_PER_ENDPOINT} ELSE 1 END - coalesce(known.requests, 0)) AS room
    FROM waiting JOIN webhooks w ON w.id = waiting.webhook_id
    LEFT JOIN unnest($4::uuid[], $5::int[], $6::boolean[]) AS known (id, requests, slow) ON known.id = w.id
    CROSS JOIN LATERAL (
      SELECT w.failing_since IS NULL AND w.succeeded_at IS NOT NULL AND known.slow IS NOT TRUE AS fast) AS answers
  ), candidates AS (
    SELECT e.id AS webhook_id, e.failing, e.fast, due.id
    FROM endpoints e CROSS JOIN LATERAL (
      SELECT d.id FROM (${due('e.id', LOOKED_AT)}) AS d
      WHERE (e.open OR d.type = '${TEST_TYPE}') AND NOT ${WAITS}
      ORDER BY d.due_at, d.position LIMIT e.room) AS due
    WHERE e.room > 0
  ), waits AS (
    SELECT d.id FROM endpoints e CROSS JOIN LATERAL (${due('e.id', PUT_ASIDE)}) AS d
    WHERE e.room > 0 AND e.open AND NOT EXISTS (SELECT FROM candidates c WHERE c.webhook_id = e.id)
      AND (SELECT count(*) FROM (${due('e.id', LOOKED_AT)}) AS first) = ${LOOKED_AT} AND ${WAITS}
  ), aside AS (
    SELECT d.id FROM webhook_deliveries d JOIN waits ON waits.id = d.id
    WHERE d.status = 'pending' AND d.due_at <= $1 FOR NO KEY UPDATE OF d SKIP LOCKED
  ), put_aside AS (
    UPDATE webhook_deliveries d SET due_at = $1::timestamptz + interval '${ASIDE}' FROM aside WHERE d.id = aside.id
  ), chosen AS (
    SELECT id, fast FROM (
      SELECT id, fast, row_number() OVER (PARTITION BY fast ORDER BY failing, random()) AS nth FROM candidates) AS ranked
    WHERE nth <= CASE WHEN fast THEN $7::int ELSE $8::int END
  ), locked AS (
    SELECT d.id, chosen.fast FROM webhook_deliveries d JOIN chosen ON chosen.id = d.id
    WHERE d.status = 'pending' AND d.due_at <= $1 FOR NO KEY UPDATE OF d SKIP LOCKED
  ), claimed AS (
    UPDATE webhook_deliveries d SET due_at = $2, claim = $3 FROM locked WHERE d.id = locked.id
    RETURNING d.*, locked.fast
  ), unsynced AS MATERIALIZED (SELECT ${UNSYNCED})
  SELECT c.id, c.webhook_id AS "webhookId", c.event_id AS "eventId", c.position, c.type, c.audience,
         c.organization_id AS "organizationId", c.recording_id AS "recordingId", c.user_id AS "userId", c.at, c.claim, c.tries,
         c.fast, w.url_sealed AS "urlSealed", w.sealing_key_id AS "sealingKeyId", w.url_masked AS "urlMasked",
         w.failing_since AS "failingSince", w.created_by AS reader
  FROM claimed c JOIN webhooks w ON w.id = c.webhook_id, unsynced
  ORDER BY c.position`;

/** Claims deliveries, so that of all processes one sends each. */
@Injectable()
export class DeliveryClaimsService {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly clock: Clock,
  ) {}

  /** Due deliveries for which there is room. */
  async claim(slots: EndpointSlots): Promise<ClaimedDelivery[]> {
    const { fast, other } = slots.room();
    if (fast + other === 0) return [];
    const known = slots.known();
    const now = this.clock.now();
    return this.dataSource.query(CLAIM, [
      now,
      new Date(now.getTime() + LEASE_MS),
      newId(),
      known.map(({ id }) => id),
      known.map(({ requests }) => requests),
      known.map(({ slow }) => slow),
      fast,
      other,
    ]);
  }
}
