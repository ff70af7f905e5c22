import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { NotificationsService } from '../../../platform/database/notifications.service.js';
import { JobsService } from '../../../platform/jobs/jobs.service.js';
import { WorkerLoop } from '../../../platform/jobs/worker-loop.js';
import { AppLogger } from '../../../platform/logging/app-logger.js';
import type { PublishedEvent } from '../public/published-event.js';
import { notifyStreams, publishChanges, tryPublishingLock } from './publishing.queries.js';

/** Acts on new events in the transaction that publishes them: exactly once. */
export type EventConsumer = (manager: EntityManager, events: readonly PublishedEvent[]) => Promise<void>;

const BATCH = 500;

/** Gives committed changes their positions, one process at a time: no change appears before one that was passed. */
@Injectable()
export class ChangePublishingService extends WorkerLoop implements OnModuleInit {
  private readonly consumers: EventConsumer[] = [];

  constructor(
    private readonly dataSource: DataSource,
    private readonly jobs: JobsService,
    notifications: NotificationsService,
    logger: AppLogger,
  ) {
    super('changes', notifications, logger);
  }

  onModuleInit(): void {
    this.jobs.runAlongside(this);
  }

  consume(consumer: EventConsumer): void {
    this.consumers.push(consumer);
  }

  /** If it fails, nothing of the last batch was published. */
  protected async round(): Promise<void> {
    while ((await this.publish()) === BATCH);
  }

  /** Returns how many changes were taken, published or not. */
  private async publish(): Promise<number> {
    return this.dataSource.transaction(async (manager) => {
      if (!(await tryPublishingLock(manager))) return 0;
      const { events, taken } = await publishChanges(manager, BATCH);
      const last = events.at(-1);
      if (last) {
        for (const consumer of this.consumers) await consumer(manager, events);
        await notifyStreams(manager, last);
      }
      return taken;
    });
  }
}
