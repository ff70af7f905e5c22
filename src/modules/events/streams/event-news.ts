import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { Clock } from '../../../platform/clock.js';
import { NotificationsService } from '../../../platform/database/notifications.service.js';
import { AppLogger } from '../../../platform/logging/app-logger.js';
import type { EventPosition } from '../event-cursors.js';
import { EventPagesService } from '../event-pages.service.js';
import { CONCERNED_AFTER } from '../following-events.sql.js';
import type { Concerned } from './event-stream.js';

/** Events that are looked at together. */
const BATCH = 5_000;

interface NewsRow {
  readonly last: string | null;
  readonly n: number;
  readonly concerned: readonly Concerned[] | null;
}

interface NewsListener {
  onEvents(concerned: readonly Concerned[]): void;
  /** With the id of a user whose rights have changed; null: of any. */
  onAccess(userId: string | null): void;
}

/** What is new, for all streams of this process: one statement tells whom new events concern. */
@Injectable()
export class EventNews {
  private listener: NewsListener | undefined;
  private seen: EventPosition | undefined;
  private listening: Promise<void> | undefined;
  private looking: Promise<void> | undefined;
  private again = false;
  private readonly endListening: (() => void)[] = [];

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly notifications: NotificationsService,
    private readonly pages: EventPagesService,
    private readonly clock: Clock,
    private readonly logger: AppLogger,
  ) {}

  /** From the first stream on. */
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

  /** A position that everything up to which has been looked at, not before this one. */
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
    this.seen = await this.pages.end();
  }

  private async lookOn(): Promise<void> {
    try {
      while (this.again) {
        this.again = false;
        while ((await this.next()) === BATCH);
      }
    } catch (error) {
      // The next notification or heartbeat tries again.
      this.logger.warn({ err: error }, 'Could not read new events');
    }
  }

  private async next(): Promise<number> {
    if (!this.seen) return 0;
    const { position } = this.seen;
    const at = this.clock.now();
    const [row] = await this.dataSource.query<NewsRow[]>(CONCERNED_AFTER, [position.toString(), BATCH]);
    this.seen = { position: BigInt(row?.last ?? position), at };
    if (row?.concerned) this.listener?.onEvents(row.concerned);
    return row?.n ?? 0;
  }
}
