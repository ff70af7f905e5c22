import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { ChangeTypeName } from '../../../contract/change-catalog.js';
import { type EventPayload, familyOf } from '../../../contract/event-families.js';
import { Clock } from '../../../platform/clock/clock.js';
import { newId } from '../../../platform/ids.js';
import { observed } from '../../../platform/telemetry/observed.js';
import { OutboundClient } from '../../../platform/outbound/outbound-client.js';
import { EventPayloadsService } from '../../events/event-payloads.service.js';
import type { PublishedEvent } from '../../events/public/published-event.js';
import { WebhookSecretsService } from '../webhook-secrets.service.js';
import { decideResult, giveUpLimit, isSuccess, reasonToDisable } from './attempt-result.js';
import { claimDeliveries, type ClaimedRow, disableWebhook } from './deliveries.queries.js';
import { type AttemptOutcome, sendRequest, type WebhookMessage } from './delivery-request.js';
import type { RequestsUnderWay } from '../../../platform/outbound/requests-under-way.js';
import { recordAttempt } from './record-attempt.hot.sql.js';
import { viewerFor } from './webhook-reader.js';

export type ClaimedDelivery = ClaimedRow & { readonly secrets: readonly string[] };

export interface DeliveryMessage extends WebhookMessage {
  /** Whether the body has what the ids stand for. */
  readonly isPrivate: boolean;
}

/** The steps of a delivery: claim it, compose its message, send it, and record what came of it. */
@Injectable()
export class DeliveriesService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly payloads: EventPayloadsService,
    private readonly secrets: WebhookSecretsService,
    private readonly outbound: OutboundClient,
    private readonly clock: Clock,
  ) {}

  /** Claims due deliveries for which there is room, so that of all processes one sends each. */
  async claim(requests: RequestsUnderWay): Promise<ClaimedDelivery[]> {
    const room = requests.room();
    if (room.fast + room.other === 0) return [];
    const now = this.clock.now();
    const claimed = await claimDeliveries(this.dataSource.manager, { known: requests.known(), room, now });
    if (claimed.length === 0) return [];
    const secrets = await this.secrets.reveal(claimed.map(({ webhookId }) => webhookId));
    return claimed.map((row) => ({ ...row, secrets: secrets.get(row.webhookId) ?? [] }));
  }

  /** Returns a message for each delivery, in the same order: what their reader, the same for all, may see now. */
  async compose(claimed: readonly [ClaimedDelivery, ...ClaimedDelivery[]]): Promise<DeliveryMessage[]> {
    const [{ reader, home }] = claimed;
    const events = claimed.flatMap((delivery) => toEvent(delivery) ?? []);
    const payloads =
      reader === null
        ? null
        : await this.payloads.read(this.dataSource.manager, viewerFor(reader, home), events);
    return claimed.map((delivery) => {
      const { position, webhookId, eventId: id, secrets } = delivery;
      const payload = position === null ? undefined : payloads?.get(position);
      return {
        ...this.secrets.revealEndpoint({ ...delivery, id: webhookId }),
        id,
        body: JSON.stringify(payload ?? idsOnly(delivery)),
        secrets,
        isPrivate: payload !== undefined && hasResource(payload),
      };
    });
  }

  /** Never throws because of the receiver. */
  async send(message: WebhookMessage, signal: AbortSignal): Promise<AttemptOutcome> {
    const send = (): Promise<AttemptOutcome> => sendRequest(this.outbound, this.clock, message, signal);
    return observed('webhook', 'delivery', send, {}, isSuccess);
  }

  /** Writes what came of an attempt, and disables the webhook if its receiver is gone. */
  async record(claimed: ClaimedDelivery, message: DeliveryMessage, outcome: AttemptOutcome): Promise<void> {
    const { id, webhookId, claim, urlMasked } = claimed;
    const reason = reasonToDisable(claimed, outcome);
    if (reason !== null)
      await disableWebhook(this.dataSource.manager, webhookId, reason, giveUpLimit(this.clock.now()));
    const { status, dueAt, endedAt, succeeded, pausedUntil } = decideResult(claimed, outcome);
    const { at, durationMs, reply, error } = outcome;
    const delivery = [id, claim, status, dueAt, endedAt];
    const attempt = [newId(), at, durationMs, urlMasked, message.body, outcome.status, reply, error];
    const webhook = [webhookId, succeeded, pausedUntil];
    const values = [...delivery, ...attempt, message.isPrivate, ...webhook];
    await recordAttempt(this.dataSource, values);
  }
}

/** The event that a delivery sends; undefined for a test. */
function toEvent({ position, audience, eventId, type, ...row }: ClaimedRow): PublishedEvent | undefined {
  if (position === null || audience === null) return undefined;
  return { ...row, position, audience, changeId: eventId, type: type as ChangeTypeName };
}

/** Whether a payload has what its ids stand for. */
function hasResource({ type, data }: EventPayload): boolean {
  const { resource } = familyOf(type);
  return resource !== null && data[resource] !== null;
}

/** The body of a test, and of an event that its reader could see when it happened but no longer may. */
function idsOnly({
  eventId: id,
  type,
  at,
  position,
  webhookId,
  organizationId,
  recordingId,
}: ClaimedRow): object {
  const data =
    position === null
      ? { webhook_id: webhookId, organization_id: organizationId }
      : { organization_id: organizationId, recording_id: recordingId, actor: null, changes: null };
  return { id, type, timestamp: at.toISOString(), data };
}
