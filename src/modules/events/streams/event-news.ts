import { Injectable } from '@nestjs/common';
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
export class EventNews {
  private listener: NewsListener | undefined;
  private seen: EventPosition | undefined;
  private listening: Promise<void> | undefined;
  private looking: Promise<void> | undefined;
  private again = false;
  private readonly endListening: (() => void)[] = [];

  constructor(
    private readonly dataSource: DataSource,
    private readonly notifications: NotificationsService,
    private readonly pages: EventPagesService,
    private readonly clock: Clock,
    private readonly logger: AppLogger,
  ) {}

  /** Begins to listen, with the first stream. */
  listen(listener: NewsListener): Promise<void> {
    this.listener = listener;
    this.listening ??= this.start().catch((error: unknown) => {
      this.listening = undefined;
      throw error;
    });
    return this.listening;
  }

  stop(): void {
    for (const end of this.endListening) end();
    this.again = false;
  }

  /** The position up to which everything has been looked at, or this one if it is later. */
  reachedAfter(position: EventPosition): EventPosition {
    return this.seen && this.seen.position >= position.position ? this.seen : position;
  }

  /** Resolves when everything that has been published by now has been looked at. */
  look(): Promise<void> {
    this.again = true;
    this.looking ??= this.lookOn().finally(() => (this.looking = undefined));
    return this.looking;
  }

  private async start(): Promise<void> {
    this.endListening.push(await this.notifications.listen('events', () => void this.look()));
    this.endListening.push(
      await this.notifications.listen('access', (userId) => this.listener?.onAccess(userId)),
    );
    this.seen = await this.pages.findEnd();
  }

  private async lookOn(): Promise<void> {
    try {
      while (this.again) {
        this.again = false;
        while ((await this.readNext()) === BATCH);
      }
    } catch (error) {
      // The next notification or heartbeat tries again.
      this.logger.warn({ err: error }, 'Could not read new events');
    }
  }

  private async readNext(): Promise<number> {
    if (!this.seen) return 0;
    const { position } = this.seen;
    const at = this.clock.now();
    const row = await findConcernedAfter(this.dataSource.manager, { after: position, limit: BATCH });
    this.seen = { position: BigInt(row?.last ?? position), at };
    if (row?.concerned) this.listener?.onEvents(row.concerned);
    return row?.n ?? 0;
  }
}
