import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { DataSource, IsNull, type Repository } from 'typeorm';
import { conflict } from '../../../contract/domain-error.js';
import { LIMITS } from '../../../contract/limits.js';
import { Clock } from '../../../platform/clock/clock.js';
import { transactionBy } from '../../../platform/database/transaction-by.js';
import { cursorPage, type CursorPage, type CursorPosition } from '../../../platform/http/replies/cursor.js';
import { type Caller, changedBy } from '../../../policy/caller.js';
import { notifySenders } from '../delivery/deliveries.queries.js';
import type { ListDeliveriesDto, ReplayDeliveriesDto } from '../dto/webhook.request.dto.js';
import { WebhookAttempt, WebhookDelivery } from '../entities/webhook-delivery.entity.js';
import type { Webhook } from '../entities/webhook.entity.js';
import { requireWebhook } from '../webhook-access.js';
import {
  findDeliveries,
  hasOrganization,
  replayDeliveries,
  requireDelivery,
  type ListedDelivery,
} from './webhook-history.queries.js';

export interface DeliveryWithAttempts {
  readonly delivery: ListedDelivery;
  /** Newest first. */
  readonly attempts: readonly WebhookAttempt[];
}

/** What is shown of attempts for an organization that has been deleted, until a job has erased their bodies. */
const ERASED = { body: null, responseBody: null };

function requireEnabled({ enabled }: Webhook): void {
  if (!enabled) throw conflict('The webhook is disabled; enable it first, with PATCH /api/v1/webhooks/{id}.');
}

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
    const delivery = await requireDelivery(manager, id, deliveryId);
    const attempts = await this.attempts.find({
      where: { deliveryId: delivery.id },
      order: { at: 'DESC', id: 'DESC' },
      take: LIMITS.webhookAttempts,
    });
    const { organizationId: of } = delivery;
    const isShown = of === null || (await hasOrganization(manager, of));
    return { delivery, attempts: attempts.map((one) => (isShown ? one : { ...one, ...ERASED })) };
  }

  /** Sends a delivery again, now; one that is being sent stays as it is. 409 `CONFLICT` if the webhook is disabled. */
  async replay(caller: Caller, webhookId: string, deliveryId: string): Promise<ListedDelivery> {
    return transactionBy(this.dataSource, changedBy(caller), async (manager) => {
      const webhook = await requireWebhook(manager, caller, webhookId, { lock: true });
      const { id, position } = await requireDelivery(manager, webhook.id, deliveryId);
      if (position !== null) requireEnabled(webhook);
      const again = { status: 'pending', tries: 0, dueAt: this.clock.now(), endedAt: null } as const;
      await manager.getRepository(WebhookDelivery).update({ id, claim: IsNull() }, again);
      await notifySenders(manager);
      return requireDelivery(manager, webhook.id, id);
    });
  }

  /** Sends the deliveries of a time again, oldest first, as many as one request may. 409 `CONFLICT` as above. */
  async replayAll(
    caller: Caller,
    webhookId: string,
    body: ReplayDeliveriesDto,
  ): Promise<CursorPage<CursorPosition>> {
    return transactionBy(this.dataSource, changedBy(caller), async (manager) => {
      const webhook = await requireWebhook(manager, caller, webhookId, { lock: true });
      requireEnabled(webhook);
      const limit = LIMITS.webhookReplays;
      const found = await replayDeliveries(manager, webhook.id, { ...body, now: this.clock.now(), limit });
      await notifySenders(manager);
      return cursorPage(found, limit, (row) => row);
    });
  }
}
