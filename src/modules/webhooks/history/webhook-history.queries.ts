import type { EntityManager } from 'typeorm';
import { required } from '../../../contract/domain-error.js';
import { parseTimestamp, endOf } from '../../../platform/clock/timestamps.js';
import { joined, sql } from '../../../platform/database/sql.js';
import { readCursor } from '../../../platform/http/replies/cursor.js';
import type { ListDeliveriesDto, ReplayDeliveriesDto } from '../dto/webhook.request.dto.js';
import { isUuid } from '../../../platform/ids.js';
import type { WebhookDelivery } from '../entities/webhook-delivery.entity.js';

/** A delivery with what came of its last attempt, if there was one. */
export interface ListedDelivery extends WebhookDelivery {
  readonly attemptCount: number;
  readonly responseStatus: number | null;
  readonly error: string | null;
}

const COLUMNS = `d.id, d.webhook_id AS "webhookId", d.event_id AS "eventId", d.position, d.type, d.organization_id AS "organizationId",
  d.recording_id AS "recordingId", d.at, d.status, d.due_at AS "dueAt", d.claim, d.created_at AS "createdAt",
  d.ended_at AS "endedAt"`;

/** Deliveries of a webhook, newest first, and one more than the limit. */
export async function findDeliveries(
  manager: EntityManager,
  query: ListDeliveriesDto &
    Partial<ReplayDeliveriesDto> & { readonly webhookId: string; readonly deliveryId?: string },
): Promise<ListedDelivery[]> {
  const { webhookId, deliveryId, status, type, limit } = query;
  const [from, to] = [query.from, query.to].map((text) => parseTimestamp(text ?? ''));
  const after = readCursor(query.cursor);
  const where = joined(
    [
      sql`webhook_id = ${webhookId}::uuid`,
      deliveryId !== undefined && sql`id = ${deliveryId}::uuid`,
      status !== undefined && sql`status = ${status}::text`,
      type !== undefined && sql`type = ${type}::text`,
      // Of a replay, which leaves tests alone.
      from ? sql`created_at >= ${from.date}::timestamptz AND position IS NOT NULL` : undefined,
      to ? sql`created_at <= ${endOf(to)}::timestamptz` : undefined,
      after && sql`(created_at, id) < (${after.createdAt}::timestamptz, ${after.id}::uuid)`,
    ],
    ' AND ',
  );
  const statement = sql`
    SELECT ${() => COLUMNS}, (SELECT count(*)::int FROM webhook_attempts a WHERE a.delivery_id = d.id) AS "attemptCount",
           last.response_status AS "responseStatus", last.error
    FROM (SELECT * FROM webhook_deliveries WHERE ${where} ORDER BY created_at DESC, id DESC LIMIT ${limit + 1}::int) AS d
    LEFT JOIN LATERAL (SELECT response_status, error FROM webhook_attempts a WHERE a.delivery_id = d.id
                       ORDER BY a.at DESC, a.id DESC LIMIT 1) AS last ON true
    ORDER BY d.created_at DESC, d.id DESC`;
  return sql(manager)`${statement}`;
}

/** 404 `WEBHOOK_DELIVERY_NOT_FOUND`. */
export async function requireDelivery(
  manager: EntityManager,
  webhookId: string,
  deliveryId: string,
): Promise<ListedDelivery> {
  const [found] = isUuid(deliveryId)
    ? await findDeliveries(manager, { webhookId, deliveryId, limit: 1 })
    : [];
  return required(found, 'WEBHOOK_DELIVERY_NOT_FOUND');
}

/** Whether there is such an organization, which has not been deleted. */
export async function hasOrganization(manager: EntityManager, id: string): Promise<boolean> {
  return (
    (await sql(manager)<object>`SELECT FROM organizations WHERE id = ${id} AND deleted_at IS NULL`).length > 0
  );
}
