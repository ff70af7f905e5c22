import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { Clock } from '../../../platform/clock/clock.js';
import { preparedQuery } from '../../../platform/database/prepared-query.js';
import { newId } from '../../../platform/ids.js';
import { OutboundClient } from '../../../platform/outbound/outbound-client.js';
import { EventPayloadsService } from '../../events/event-payloads.service.js';
import { WebhookSecretsService } from '../secrets/webhook-secrets.service.js';
import { giveUpLimit, reasonToDisable, resultOf } from './attempt-result.js';
import { claimDeliveries, disableWebhook, type ClaimedRow } from './deliveries.queries.js';
import { hasResource, idsOnly, toEvent } from './delivery-message.js';
import { sendRequest, type AttemptOutcome, type WebhookMessage } from './delivery-request.js';
import type { EndpointSlots } from './endpoint-slots.js';
import { RECORD_ATTEMPT } from './record-attempt.hot.sql.js';

/** A claimed delivery with the secrets that sign it. */
export type ClaimedDelivery = ClaimedRow & { readonly secrets: readonly string[] };

export interface DeliveryMessage extends WebhookMessage {
  /** Whether the body has what the ids stand for. */
  readonly isPrivate: boolean;
}

/** The steps of a delivery: claim it, compose its message, send it, and record what came of it. */
@Injectable()
export class DeliveriesService {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly payloads: EventPayloadsService,
    private readonly secrets: WebhookSecretsService,
    private readonly outbound: OutboundClient,
    private readonly clock: Clock,
  ) {}

  /** Claims due deliveries for which there is room, so that of all processes one sends each. */
  async claim(slots: EndpointSlots): Promise<ClaimedDelivery[]> {
    const room = slots.room();
    if (room.fast + room.other === 0) return [];
    const now = this.clock.now();
    const claimed = await claimDeliveries(this.dataSource.manager, { known: slots.known(), room, now });
    if (claimed.length === 0) return [];
    const secrets = await this.secrets.reveal(claimed.map(({ webhookId }) => webhookId));
    return claimed.map((row) => ({ ...row, secrets: secrets.get(row.webhookId) ?? [] }));
  }

  /** Returns a message for each delivery, in the same order: what the reader, who is that of all, may see at this moment. */
  async compose(reader: string | null, claimed: readonly ClaimedDelivery[]): Promise<DeliveryMessage[]> {
    const events = claimed.flatMap((delivery) => toEvent(delivery) ?? []);
    const payloads =
      reader === null ? null : await this.payloads.read(this.dataSource.manager, reader, events);
    return claimed.map((delivery) => {
      const { position, webhookId, eventId: id, secrets } = delivery;
      const payload = position === null ? undefined : payloads?.get(position);
      return {
        url: this.secrets.revealUrl({ ...delivery, id: webhookId }),
        id,
        body: JSON.stringify(payload ?? idsOnly(delivery)),
        secrets,
        isPrivate: payload !== undefined && hasResource(payload),
      };
    });
  }

  /** Never throws because of the receiver. */
  async send(message: WebhookMessage, signal: AbortSignal): Promise<AttemptOutcome> {
    return sendRequest(this.outbound, this.clock, message, signal);
  }

  /** Writes what came of an attempt, and disables the webhook if its receiver is gone. */
  async record(claimed: ClaimedDelivery, message: DeliveryMessage, outcome: AttemptOutcome): Promise<void> {
    const { id, webhookId, claim, urlMasked } = claimed;
    const reason = reasonToDisable(claimed, outcome);
    if (reason !== null)
      await disableWebhook(this.dataSource.manager, webhookId, reason, giveUpLimit(this.clock.now()));
    const { status, dueAt, endedAt, succeeded, pausedUntil } = resultOf(claimed, outcome);
    const { at, durationMs, reply, error } = outcome;
    const delivery = [id, claim, status, dueAt, endedAt];
    const attempt = [newId(), at, durationMs, urlMasked, message.body, outcome.status, reply, error];
    const webhook = [webhookId, succeeded, pausedUntil];
    const values = [...delivery, ...attempt, message.isPrivate, ...webhook];
    await preparedQuery(this.dataSource, RECORD_ATTEMPT, values);
  }
}
