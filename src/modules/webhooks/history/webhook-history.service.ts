import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { DataSource, type EntityManager, IsNull, type Repository } from 'typeorm';
import { conflict, required } from '../../../contract/domain-error.js';
import { LIMITS } from '../../../contract/limits.js';
import { Clock } from '../../../platform/clock/clock.js';
import { transactionBy } from '../../../platform/database/transaction-by.js';
import { cursorPage, type CursorPage } from '../../../platform/http/replies/cursor.js';
import { isUuid, newId } from '../../../platform/ids.js';
import { type Caller, changedBy } from '../../../policy/caller.js';
import { notifySenders } from '../delivery/deliveries.queries.js';
import type { ListDeliveriesDto } from '../dto/webhook.request.dto.js';
import { TEST_TYPE, WebhookAttempt, WebhookDelivery } from '../entities/webhook-delivery.entity.js';
import { requireWebhook } from '../webhook-access.js';
import { findDeliveries, hasOrganization, type ListedDelivery } from './webhook-history.queries.js';

export interface DeliveryWithAttempts {
  readonly delivery: ListedDelivery;
  /** Newest first. */
  readonly attempts: readonly WebhookAttempt[];
}

/** The due time of a test, which is sent before all that waits. */
const AT_ONCE = new Date(0);

/** What is shown of attempts for an organization that has been deleted, until a job has erased their bodies. */
const ERASED = { body: null, responseBody: null };

/** Tells what a webhook was sent, and sends it again. */
@Injectable()
export class WebhookHistoryService {
  constructor(
    private readonly dataSource: DataSource,
    @InjectRepository(WebhookAttempt) private readonly attempts: Repository<WebhookAttempt>,
    private readonly clock: Clock,
  ) {}

  /** Returns a page of the deliveries of a webhook, newest first. */
  async list(
    caller: Caller,
    webhookId: string,
    query: ListDeliveriesDto,
  ): Promise<CursorPage<ListedDelivery>> {
    const { manager } = this.dataSource;
    const { id } = await requireWebhook(manager, caller, webhookId);
    return cursorPage(await findDeliveries(manager, { ...query, webhookId: id }), query.limit, (row) => row);
  }

  /** 404 `WEBHOOK_DELIVERY_NOT_FOUND`. */
  async get(caller: Caller, webhookId: string, deliveryId: string): Promise<DeliveryWithAttempts> {
    const { manager } = this.dataSource;
    const { id } = await requireWebhook(manager, caller, webhookId);
    const delivery = await this.find(manager, id, deliveryId);
    const attempts = await this.attempts.find({
      where: { deliveryId: delivery.id },
      order: { at: 'DESC', id: 'DESC' },
      take: LIMITS.webhookAttempts,
    });
    const { organizationId: of } = delivery;
    const isShown = of === null || (await hasOrganization(manager, of));
    return { delivery, attempts: attempts.map((one) => (isShown ? one : { ...one, ...ERASED })) };
  }

  /** Sends a `webhook.test`, also to a webhook that is disabled. 409 `CONFLICT` if five of them are waiting. */
  async test(caller: Caller, webhookId: string): Promise<ListedDelivery> {
    return transactionBy(this.dataSource, changedBy(caller), async (manager) => {
      const webhook = await requireWebhook(manager, caller, webhookId, { lock: true });
      const waiting = { webhookId: webhook.id, status: 'pending', type: TEST_TYPE } as const;
      const deliveries = manager.getRepository(WebhookDelivery);
      if ((await deliveries.countBy(waiting)) >= LIMITS.webhookTests) {
        throw conflict(
          `${LIMITS.webhookTests} tests of this webhook are waiting to be sent, the most that may; wait until one has been.`,
        );
      }
      const now = this.clock.now();
      const id = newId();
      const { organizationId } = webhook;
      await deliveries.insert({
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
        throw conflict('The webhook is disabled; enable it first, with PATCH /api/v1/webhooks/{id}.');
      }
      const again = { status: 'pending', tries: 0, dueAt: this.clock.now(), endedAt: null } as const;
      await manager.getRepository(WebhookDelivery).update({ id, claim: IsNull() }, again);
      await notifySenders(manager);
      return this.find(manager, webhook.id, id);
    });
  }

  private async find(manager: EntityManager, webhookId: string, deliveryId: string): Promise<ListedDelivery> {
    const one = { webhookId, deliveryId, limit: 1 };
    const [found] = isUuid(deliveryId) ? await findDeliveries(manager, one) : [];
    return required(found, 'WEBHOOK_DELIVERY_NOT_FOUND');
  }
}
