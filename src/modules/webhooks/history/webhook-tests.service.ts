import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager, IsNull } from 'typeorm';
import type { ChangeTypeName } from '../../../contract/changes/change-catalog.js';
import { familyName } from '../../../contract/changes/event-families.js';
import { conflict } from '../../../contract/domain-error.js';
import { LIMITS } from '../../../contract/limits.js';
import { Clock } from '../../../platform/clock/clock.js';
import { transactionBy } from '../../../platform/database/transaction-by.js';
import { newId } from '../../../platform/ids.js';
import { type Caller, changedBy } from '../../../policy/caller.js';
import { EventPayloadsService } from '../../events/event-payloads.service.js';
import type { EventSubject } from '../../events/public/published-event.js';
import { notifySenders } from '../delivery/deliveries.queries.js';
import { viewerFor } from '../delivery/webhook-reader.js';
import { TEST_TYPE, WebhookDelivery } from '../entities/webhook-delivery.entity.js';
import type { Webhook } from '../entities/webhook.entity.js';
import { requireWebhook } from '../webhook-access.js';
import { findEventSubjects } from './event-subjects.queries.js';
import { requireDelivery, type ListedDelivery } from './webhook-history.queries.js';

/** The due time of a test, which is sent before all that waits. */
const AT_ONCE = new Date(0);
const ABOUT_RECORDINGS: ReadonlySet<string> = new Set(['transcript', 'summary']);

/** Sends tests, also to a webhook that is disabled. */
@Injectable()
export class WebhookTestsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly payloads: EventPayloadsService,
    private readonly clock: Clock,
  ) {}

  /**
   * Sends an event of this type about something that exists; without a type, a `webhook.test`. 409 `CONFLICT` if there is
   * nothing that it could be about, or five tests are waiting.
   */
  async test(caller: Caller, webhookId: string, type?: ChangeTypeName): Promise<ListedDelivery> {
    return transactionBy(this.dataSource, changedBy(caller), async (manager) => {
      const webhook = await requireWebhook(manager, caller, webhookId, { lock: true });
      const waiting = { webhookId: webhook.id, status: 'pending' } as const;
      const deliveries = manager.getRepository(WebhookDelivery);
      if ((await deliveries.countBy({ ...waiting, position: IsNull() })) >= LIMITS.webhookTests) {
        throw conflict(
          `${LIMITS.webhookTests} tests of this webhook are waiting to be sent, the most that may; wait until one has been.`,
        );
      }
      const now = this.clock.now();
      const [id, eventId] = [newId(), newId()];
      const { organizationId } = webhook;
      const subject = type ? await this.findSubject(manager, webhook, type) : { organizationId };
      const times = { at: now, createdAt: now, dueAt: AT_ONCE };
      await deliveries.insert({ ...waiting, ...subject, ...times, id, eventId, type: type ?? TEST_TYPE });
      await notifySenders(manager);
      return requireDelivery(manager, webhook.id, id);
    });
  }

  private async findSubject(
    manager: EntityManager,
    { id, userId, organizationId, createdBy }: Webhook,
    type: ChangeTypeName,
  ): Promise<EventSubject> {
    const family = familyName(type);
    if (family === 'webhook') return { organizationId, recordingId: null, targetId: id, userId };
    if (createdBy === null)
      throw conflict(
        'No user is responsible for the webhook; enable it first, with PATCH /api/v1/webhooks/{id}.',
      );
    const found = await findEventSubjects(manager, type, { reader: createdBy, home: organizationId });
    // Neither time nor id decide who sees it.
    const examples = found.map((subject) => ({ ...subject, type, at: new Date(0), changeId: id }));
    const viewer = viewerFor(createdBy, organizationId);
    const [seen] = await this.payloads.findExamples(manager, viewer, examples);
    if (seen) {
      const { event, row } = seen;
      const { targetId, recordingId } = row;
      return { organizationId: event.organizationId, recordingId, targetId, userId: event.userId };
    }
    const what = ABOUT_RECORDINGS.has(family) ? 'recording' : family.replaceAll('_', ' ');
    throw conflict(
      `event_type: there is no ${what} that a ${type} of this webhook could be about; create one first, or test another type.`,
    );
  }
}
