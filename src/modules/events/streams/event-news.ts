import { Injectable } from '@nestjs/common';
import { WorkerLoop } from '../../../platform/jobs/worker-loop.js';
import { DataSource } from 'typeorm';
import { Clock } from '../../../platform/clock/clock.js';
import { NotificationsService } from '../../../platform/database/notifications.service.js';
import { AppLogger } from '../../../platform/logging/app-logger.js';
import type { EventPosition } from '../event-cursors.js';
import { EventPagesService } from '../event-pages.service.js';
import { findConcernedAfter, type Concerned } from '../events.queries.js';

/** Events that one statement looks at. */
const BATCH = 5_000;

interface NewsListener {
  onEvents(concerned: readonly Concerned[]): void;
  /** `userId`: whose rights have changed; null: perhaps anybody's. */
  onAccess(userId: string | null): void;
}

/** Tells all streams of this process what is new: one statement finds out whom new events concern. */
@Injectable()
export class EventNews extends WorkerLoop {
  private listener: NewsListener | undefined;
  private seen: EventPosition | undefined;
  private begun: Promise<void> | undefined;
  private endAccess: (() => void) | undefined;

  constructor(
    private readonly dataSource: DataSource,
    private readonly pages: EventPagesService,
    private readonly clock: Clock,
    notifications: NotificationsService,
    logger: AppLogger,
  ) {
    super('events', notifications, logger);
  }

  /** Begins to listen, with the first stream. */
  listen(listener: NewsListener): Promise<void> {
    this.listener = listener;
    this.begun ??= this.start().catch((error: unknown) => {
      this.begun = undefined;
      throw error;
    });
    return this.begun;
  }

  override async start(): Promise<void> {
    this.seen = await this.pages.findEnd();
    this.endAccess = await this.notifications.listen('access', (userId) => this.listener?.onAccess(userId));
    await super.start();
  }

  override async stop(): Promise<void> {
    this.endAccess?.();
    await super.stop();
  }

  /** The position up to which everything has been looked at, or this one if it is later. */
  reachedAfter(position: EventPosition): EventPosition {
    return this.seen && this.seen.position >= position.position ? this.seen : position;
  }

  protected async round(): Promise<void> {
    while ((await this.readNext()) === BATCH);
  }

  private async readNext(): Promise<number> {
    if (!this.seen) return 0;
    const { position } = this.seen;
    const at = this.clock.now();
    const row = await findConcernedAfter(this.dataSource.manager, { after: position, limit: BATCH });
    this.seen = { position: BigInt(row.last ?? position), at };
    if (row.concerned) this.listener?.onEvents(row.concerned);
    return row.n;
  }
}
