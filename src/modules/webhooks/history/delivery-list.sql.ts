import { joined, sql, type Sql } from '../../../platform/database/sql.js';
import type { CursorPosition } from '../../../platform/http/cursor.js';
import type { DeliveryStatus } from '../entities/webhook-delivery.entity.js';

interface DeliveryConditions {
  readonly webhookId: string;
  readonly deliveryId?: string;
  readonly status?: DeliveryStatus;
  readonly type?: string;
  readonly after?: CursorPosition;
  readonly limit: number;
}

const COLUMNS = `d.id, d.webhook_id AS "webhookId", d.event_id AS "eventId", d.type, d.organization_id AS "organizationId",
  d.recording_id AS "recordingId", d.at, d.status, d.due_at AS "dueAt", d.claim, d.created_at AS "createdAt",
  d.ended_at AS "endedAt"`;

/** Deliveries of a webhook, newest first, and one more than the limit. */
export function deliveryList({ webhookId, deliveryId, status, type, after, limit }: DeliveryConditions): Sql {
  const where = joined(
    [
      sql`webhook_id = ${webhookId}::uuid`,
      deliveryId !== undefined && sql`id = ${deliveryId}::uuid`,
      status !== undefined && sql`status = ${status}::text`,
      type !== undefined && sql`type = ${type}::text`,
      after && sql`(created_at, id) < (${after.createdAt}::timestamptz, ${after.id}::uuid)`,
    ],
    ' AND ',
  );
  return sql`
    SELECT ${() => COLUMNS}, (SELECT count(*)::int FROM webhook_attempts a WHERE a.delivery_id = d.id) AS "attemptCount",
           last.response_status AS "responseStatus", last.error
    FROM (SELECT * FROM webhook_deliveries WHERE ${where} ORDER BY created_at DESC, id DESC LIMIT ${limit + 1}::int) AS d
    LEFT JOIN LATERAL (SELECT response_status, error FROM webhook_attempts a WHERE a.delivery_id = d.id
                       ORDER BY a.at DESC, a.id DESC LIMIT 1) AS last ON true
    ORDER BY d.created_at DESC, d.id DESC`;
}
