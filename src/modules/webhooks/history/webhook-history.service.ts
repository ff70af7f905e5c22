import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { DataSource, type EntityManager, In, IsNull, type Repository } from 'typeorm';
import type { ChangeTypeName } from '../../../contract/changes/change-catalog.js';
import { audienceOf, familyName } from '../../../contract/changes/event-families.js';
import { conflict, required } from '../../../contract/domain-error.js';
import { LIMITS } from '../../../contract/limits.js';
import { Clock } from '../../../platform/clock/clock.js';
import { transactionBy } from '../../../platform/database/transaction-by.js';
import { cursorPage, type CursorPage } from '../../../platform/http/replies/cursor.js';
import { newId } from '../../../platform/ids.js';
import { type Caller, changedBy } from '../../../policy/caller.js';
import { EventVisibilityService } from '../../events/event-visibility.service.js';
import type { PublishedEvent } from '../../events/public/published-event.js';
import { notifySenders } from '../delivery/deliveries.queries.js';
import { viewerFor } from '../delivery/webhook-reader.js';
import type { ListDeliveriesDto, ReplayDeliveriesDto } from '../dto/webhook.request.dto.js';
import { TEST_TYPE, WebhookAttempt, WebhookDelivery } from '../entities/webhook-delivery.entity.js';
import type { Webhook } from '../entities/webhook.entity.js';
import { requireWebhook } from '../webhook-access.js';
import { findEventSubjects, subjectOf, type EventSubject } from './event-subjects.queries.js';
import {
  findDeliveries,
  hasOrganization,
  requireDelivery,
  type ListedDelivery,
} from './webhook-history.queries.js';

export interface DeliveryWithAttempts {
  readonly delivery: ListedDelivery;
  /** Newest first. */
  readonly attempts: readonly WebhookAttempt[];
}

/** The due time of a test, which is sent before all that waits. */
const AT_ONCE = new Date(0);

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
    private readonly visibility: EventVisibilityService,
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
      const delivery = await requireDelivery(manager, webhook.id, deliveryId);
      if (delivery.position !== null) requireEnabled(webhook);
      await this.queueAgain(manager, [delivery]);
      return requireDelivery(manager, webhook.id, delivery.id);
    });
  }

  /** Sends a page of deliveries again, as `replay` does each; all are queued at once, so that they are sent in order. */
  async replayAll(
    caller: Caller,
    webhookId: string,
    query: ReplayDeliveriesDto,
  ): Promise<CursorPage<ListedDelivery>> {
    return transactionBy(this.dataSource, changedBy(caller), async (manager) => {
      const webhook = await requireWebhook(manager, caller, webhookId, { lock: true });
      requireEnabled(webhook);
      const limit = LIMITS.webhookReplays;
      const found = await findDeliveries(manager, { ...query, webhookId: webhook.id, limit });
      const page = cursorPage(found, limit, (row) => row);
      await this.queueAgain(manager, page.rows);
      return page;
    });
  }

  /**
   * Sends a test, also to a webhook that is disabled: of a type of event, about something that exists, or a
   * `webhook.test`. 409 `CONFLICT` if there is nothing that it could be about, or five tests are waiting.
   */
  async test(caller: Caller, webhookId: string, type?: ChangeTypeName): Promise<ListedDelivery> {
    return transactionBy(this.dataSource, changedBy(caller), async (manager) => {
      const webhook = await requireWebhook(manager, caller, webhookId, { lock: true });
      const waiting = { webhookId: webhook.id, status: 'pending', position: IsNull() } as const;
      const deliveries = manager.getRepository(WebhookDelivery);
      if ((await deliveries.countBy(waiting)) >= LIMITS.webhookTests) {
        throw conflict(
          `${LIMITS.webhookTests} tests of this webhook are waiting to be sent, the most that may; wait until one has been.`,
        );
      }
      const now = this.clock.now();
      const id = newId();
      const audience = type && audienceOf(type);
      const about =
        type && audience
          ? await this.findSubject(manager, webhook, { type, audience })
          : { organizationId: webhook.organizationId };
      await deliveries.insert({
        ...about,
        type: type ?? TEST_TYPE,
        audience,
        webhookId: webhook.id,
        status: 'pending',
        id,
        eventId: newId(),
        at: now,
        createdAt: now,
        dueAt: AT_ONCE,
      });
      await notifySenders(manager);
      return requireDelivery(manager, webhook.id, id);
    });
  }

  private async queueAgain(manager: EntityManager, deliveries: readonly ListedDelivery[]): Promise<void> {
    const ids = deliveries.map(({ id }) => id);
    const again = { status: 'pending', tries: 0, dueAt: this.clock.now(), endedAt: null } as const;
    await manager.getRepository(WebhookDelivery).update({ id: In(ids), claim: IsNull() }, again);
    await notifySenders(manager);
  }

  /** Finds what an event of a type could be about that the webhook would be sent in full; 409 `CONFLICT` if nothing. */
  private async findSubject(
    manager: EntityManager,
    { id: changeId, userId, organizationId: home, createdBy: reader }: Webhook,
    { type, audience }: Pick<PublishedEvent, 'type' | 'audience'>,
  ): Promise<EventSubject> {
    if (familyName(type) === 'webhook')
      return { organizationId: home, recordingId: null, targetId: changeId, userId };
    const subjects = reader === null ? [] : await findEventSubjects(manager, type, { reader, home });
    const event = { type, audience, at: AT_ONCE, changeId };
    const events = subjects.map((subject, index) => ({ ...subject, ...event, position: String(-1 - index) }));
    const views = await this.visibility.findViews(manager, viewerFor(reader ?? '', home), events);
    const index = events.findIndex(({ position }) => views.get(position) === 'full');
    const message = `event_type: there is no ${subjectOf(type)} that a ${type} of this webhook could be about; create one first, or test another type.`;
    return required(subjects[index], 'CONFLICT', message);
  }
}
