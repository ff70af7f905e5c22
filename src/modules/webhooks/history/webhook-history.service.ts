import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource, EntityManager } from 'typeorm';
import { joined, run, sql } from '../../../platform/database/sql.js';
import { DomainError } from '../../../contract/domain-error.js';
import { LIMITS } from '../../../contract/limits.js';
import { Clock } from '../../../platform/clock.js';
import { transactionBy } from '../../../platform/database/transaction-by.js';
import { cursorPage, readCursor, type CursorPage } from '../../../platform/http/cursor.js';
import { isUuid, newId } from '../../../platform/ids.js';
import { changedBy, type Caller } from '../../../policy/caller.js';
import { notifySenders } from '../delivery/webhook-fanout.service.js';
import type { ListDeliveriesDto } from '../dto/webhook.request.dto.js';
import { WebhookAttempt } from '../entities/webhook-attempt.entity.js';
import { TEST_TYPE, WebhookDelivery } from '../entities/webhook-delivery.entity.js';
import { requireWebhook } from '../webhook-access.js';

/** A delivery with what came of its last attempt, if there was one. */
export interface ListedDelivery extends WebhookDelivery {
  /** Of all attempts. */
  readonly attemptCount: number;
  readonly responseStatus: number | null;
  readonly error: string | null;
}

export interface DeliveryWithAttempts {
  readonly delivery: ListedDelivery;
  /** Newest first. */
  readonly attempts: readonly WebhookAttempt[];
}

/** Before all that waits: a test is sent at once. */
const AT_ONCE = new Date(0);

const REPLAY = `
  UPDATE webhook_deliveries SET status = 'pending', tries = 0, due_at = $2, ended_at = NULL
  WHERE id = $1 AND claim IS NULL`;

const EXISTS = 'SELECT FROM organizations WHERE id = $1 AND deleted_at IS NULL';

/** What a webhook was sent, and sending it again. */
@Injectable()
export class WebhookHistoryService {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly clock: Clock,
  ) {}

  /** Newest first. */
  async list(
    caller: Caller,
    webhookId: string,
    query: ListDeliveriesDto,
  ): Promise<CursorPage<ListedDelivery>> {
    const { manager } = this.dataSource;
    const { id } = await requireWebhook(manager, caller, webhookId);
    return cursorPage(await listed(manager, { ...query, webhookId: id }), query.limit, (row) => row);
  }

  /** 404 `WEBHOOK_DELIVERY_NOT_FOUND`. */
  async get(caller: Caller, webhookId: string, deliveryId: string): Promise<DeliveryWithAttempts> {
    const { manager } = this.dataSource;
    const { id } = await requireWebhook(manager, caller, webhookId);
    const delivery = await this.find(manager, id, deliveryId);
    const attempts = await manager.find(WebhookAttempt, {
      where: { deliveryId: delivery.id },
      order: { at: 'DESC', id: 'DESC' },
      take: LIMITS.webhookAttempts,
    });
    const isShown = delivery.organizationId === null || (await exists(manager, delivery.organizationId));
    return { delivery, attempts: isShown ? attempts : attempts.map(withoutBodies) };
  }

  /** Sends an event of the type `webhook.test`, also to a webhook that is disabled. 409 `CONFLICT` if five of them are waiting. */
  async test(caller: Caller, webhookId: string): Promise<ListedDelivery> {
    return transactionBy(this.dataSource, changedBy(caller), async (manager) => {
      const webhook = await requireWebhook(manager, caller, webhookId, { lock: true });
      const waiting = { webhookId: webhook.id, status: 'pending', type: TEST_TYPE } as const;
      if ((await manager.countBy(WebhookDelivery, waiting)) >= LIMITS.webhookTests) {
        throw new DomainError(
          'CONFLICT',
          `${LIMITS.webhookTests} tests of this webhook are waiting to be sent.`,
        );
      }
      const now = this.clock.now();
      const id = newId();
      const { organizationId } = webhook;
      await manager.insert(WebhookDelivery, {
        ...waiting,
        id,
        eventId: newId(),
        organizationId,
        at: now,
        createdAt: now,
        dueAt: AT_ONCE,
      });
      await notifySenders(manager);
      return this.find(manager, webhook.id, id);
    });
  }

  /** Sends a delivery again, now; one that is being sent stays as it is. 409 `CONFLICT` if the webhook is disabled. */
  async replay(caller: Caller, webhookId: string, deliveryId: string): Promise<ListedDelivery> {
    return transactionBy(this.dataSource, changedBy(caller), async (manager) => {
      const webhook = await requireWebhook(manager, caller, webhookId, { lock: true });
      const { id, type } = await this.find(manager, webhook.id, deliveryId);
      if (type !== TEST_TYPE && !webhook.enabled) {
        throw new DomainError('CONFLICT', 'The webhook is disabled; enable it first.');
      }
      await manager.query(REPLAY, [id, this.clock.now()]);
      await notifySenders(manager);
      return this.find(manager, webhook.id, id);
    });
  }

  private async find(manager: EntityManager, webhookId: string, deliveryId: string): Promise<ListedDelivery> {
    if (!isUuid(deliveryId)) throw new DomainError('WEBHOOK_DELIVERY_NOT_FOUND');
    const [row] = await listed(manager, { webhookId, deliveryId, limit: 1 });
    if (!row) throw new DomainError('WEBHOOK_DELIVERY_NOT_FOUND');
    return row;
  }
}

const COLUMNS = `d.id, d.webhook_id AS "webhookId", d.event_id AS "eventId", d.type, d.organization_id AS "organizationId",
  d.recording_id AS "recordingId", d.at, d.status, d.due_at AS "dueAt", d.claim, d.created_at AS "createdAt",
  d.ended_at AS "endedAt"`;

/** Deliveries of a webhook, newest first, and one more than the limit. */
async function listed(
  manager: EntityManager,
  query: ListDeliveriesDto & { readonly webhookId: string; readonly deliveryId?: string },
): Promise<ListedDelivery[]> {
  const { webhookId, deliveryId, status, type, limit } = query;
  const after = readCursor(query.cursor);
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
  return run(
    manager,
    sql`
    SELECT ${() => COLUMNS}, (SELECT count(*)::int FROM webhook_attempts a WHERE a.delivery_id = d.id) AS "attemptCount",
           last.response_status AS "responseStatus", last.error
    FROM (SELECT * FROM webhook_deliveries WHERE ${where} ORDER BY created_at DESC, id DESC LIMIT ${limit + 1}::int) AS d
    LEFT JOIN LATERAL (SELECT response_status, error FROM webhook_attempts a WHERE a.delivery_id = d.id
                       ORDER BY a.at DESC, a.id DESC LIMIT 1) AS last ON true
    ORDER BY d.created_at DESC, d.id DESC`,
  );
}

async function exists(manager: EntityManager, organizationId: string): Promise<boolean> {
  return (await manager.query<object[]>(EXISTS, [organizationId])).length > 0;
}

/** Of an organization that has been deleted, until a job has erased them. */
const withoutBodies = (attempt: WebhookAttempt): WebhookAttempt => ({
  ...attempt,
  body: null,
  responseBody: null,
});
