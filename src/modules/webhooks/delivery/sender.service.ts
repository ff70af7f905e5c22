import { Injectable, type OnModuleInit } from '@nestjs/common';
import pLimit from 'p-limit';
import { NotificationsService } from '../../../platform/database/notifications.service.js';
import { JobsService } from '../../../platform/jobs/jobs.service.js';
import { WorkerLoop } from '../../../platform/jobs/worker-loop.js';
import { AppLogger } from '../../../platform/logging/app-logger.js';
import { continueTrace } from '../../../platform/telemetry/spans.js';
import { DELIVERIES_CHANNEL } from './deliveries.queries.js';
import { DeliveriesService, type ClaimedDelivery, type DeliveryMessage } from './deliveries.service.js';
import { RequestsUnderWay, type UnderWay } from '../../../platform/outbound/requests-under-way.js';
import { byReader } from './webhook-reader.js';

/** Readers whose events are read at once: each takes a connection, of which requests need some. */
const READERS = 4;
/** Receivers that hang or fail get at most half. */
export const REQUESTS = { fast: 64, other: 64, all: 256 };

type Sent = ClaimedDelivery & { readonly request: UnderWay };

/** Sends what is due, in every worker process. */
@Injectable()
export class SenderService extends WorkerLoop implements OnModuleInit {
  private readonly requests = new RequestsUnderWay(REQUESTS);
  private readonly reading = pLimit(READERS);
  private readonly flights = new Set<Promise<void>>();
  private stopping = new AbortController();

  constructor(
    private readonly deliveries: DeliveriesService,
    private readonly jobs: JobsService,
    notifications: NotificationsService,
    logger: AppLogger,
  ) {
    super(DELIVERIES_CHANNEL, notifications, logger);
  }

  onModuleInit(): void {
    this.jobs.runAlongside(this);
  }

  override async start(): Promise<void> {
    this.stopping = new AbortController();
    await super.start();
  }

  /** Requests under way are given up; another process sends them again when their leases end. */
  override async stop(): Promise<void> {
    this.stopping.abort();
    await super.stop();
    await Promise.all(this.flights);
  }

  /** Claims what there is room for. If it fails, what was claimed is due again when the lease ends. */
  protected async round(): Promise<void> {
    const claimed = await this.deliveries.claim(this.requests);
    const sent = claimed.map((delivery) => ({
      ...delivery,
      request: this.requests.add(delivery.webhookId, delivery.fast),
    }));
    for (const group of byReader(sent)) {
      const flight = this.sendAll(group).finally(() => this.flights.delete(flight));
      this.flights.add(flight);
    }
  }

  private async sendAll(group: readonly [Sent, ...Sent[]]): Promise<void> {
    let messages: readonly DeliveryMessage[];
    try {
      messages = await this.reading(() => this.deliveries.compose(group));
    } catch (error) {
      this.logger.warn({ err: error }, 'Could not read what webhooks are sent; will retry');
      for (const { request } of group) this.requests.end(request);
      return;
    }
    await Promise.all(
      group.map(async (sent, index) => {
        const message = messages[index];
        if (!message) throw new Error('There is a message for each delivery');
        await this.deliver(sent, message);
      }),
    );
  }

  private async deliver(delivery: Sent, message: DeliveryMessage): Promise<void> {
    const { request } = delivery;
    const { signal } = this.stopping;
    try {
      request.startedAt = performance.now();
      const outcome = await continueTrace(delivery.traceparent, () => this.deliveries.send(message, signal));
      await this.deliveries.record(delivery, message, outcome);
    } catch (error) {
      if (!signal.aborted)
        this.logger.warn({ deliveryId: delivery.id, err: error }, 'Could not send a webhook; will retry');
    } finally {
      this.requests.end(request);
      this.wake();
    }
  }
}
