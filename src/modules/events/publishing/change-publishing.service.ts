import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { LIMITS } from '../../../contract/limits.js';
import { DAY_MS } from '../../../lib/durations.js';
import { Clock } from '../../../platform/clock/clock.js';
import { NotificationsService } from '../../../platform/database/notifications.service.js';
import { JobsService } from '../../../platform/jobs/jobs.service.js';
import { WorkerLoop } from '../../../platform/jobs/worker-loop.js';
import { AppLogger } from '../../../platform/logging/app-logger.js';
import type { PublishedEvent } from '../public/published-event.js';
import {
  createPartitions,
  deleteEventsBefore,
  notifyStreams,
  publishChanges,
  tryPublishingLock,
} from './publishing.queries.js';

/** Acts on new events in the transaction that publishes them: exactly once. */
export type EventConsumer = (manager: EntityManager, events: readonly PublishedEvent[]) => Promise<void>;

const BATCH = 500;
const DELETED_AT_ONCE = 10_000;

/** Gives committed changes their positions, one process at a time: no change appears before one that was passed. */
@Injectable()
export class ChangePublishingService extends WorkerLoop implements OnModuleInit {
  private readonly consumers: EventConsumer[] = [];

  constructor(
    private readonly dataSource: DataSource,
    private readonly jobs: JobsService,
    private readonly clock: Clock,
    notifications: NotificationsService,
    logger: AppLogger,
  ) {
    super('changes', notifications, logger);
  }

  onModuleInit(): void {
    this.jobs.runAlongside(this);
    this.jobs.handle('change-log.upkeep', () => this.upkeep(), { schedule: '17 * * * *' });
  }

  consume(consumer: EventConsumer): void {
    this.consumers.push(consumer);
  }

  /** If it fails, nothing of the last batch was published. */
  protected async round(): Promise<void> {
    while ((await this.publish()) === BATCH);
  }

  /** Prepares the partitions of the months to come, and deletes events after `LIMITS.eventDays`. */
  private async upkeep(): Promise<void> {
    const { manager } = this.dataSource;
    await createPartitions(manager);
    const before = new Date(this.clock.now().getTime() - LIMITS.eventDays * DAY_MS);
    while ((await deleteEventsBefore(manager, before, DELETED_AT_ONCE)) === DELETED_AT_ONCE);
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
