import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { isSent } from '../../../contract/type-names.js';
import { Clock } from '../../../platform/clock/clock.js';
import { newId } from '../../../platform/ids.js';
import type { PublishedEvent } from '../../events/public/published-event.js';
import { ChangePublishingService } from '../../events/publishing/change-publishing.service.js';
import { EventVisibilityService } from '../../events/event-visibility.service.js';
import { WebhookDelivery } from '../entities/webhook-delivery.entity.js';
import { notifySenders } from './deliveries.queries.js';
import { findCandidates, type Candidate } from './fanout.queries.js';
import { byReader, viewerFor } from './webhook-reader.js';

/** Rows of one statement, each of which binds about a dozen values. */
const BATCH = 1_000;

/** Decides which webhooks are sent an event, in the transaction that publishes it: exactly once. */
@Injectable()
export class FanoutService implements OnModuleInit {
  constructor(
    private readonly publishing: ChangePublishingService,
    private readonly visibility: EventVisibilityService,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.publishing.consume((manager, events) => this.fanOut(manager, events));
  }

  private async fanOut(manager: EntityManager, events: readonly PublishedEvent[]): Promise<void> {
    const candidates = await findCandidates(manager, {
      organizationIds: [...new Set(events.flatMap(({ organizationId }) => organizationId ?? []))],
      userIds: [...new Set(events.flatMap(({ userId }) => userId ?? []))],
      since: new Date(Math.min(...events.map(({ at }) => at.getTime()))),
    });
    for (const webhooks of byReader(candidates)) await this.queue(manager, webhooks, events);
    if (candidates.length > 0) await notifySenders(manager);
  }

  /** Writes what each of the webhooks is sent; they have the same reader. */
  private async queue(
    manager: EntityManager,
    webhooks: readonly [Candidate, ...Candidate[]],
    events: readonly PublishedEvent[],
  ): Promise<void> {
    const wanted = events.filter((event) => webhooks.some((webhook) => wants(webhook, event)));
    if (wanted.length === 0) return;
    const [{ reader, home }] = webhooks;
    const seen = await this.visibility.findViews(manager, viewerFor(reader, home), wanted);
    const visible = wanted.filter(({ position }) => seen.has(position));
    const now = this.clock.now();
    const deliveries = webhooks.flatMap((webhook) =>
      visible
        .filter((event) => wants(webhook, event))
        .map(({ changeId: eventId, ...event }) => ({
          ...event,
          id: newId(),
          webhookId: webhook.id,
          eventId,
          status: 'pending' as const,
          dueAt: now,
          createdAt: now,
        })),
    );
    for (let start = 0; start < deliveries.length; start += BATCH) {
      const insert = manager.getRepository(WebhookDelivery).createQueryBuilder().insert();
      await insert
        .values(deliveries.slice(start, start + BATCH))
        .updateEntity(false)
        .execute();
    }
  }
}

/** Checked before the rights of the reader, which takes several statements. */
function wants({ userId, organizationIds, types }: Candidate, event: PublishedEvent): boolean {
  const mayConcern =
    (userId !== null && userId === event.userId) ||
    (event.organizationId !== null && organizationIds.includes(event.organizationId));
  return mayConcern && isSent(types, event.type);
}
