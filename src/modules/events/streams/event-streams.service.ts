import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { Request, Response } from 'express';
import { DomainError } from '../../../contract/domain-error.js';
import { Clock } from '../../../platform/clock/clock.js';
import { SETTINGS, type Settings } from '../../../platform/config/settings.js';
import { ServiceError } from '../../../platform/errors/service-error.js';
import { AppLogger } from '../../../platform/logging/app-logger.js';
import { FairQueue } from '../../../platform/work/fair-queue.js';
import { addressRefusal } from '../../../policy/api-keys.js';
import type { Caller } from '../../../policy/caller.js';
import { AuthService } from '../../auth/auth.service.js';
import { EventCursors } from '../event-cursors.js';
import { readEventFilters, type StreamEventsDto } from '../dto/events.dto.js';
import { EventPagesService, readerOf } from '../event-pages.service.js';
import { EventStream } from './event-stream.js';
import { EventNews } from './event-news.js';
import { LIMITS } from '../../../contract/limits.js';
import { takePlace } from '../../../platform/runtime/places.js';
import { METRICS, watch } from '../../../platform/telemetry/metrics.js';
import { SECOND_MS } from '../../../lib/durations.js';

/** Events that one page of a stream has. */
const PAGE = 50;
/** Streams that read at the same time, so that other requests find a connection to the database. */
const READING = 4;

/** The open event streams of this process. They end with the key or membership: when notified, or at a heartbeat. */
@Injectable()
export class EventStreamsService implements OnModuleDestroy {
  private readonly streams = new Set<EventStream>();
  private readonly reading = new Set<Promise<void>>();
  private readonly slots: StreamSlots;
  private readonly queue: FairQueue;
  private timer: NodeJS.Timeout | undefined;
  private isStopping = false;

