import { Injectable } from '@nestjs/common';
import { DomainError } from '../../contract/domain-error.js';
import { Clock } from '../../platform/clock.js';
import { parseTimestamp } from '../../platform/timestamps.js';
import type { Caller } from '../../policy/caller.js';
import type { ListEventsDto } from './dto/list-events.dto.js';
import { readEventCursor, type EventPosition } from './event-cursor.js';
import { readEventFilters } from './event-filters.js';
import { EventPagesService, type EventPage } from './event-pages.service.js';

export interface ListedEvents extends EventPage {
  readonly limit: number;
}

@Injectable()
export class EventsService {
  constructor(
    private readonly pages: EventPagesService,
    private readonly clock: Clock,
  ) {}

  /** The events of the last 30 days that the caller sees, oldest first. 410 `CURSOR_EXPIRED`. */
  async list(caller: Caller, query: ListEventsDto): Promise<ListedEvents> {
    const { limit } = query;
    const filters = readEventFilters(query);
    const reader = { userId: caller.id, apiKeyId: caller.apiKey.id };
    const page = await this.pages.page(reader, filters, await this.start(query), limit);
    return { ...page, limit };
  }

  private async start({ cursor, since }: ListEventsDto): Promise<EventPosition> {
    if (cursor === undefined)
      return this.pages.positionBefore(since === undefined ? null : (parseTimestamp(since)?.date ?? null));
    if (since !== undefined)
      throw new DomainError('VALIDATION_ERROR', 'since: must not be combined with cursor');
    return readEventCursor(cursor, this.clock.now());
  }
}
