import { Injectable, type OnModuleInit } from '@nestjs/common';
import pLimit from 'p-limit';
import { NotificationsService } from '../../../platform/database/notifications.service.js';
import { JobsService } from '../../../platform/jobs/jobs.service.js';
import { WorkerLoop } from '../../../platform/jobs/worker-loop.js';
import { AppLogger } from '../../../platform/logging/app-logger.js';
import { DELIVERIES_CHANNEL } from './deliveries.queries.js';
import { DeliveriesService, type ClaimedDelivery, type DeliveryMessage } from './deliveries.service.js';
import { EndpointSlots, type Slot } from './endpoint-slots.js';
import { byReader } from './webhook-reader.js';

/** Readers whose events are read at once: each takes a connection, of which requests need some. */
const READERS = 4;

type Sent = ClaimedDelivery & { readonly slot: Slot };

/** Sends what is due, in every worker process. */
@Injectable()
export class SenderService extends WorkerLoop implements OnModuleInit {
  private readonly slots = new EndpointSlots();
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

  /**
   * Claims what there is room for, without waiting for it to be sent. If it fails, what was claimed is due again when
   * the lease ends.
   */
  protected async round(): Promise<void> {
    const claimed = await this.deliveries.claim(this.slots);
    const sent = claimed.map((delivery) => ({
      ...delivery,
      slot: this.slots.take(delivery.webhookId, delivery.fast),
    }));
    for (const group of byReader(sent)) {
      const flight = this.sendAll(group).finally(() => this.flights.delete(flight));
      this.flights.add(flight);
    }
  }

  /** Sends the deliveries of one reader. */
  private async sendAll(group: readonly [Sent, ...Sent[]]): Promise<void> {
    let messages: readonly DeliveryMessage[];
    try {
      messages = await this.reading(() => this.deliveries.compose(group));
    } catch (error) {
      this.logger.warn({ err: error }, 'Could not read what webhooks are sent; will retry');
      for (const { slot } of group) slot.end();
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
    const { slot } = delivery;
    const { signal } = this.stopping;
    try {
      slot.begin();
      const outcome = await this.deliveries.send(message, signal);
      await this.deliveries.record(delivery, message, outcome);
    } catch (error) {
      if (!signal.aborted)
        this.logger.warn({ deliveryId: delivery.id, err: error }, 'Could not send a webhook; will retry');
    } finally {
      slot.end();
      this.wake();
    }
  }
}
