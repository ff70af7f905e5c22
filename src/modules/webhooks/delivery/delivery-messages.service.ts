import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import type { ChangeTypeName } from '../../../contract/change-catalog.js';
import { familyOf, type EventPayload } from '../../../contract/event-families.js';
import type { PublishedEvent } from '../../events/public/published-event.js';
import { EventPayloadsService } from '../../events/event-payloads.service.js';
import { WebhookSecretsService } from '../secrets/webhook-secrets.service.js';
import type { ClaimedDelivery } from './delivery-claims.service.js';
import type { WebhookMessage } from './delivery-request.service.js';

export interface DeliveryMessage extends WebhookMessage {
  /** Whether the body has what the ids stand for. */
  readonly isPrivate: boolean;
}

export type SigningSecrets = ReadonlyMap<string, readonly string[]>;

/** What is sent: events as their readers see them at this moment, and the secrets that sign them. */
@Injectable()
export class DeliveryMessagesService {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly payloads: EventPayloadsService,
    private readonly secrets: WebhookSecretsService,
  ) {}

  /** What signs them, by webhook. */
  async secretsOf(claimed: readonly ClaimedDelivery[]): Promise<SigningSecrets> {
    return this.secrets.reveal(claimed.map(({ webhookId }) => webhookId));
  }

  /** One for each delivery, in the same order; all of them have the same `reader`. */
  async of(
    reader: string | null,
    claimed: readonly ClaimedDelivery[],
    secrets: SigningSecrets,
  ): Promise<DeliveryMessage[]> {
    const payloads =
      reader === null
        ? null
        : await this.payloads.read(this.dataSource.manager, reader, claimed.flatMap(eventOf));
    return claimed.map((delivery) => {
      const payload = delivery.position === null ? undefined : payloads?.get(delivery.position);
      return {
        url: this.secrets.revealUrl({ ...delivery, id: delivery.webhookId }),
        id: delivery.eventId,
        body: JSON.stringify(payload ?? idsOf(delivery)),
        secrets: secrets.get(delivery.webhookId) ?? [],
        isPrivate: payload !== undefined && hasResource(payload),
      };
    });
  }
}

function hasResource({ type, data }: EventPayload): boolean {
  const { resource } = familyOf(type);
  return resource !== null && data[resource] !== null;
}

/** None for a test. */
function eventOf({ position, audience, eventId, type, ...event }: ClaimedDelivery): PublishedEvent[] {
  if (position === null || audience === null) return [];
  return [{ ...event, position, audience, changeId: eventId, type: type as ChangeTypeName }];
}

/** Of a test, and of an event that its reader could see when it happened but no longer may. */
function idsOf({ type, at, position, webhookId, organizationId, recordingId }: ClaimedDelivery): object {
  const data =
    position === null
      ? { webhook_id: webhookId, organization_id: organizationId }
      : { organization_id: organizationId, recording_id: recordingId, actor: null, changes: null };
  return { type, timestamp: at.toISOString(), data };
}