  constructor(
    private readonly pages: EventPagesService,
    private readonly news: EventNews,
    private readonly cursors: EventCursors,
    private readonly auth: AuthService,
    private readonly clock: Clock,
    private readonly logger: AppLogger,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {
    const { databasePoolSize, maxConnections } = settings;
    this.slots = new StreamSlots(Math.ceil(maxConnections / 2));
    const atOnce = Math.min(READING, Math.ceil(databasePoolSize / 2));
    this.queue = new FairQueue({ atOnce, waiting: Infinity, waitingEach: Infinity });
    watch('mrs_event_streams', 'Open streams of events', () => this.streams.size);
  }

  async onModuleDestroy(): Promise<void> {
    this.isStopping = true;
    clearInterval(this.timer);
    await this.news.stop();
    for (const stream of this.streams) stream.end();
    await Promise.all(this.reading);
  }

  /** Begins a stream after `Last-Event-ID`, after the cursor, or now. Errors are replies, as for the list. */
  async open(caller: Caller, query: StreamEventsDto, request: Request, response: Response): Promise<void> {
    if (this.isStopping) throw new DomainError('SERVICE_UNAVAILABLE');
    const filters = readEventFilters(query);
    const cursor = request.get('Last-Event-ID') || query.cursor;
    const after = cursor === undefined ? null : this.cursors.read(caller.id, cursor, this.clock.now());
    const leave = await this.slots.take(caller.id);
    response.once('close', leave);
    try {
      await this.listen();
      const reader = readerOf(caller);
      const start = after ?? (await this.pages.findEnd());
      const stream = new EventStream(reader, filters, start, response, (position) =>
        this.cursors.write(caller.id, position),
      );
      // For an organization, refuses those who are not a member.
      const { organizationIds } = await this.pages.readPage(reader, filters, stream.reached, 1);
      stream.organizationIds = new Set(organizationIds);
      this.begin(stream, request, response);
      // Gone before anything could notice.
      if (!stream.isOpen) leave();
    } catch (error) {
      leave();
      throw error;
    }
  }

  private begin(stream: EventStream, { method }: Request, response: Response): void {
    if (!stream.isOpen || this.isStopping) {
      response.destroy();
      return;
    }
    stream.begin();
    if (method === 'HEAD') {
      stream.end();
      return;
    }
    this.streams.add(stream);
    response.once('close', () => this.streams.delete(stream));
    // What was revoked or published since the request was accepted.
    void this.recheck(stream.reader.id);
  }

  private async listen(): Promise<void> {
    await this.news.listen({
      onEvents: (concerned) => {
        for (const stream of this.streams)
          if (concerned.some((one) => stream.isConcernedBy(one))) this.follow(stream);
      },
      onAccess: (userId) => void this.recheck(userId),
    });
    this.timer ??= setInterval(() => void this.beat(), LIMITS.heartbeatSeconds * SECOND_MS).unref();
  }

  /** Reads what is new for a stream, or notes that there is more if it is reading already. */
  private follow(stream: EventStream): void {
    stream.isBehind = true;
    if (stream.isReading || !stream.isOpen) return;
    stream.isReading = true;
    const reading = this.read(stream).finally(() => {
      stream.isReading = false;
      this.reading.delete(reading);
    });
    this.reading.add(reading);
  }

  private async read(stream: EventStream): Promise<void> {
    try {
      while (stream.isBehind && stream.isOpen) {
        stream.isBehind = false;
        await this.catchUp(stream);
      }
    } catch (error) {
      if (error instanceof ServiceError) {
        stream.end(error, this.settings.adviceContact);
        return;
      }
      if (!this.isStopping)
        this.logger.warn({ err: error }, 'A stream of events ended, as events could not be read');
      stream.end();
    }
  }

  private async catchUp(stream: EventStream): Promise<void> {
    const { reader, filters } = stream;
    for (let hasMore = true; hasMore && stream.isOpen;) {
      const { keyExpiresAt } = stream;
      if (keyExpiresAt !== null && keyExpiresAt <= this.clock.now()) await this.checkKeys([stream]);
      if (!stream.isOpen) return;
      const page = await this.queue.run(
        reader.id,
        () => this.pages.readPage(reader, filters, stream.reached, PAGE),
        { accepted: true },
      );
      stream.organizationIds = new Set(page.organizationIds);
      for (const event of page.events) {
        if (!(await stream.send(event))) return;
        stream.reached = event.reached;
      }
      ({ hasMore, reached: stream.reached } = page);
    }
  }

  /** Whether the streams of a user, or of all, may go on; if so, they read again what they may have. */
  private async recheck(userId: string | null): Promise<void> {
    const concerned = [...this.streams].filter(({ reader }) => userId === null || reader.id === userId);
    await this.checkKeys(concerned);
    for (const stream of concerned) this.follow(stream);
  }

  private async checkKeys(streams: readonly EventStream[]): Promise<void> {
    if (streams.length === 0) return;
    try {
      const ids = [...new Set(streams.map(({ reader }) => reader.apiKeyId))];
      const standings = await this.auth.standings(ids, ['events:read']);
      for (const stream of streams) {
        const { refusal = null, limits = null, endsAt = null } = standings.get(stream.reader.apiKeyId) ?? {};
        stream.keyExpiresAt = endsAt;
        const reason = refusal ?? (limits && addressRefusal(limits, stream.reader.address));
        if (reason) stream.end(reason, this.settings.adviceContact);
        else if (limits) stream.reader = { ...stream.reader, ...limits };
      }
    } catch (error) {
      // Rather than go on without knowing.
      this.logger.warn({ err: error }, 'Streams of events ended, as their keys could not be checked');
      for (const stream of streams) stream.end();
    }
  }

  /** Notifications may have been lost, and keys expire without one. */
  private async beat(): Promise<void> {
    const streams = [...this.streams];
    await this.checkKeys(streams);
    for (const stream of streams) {
      if (stream.filters.organizationId !== null) this.follow(stream);
      else if (!stream.isReading && !stream.isBehind) stream.reached = this.news.reachedAfter(stream.reached);
      stream.beat();
    }
  }
}

const RETRY = { headers: { 'Retry-After': '30' } };

/** The open streams: some for each user, over all processes on this port, and at most `max` in this process. */
export class StreamSlots {
  private taken = 0;

  constructor(private readonly max: number) {}

  /** Resolves to what gives the slot back. 429 `RATE_LIMITED`, 503 `SERVICE_UNAVAILABLE`. */
  async take(userId: string): Promise<() => void> {
    const giveBack = await takePlace(`event streams of ${userId}`, LIMITS.eventStreams);
    if (!giveBack) {
      METRICS.refusals.inc({ reason: 'event_streams' });
      const message = `You have ${LIMITS.eventStreams} open streams of events, and there cannot be more: close one first.`;
      throw new DomainError('RATE_LIMITED', message, RETRY);
    }
    if (this.taken >= this.max) {
      giveBack();
      METRICS.refusals.inc({ reason: 'event_streams_of_process' });
      throw new DomainError(
        'SERVICE_UNAVAILABLE',
        'Too many open streams of events; try again later.',
        RETRY,
      );
    }
    this.taken += 1;
    let isTaken = true;
    return () => {
      if (!isTaken) return;
      isTaken = false;
      this.taken -= 1;
      giveBack();
    };
  }
}
