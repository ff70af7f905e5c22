import { Injectable } from '@nestjs/common';
import pLimit from 'p-limit';
import { DataSource } from 'typeorm';
import type { ChangeTypeName } from '../../../contract/changes/change-catalog.js';
import { type EventPayload, familyOf } from '../../../contract/changes/event-families.js';
import { Clock } from '../../../platform/clock/clock.js';
import { NotificationsService } from '../../../platform/database/notifications.service.js';
import { newId } from '../../../platform/ids.js';
import { JobsService } from '../../../platform/jobs/jobs.service.js';
import { WorkerLoop } from '../../../platform/jobs/worker-loop.js';
import { AppLogger } from '../../../platform/logging/app-logger.js';
import { OutboundClient } from '../../../platform/outbound/outbound-client.js';
import { RequestsUnderWay, type UnderWay } from '../../../platform/outbound/requests-under-way.js';
import { observed } from '../../../platform/telemetry/observed.js';
import { continueTrace } from '../../../platform/telemetry/spans.js';
import { EventPayloadsService } from '../../events/event-payloads.service.js';
import type { PublishedEvent } from '../../events/public/published-event.js';
import { TEST_TYPE } from '../entities/webhook-delivery.entity.js';
import { WebhookSecretsService } from '../webhook-secrets.service.js';
import { decideResult, giveUpLimit, isSuccess, reasonToDisable } from './attempt-result.js';
import {
  claimDeliveries,
  DELIVERIES_CHANNEL,
  disableWebhook,
  type ClaimedRow,
} from './deliveries.queries.js';
import { type AttemptOutcome, sendRequest, type WebhookMessage } from './delivery-request.js';
import { recordAttempt } from './record-attempt.hot.sql.js';
import { byReader, viewerFor } from './webhook-reader.js';

/** Readers whose events are read at once: each takes a connection, of which requests need some. */
const READERS = 4;
/** Receivers that hang or fail get at most half. */
export const REQUESTS = { fast: 64, other: 64, all: 256 };

type Claimed = ClaimedRow & { readonly secrets: readonly string[]; readonly request: UnderWay };

interface Message extends WebhookMessage {
  readonly delivery: Claimed;
  /** Whether the body has what the ids stand for. */
  readonly isPrivate: boolean;
}

/** Sends what is due, in every worker process. */
@Injectable()
export class SenderService extends WorkerLoop {
  private readonly requests = new RequestsUnderWay(REQUESTS);
  private readonly reading = pLimit(READERS);

  constructor(
    private readonly dataSource: DataSource,
    private readonly payloads: EventPayloadsService,
    private readonly secrets: WebhookSecretsService,
    private readonly outbound: OutboundClient,
    private readonly clock: Clock,
    jobs: JobsService,
    notifications: NotificationsService,
    logger: AppLogger,
  ) {
    super(DELIVERIES_CHANNEL, notifications, logger);
    jobs.runAlongside(this);
  }

  /** Claims what there is room for. If it fails, what was claimed is due again when the lease ends. */
  protected async round(): Promise<void> {
    const rows = await claimDeliveries(this.dataSource.manager, this.requests, this.clock.now());
    if (rows.length === 0) return;
    const secrets = await this.secrets.reveal(rows.map(({ webhookId }) => webhookId));
    const claimed = rows.map((row) => ({
      ...row,
      secrets: secrets.get(row.webhookId) ?? [],
      request: this.requests.add(row.webhookId, row.fast),
    }));
    for (const group of byReader(claimed)) this.outlive(this.sendAll(group));
  }

  private async sendAll(group: readonly [Claimed, ...Claimed[]]): Promise<void> {
    try {
      const messages = await this.reading(() => this.compose(group));
      await Promise.all(messages.map((message) => this.deliver(message)));
    } catch (error) {
      this.logger.warn({ err: error }, 'Could not read what webhooks are sent; will retry');
      for (const { request } of group) this.requests.end(request);
    }
  }

  /** Returns a message for each delivery: what their reader, the same for all, may see now. */
  private async compose(claimed: readonly [Claimed, ...Claimed[]]): Promise<Message[]> {
    const [{ reader, home }] = claimed;
    const events = claimed.map(toEvent);
    const known = events.filter((event) => event !== null);
    const { manager } = this.dataSource;
    const payloads =
      reader === null ? null : await this.payloads.read(manager, viewerFor(reader, home), known);
    return claimed.map((delivery, index) => {
      const { position, webhookId, eventId: id, secrets } = delivery;
      const payload = payloads?.get(events[index]?.position ?? '');
      return {
        ...this.secrets.revealEndpoint({ ...delivery, id: webhookId }),
        id,
        body: JSON.stringify({ ...(payload ?? idsOnly(delivery)), ...(position === null && { test: true }) }),
        secrets,
        delivery,
        isPrivate: payload !== undefined && hasResource(payload),
      };
    });
  }

  private async deliver(message: Message): Promise<void> {
    const { id, request, traceparent } = message.delivery;
    const signal = this.stopSignal;
    const send = () => sendRequest(this.outbound, this.clock, message, signal);
    try {
      request.startedAt = performance.now();
      const outcome = await continueTrace(traceparent, () =>
        observed('webhook', 'delivery', send, isSuccess),
      );
      await this.record(message, outcome);
    } catch (error) {
      if (!signal.aborted)
        this.logger.warn({ deliveryId: id, err: error }, 'Could not send a webhook; will retry');
    } finally {
      this.requests.end(request);
      this.wake();
    }
  }

  /** Records the outcome of an attempt, and disables the webhook if its receiver is gone. */
  private async record({ delivery, body, isPrivate }: Message, outcome: AttemptOutcome): Promise<void> {
    const { id, webhookId, claim, urlMasked } = delivery;
    const reason = reasonToDisable(delivery, outcome);
    if (reason !== null)
      await disableWebhook(this.dataSource.manager, webhookId, reason, giveUpLimit(this.clock.now()));
    const { status, dueAt, endedAt, succeeded, pausedUntil } = decideResult(delivery, outcome);
    const { at, durationMs, reply, error } = outcome;
    const ended = [id, claim, status, dueAt, endedAt];
    const attempt = [newId(), at, durationMs, urlMasked, body, outcome.status, reply, error];
    const webhook = [webhookId, succeeded, pausedUntil];
    await recordAttempt(this.dataSource, [...ended, ...attempt, isPrivate, ...webhook]);
  }
}

/** The event that a delivery sends; null for a `webhook.test`. Other tests get a position that no event has. */
function toEvent({ audience, targetId, ...row }: ClaimedRow, index: number): PublishedEvent | null {
  if (audience === null) return null;
  const event = { ...row, audience, type: row.type as ChangeTypeName, changeId: row.eventId };
  if (row.position === null) return { ...event, targetId, position: String(-1 - index) };
  return { ...event, position: row.position };
}

/** Whether a payload has what its ids stand for. */
function hasResource({ type, data }: EventPayload): boolean {
  const { resource } = familyOf(type);
  return resource !== null && data[resource] !== null;
}

/** The body of a test of no type, and of an event that its reader could see when it happened but no longer may. */
function idsOnly(delivery: ClaimedRow): object {
  const { eventId: id, type, at, organizationId: organization_id } = delivery;
  const data =
    type === TEST_TYPE
      ? { webhook_id: delivery.webhookId, organization_id }
      : { organization_id, recording_id: delivery.recordingId, actor: null, changes: null };
  return { id, type, timestamp: at.toISOString(), data };
}
