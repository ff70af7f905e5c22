import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { isSent } from '../../../contract/webhook-types.js';
import { Clock } from '../../../platform/clock.js';
import { newId } from '../../../platform/ids.js';
import type { PublishedEvent } from '../../events/public/published-event.js';
import { ChangePublishingService } from '../../events/publishing/change-publishing.service.js';
import { EventVisibilityService } from '../../events/event-visibility.service.js';
import { WebhookDelivery } from '../entities/webhook-delivery.entity.js';

/** A webhook that may be sent some of the events. */
interface Candidate {
  readonly id: string;
  /** Null: personal. */
  readonly userId: string | null;
  /** Whose events it may be sent, besides those of its user. */
  readonly organizationIds: readonly string[];
  readonly types: readonly string[];
  /** Whose rights decide: the user responsible for it. */
  readonly reader: string;
}

/** Organizations `$1` of the user of the webhook `w`, also those that the user has left since the events happened (`$3`). */
const ORGANIZATIONS = `
  SELECT m.organization_id FROM organization_members m
  WHERE m.user_id = w.user_id AND m.organization_id = ANY ($1)
  UNION SELECT h.organization_id FROM change_log h
  WHERE h.organization_id = ANY ($1) AND h.target_id = w.user_id AND h.type = 'member.removed' AND h.at >= $3`;

/** The webhooks of the organizations, of their members, and of the users concerned (`$2`). */
const CANDIDATES = `
  SELECT w.id, w.user_id AS "userId", w.types, w.created_by AS reader,
         CASE WHEN w.user_id IS NULL THEN ARRAY[w.organization_id] ELSE ARRAY(${ORGANIZATIONS}) END AS "organizationIds"
  FROM webhooks w
  WHERE w.enabled AND w.created_by IS NOT NULL AND (
    w.organization_id = ANY ($1) OR w.user_id = ANY ($2)
    OR w.user_id IN (SELECT m.user_id FROM organization_members m WHERE m.organization_id = ANY ($1))
    OR w.user_id IN (SELECT h.target_id FROM change_log h
                     WHERE h.organization_id = ANY ($1) AND h.type = 'member.removed' AND h.at >= $3))`;

/** Rows of one statement, each of which binds about a dozen values. */
const BATCH = 1_000;

/** Notified when something is due. */
export const DELIVERIES_CHANNEL = 'webhooks';

/** Wakes the senders of all processes once the transaction has committed. */
export async function notifySenders(manager: EntityManager): Promise<void> {
  await manager.query(`SELECT pg_notify('${DELIVERIES_CHANNEL}', '')`);
}

/** Decides which webhooks are sent an event, in the transaction that publishes it: exactly once, and never one that was rolled back. */
@Injectable()
export class WebhookFanoutService implements OnModuleInit {
  constructor(
    private readonly publishing: ChangePublishingService,
    private readonly visibility: EventVisibilityService,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.publishing.consume((manager, events) => this.take(manager, events));
  }

  private async take(manager: EntityManager, events: readonly PublishedEvent[]): Promise<void> {
    const organizations = [...new Set(events.flatMap(({ organizationId }) => organizationId ?? []))];
    const users = [...new Set(events.flatMap(({ userId }) => userId ?? []))];
    const earliest = new Date(Math.min(...events.map(({ at }) => at.getTime())));
    const candidates: Candidate[] = await manager.query(CANDIDATES, [organizations, users, earliest]);
    for (const reader of new Set(candidates.map((candidate) => candidate.reader))) {
      const webhooks = candidates.filter((candidate) => candidate.reader === reader);
      await this.queue(manager, reader, webhooks, events);
    }
    if (candidates.length > 0) await notifySenders(manager);
  }

  /** Writes what each of the webhooks is sent; they have the same reader. */
  private async queue(
    manager: EntityManager,
    reader: string,
    webhooks: readonly Candidate[],
    events: readonly PublishedEvent[],
  ): Promise<void> {
    const wanted = events.filter((event) => webhooks.some((webhook) => wants(webhook, event)));
    if (wanted.length === 0) return;
    const seen = await this.visibility.findViews(manager, reader, wanted);
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
      const insert = manager.createQueryBuilder().insert().into(WebhookDelivery);
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
