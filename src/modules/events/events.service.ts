import { Injectable } from '@nestjs/common';
import { DomainError } from '../../contract/domain-error.js';
import { Clock } from '../../platform/clock.js';
import { parseTimestamp } from '../../platform/timestamps.js';
import type { Caller } from '../../policy/caller.js';
import type { ListEventsDto } from './dto/list-events.dto.js';
import { EventCursors, type EventPosition } from './event-cursors.js';
import { readEventFilters } from './event-filters.js';
import { EventPagesService, type EventPage } from './event-pages.service.js';

export interface ListedEvents extends EventPage {
  readonly limit: number;
  /** Of what was reached. */
  readonly cursor: string;
}

@Injectable()
export class EventsService {
  constructor(
    private readonly pages: EventPagesService,
    private readonly cursors: EventCursors,
    private readonly clock: Clock,
  ) {}

  /** The events of the last 30 days that the caller sees, oldest first. 410 `CURSOR_EXPIRED`. */
  async list(caller: Caller, query: ListEventsDto): Promise<ListedEvents> {
    const { limit } = query;
    const filters = readEventFilters(query);
    const reader = { userId: caller.id, apiKeyId: caller.apiKey.id };
    const page = await this.pages.page(reader, filters, await this.start(caller, query), limit);
    return { ...page, limit, cursor: this.cursors.write(caller.id, page.reached) };
  }

  private async start({ id }: Caller, { cursor, since }: ListEventsDto): Promise<EventPosition> {
    if (cursor === undefined)
      return this.pages.positionBefore(since === undefined ? null : (parseTimestamp(since)?.date ?? null));
    if (since !== undefined)
      throw new DomainError('VALIDATION_ERROR', 'since: must not be combined with cursor');
    return this.cursors.read(id, cursor, this.clock.now());
  }
}
