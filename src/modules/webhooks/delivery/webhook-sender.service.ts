import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import pLimit from 'p-limit';
import { NotificationsService } from '../../../platform/database/notifications.service.js';
import { JobsService, type WorkerLoop } from '../../../platform/jobs/jobs.service.js';
import { AppLogger } from '../../../platform/logging/app-logger.js';
import { DeliveryClaimsService, type ClaimedDelivery } from './delivery-claims.service.js';
import {
  DeliveryMessagesService,
  type DeliveryMessage,
  type SigningSecrets,
} from './delivery-messages.service.js';
import { DELIVERIES_CHANNEL } from './delivery-queue.service.js';
import { DeliveryRequestService, type AttemptOutcome } from './delivery-request.service.js';
import { DeliveryResultsService } from './delivery-results.service.js';
import { EndpointSlots, type Slot } from './endpoint-slots.js';

/** Retries become due without a notification, and notifications may be lost with their connection. */
const ROUND_MS = 1_000;
/** Readers whose events are read at once: each takes a connection, of which requests need some. */
const READERS = 4;
/** How often the result of an attempt is written while the database is away; then, its lease has almost ended. */
const WRITES = 30;
const WRITE_EVERY_MS = 1_000;

interface Sent {
  readonly delivery: ClaimedDelivery;
  readonly slot: Slot;
}

/** Sends what is due, in every worker process. */
@Injectable()
export class WebhookSenderService implements OnModuleInit, WorkerLoop {
  private readonly slots = new EndpointSlots();
  private readonly reading = pLimit(READERS);
  private readonly flights = new Set<Promise<void>>();
  private running: Promise<void> | undefined;
  private again = false;
  private timer: NodeJS.Timeout | undefined;
  private endListening: (() => void) | undefined;
  private stopping = new AbortController();

  constructor(
    private readonly claims: DeliveryClaimsService,
    private readonly messages: DeliveryMessagesService,
    private readonly requests: DeliveryRequestService,
    private readonly results: DeliveryResultsService,
    private readonly notifications: NotificationsService,
    private readonly jobs: JobsService,
    private readonly logger: AppLogger,
  ) {}

  onModuleInit(): void {
    this.jobs.runAlongside(this);
  }

  async start(): Promise<void> {
    this.stopping = new AbortController();
    this.timer = setInterval(() => this.wake(), ROUND_MS);
    this.endListening = await this.notifications.listen(DELIVERIES_CHANNEL, () => this.wake());
    this.wake();
  }

  /** Requests under way are given up; another process sends them again. */
  async stop(): Promise<void> {
    clearInterval(this.timer);
    this.endListening?.();
    this.endListening = undefined;
    this.stopping.abort();
    this.again = false;
    await this.running;
    await Promise.all(this.flights);
  }

  private wake(): void {
    if (this.stopping.signal.aborted) return;
    this.again = true;
    this.running ??= this.run().finally(() => (this.running = undefined));
  }

  private async run(): Promise<void> {
    while (this.again) {
      this.again = false;
      try {
        await this.round();
      } catch (error) {
        // Nothing is lost: what was claimed is due again when the lease ends.
        this.logger.warn({ err: error }, 'Could not send webhooks; will retry');
      }
    }
  }

  /** Claims what there is room for, without waiting for it to be sent. */
  private async round(): Promise<void> {
    const claimed = await this.claims.claim(this.slots);
    if (claimed.length === 0) return;
    const secrets = this.messages.secretsOf(claimed);
    // Reported where they are awaited.
    secrets.catch(() => undefined);
    const sent = claimed.map((delivery) => ({
      delivery,
      slot: this.slots.take(delivery.webhookId, delivery.fast),
    }));
    for (const reader of new Set(claimed.map((delivery) => delivery.reader))) {
      const group = sent.filter(({ delivery }) => delivery.reader === reader);
      const flight = this.sendAll(reader, group, secrets).finally(() => this.flights.delete(flight));
      this.flights.add(flight);
    }
  }

  /** Of one reader, so that what they may see is read only once. */
  private async sendAll(
    reader: string | null,
    group: readonly Sent[],
    secrets: Promise<SigningSecrets>,
  ): Promise<void> {
    const deliveries = group.map(({ delivery }) => delivery);
    let messages: readonly DeliveryMessage[];
    try {
      messages = await this.reading(async () => this.messages.of(reader, deliveries, await secrets));
    } catch (error) {
      this.logger.warn({ err: error }, 'Could not read what webhooks are sent; will retry');
      await this.giveUp(deliveries);
      for (const { slot } of group) slot.end(null);
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

  private async deliver({ delivery, slot }: Sent, message: DeliveryMessage): Promise<void> {
    const { signal } = this.stopping;
    let succeeded: boolean | null = null;
    try {
      slot.begin();
      const outcome = await this.requests.send(message, signal);
      succeeded = await this.write(delivery, message, outcome);
    } catch (error) {
      if (signal.aborted) return await this.giveUp([delivery]);
      this.logger.warn({ deliveryId: delivery.id, err: error }, 'Could not send a webhook; will retry');
    } finally {
      slot.end(succeeded);
      this.wake();
    }
  }

  private async write(
    delivery: ClaimedDelivery,
    message: DeliveryMessage,
    outcome: AttemptOutcome,
  ): Promise<boolean> {
    const body = { text: message.body, isPrivate: message.isPrivate };
    for (let writes = 1; ; writes += 1) {
      try {
        return await this.results.record(delivery, body, outcome);
      } catch (error) {
        if (writes === WRITES || this.stopping.signal.aborted) throw error;
        await sleep(WRITE_EVERY_MS, undefined, { ref: false });
      }
    }
  }

  private async giveUp(deliveries: readonly ClaimedDelivery[]): Promise<void> {
    await this.claims.release(deliveries).catch((error: unknown) => {
      // They are due again when the lease ends.
      this.logger.warn({ err: error }, 'Could not give up claims');
    });
  }
}
