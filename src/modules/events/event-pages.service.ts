import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { EventPayload } from '../../contract/changes/event-families.js';
import { Clock } from '../../platform/clock/clock.js';
import { isUuid } from '../../platform/ids.js';
import { parseTimestamp } from '../../platform/clock/timestamps.js';
import { type Caller, type Viewer, viewerOf } from '../../policy/caller.js';
import { reachesEverything, reachesOrganization } from '../../policy/reach.js';
import { OrganizationsService } from '../organizations/organizations.service.js';
import { type EventFilters, type ListEventsDto, readEventFilters } from './dto/events.dto.js';
import { EventCursors, type EventPosition } from './event-cursors.js';
import { EventPayloadsService } from './event-payloads.service.js';
import {
  findEventsAfter,
  findPositionBefore,
  findRecordingEventsAfter,
  findRoles,
  type FollowingRow,
} from './events.queries.js';
import { DAY_MS } from '../../lib/durations.js';

/** A user who reads, with an API key that URLs are issued to. */
export interface EventReader extends Viewer {
  readonly apiKeyId: string;
  readonly address: string | undefined;
}

export const readerOf = (caller: Caller): EventReader => ({
  ...viewerOf(caller),
  apiKeyId: caller.apiKey.id,
  address: caller.request?.address,
});

export interface ReadEvent {
  /** The position of a reader who has this event. */
  readonly reached: EventPosition;
  readonly payload: EventPayload;
}

export interface EventPage {
  readonly events: readonly ReadEvent[];
  readonly hasMore: boolean;
  /** The position where the next page begins, also after the last event. */
  readonly reached: EventPosition;
  /** The organizations whose events were read. */
  readonly organizationIds: readonly string[];
}

export interface ListedEvents extends EventPage {
  readonly limit: number;
  /** `reached`, as the reader gets it. */
  readonly cursor: string;
}

/** Rows that one page looks at: usually, for certain types, of each organization at least, and of all together. */
const SCAN = { usual: 400, ofTypes: 2_000, least: 20, together: 20_000 };
/** Rows whose visibility is decided together, unless the page is longer. */
const CHUNK = 100;

const YEAR_MS = 365 * DAY_MS;

/** Reads events in the order of their positions, for the list and for streams. */
@Injectable()
export class EventPagesService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly payloads: EventPayloadsService,
    private readonly organizations: OrganizationsService,
    private readonly cursors: EventCursors,
    private readonly clock: Clock,
  ) {}

  /** The events still kept that the caller sees, oldest first. 410 `CURSOR_EXPIRED`. */
  async list(caller: Caller, query: ListEventsDto): Promise<ListedEvents> {
    const userId = caller.id;
    const { limit, cursor, since } = query;
    const filters = readEventFilters(query);
    const start =
      cursor === undefined
        ? await this.findStart((since === undefined ? null : parseTimestamp(since)?.date) ?? new Date(0))
        : this.cursors.read(userId, cursor, this.clock.now());
    const page = await this.readPage(readerOf(caller), filters, start, limit);
    return { ...page, limit, cursor: this.cursors.write(userId, page.reached) };
  }

  /** The position after everything that has been published. */
  async findEnd(): Promise<EventPosition> {
    return this.findStart(new Date(this.clock.now().getTime() + YEAR_MS));
  }

  /** The position before everything that was published at this time or later. */
  private async findStart(time: Date): Promise<EventPosition> {
    return { position: await findPositionBefore(this.dataSource.manager, time), at: this.clock.now() };
  }

  /**
   * The next events that the reader sees and wants. Looks at a bounded number of rows, so that there may be more
   * although the page is not full. 404 and 403 for an organization as on its own endpoints.
   */
  async readPage(
    reader: EventReader,
    filters: EventFilters,
    after: EventPosition,
    limit: number,
  ): Promise<EventPage> {
    const { manager } = this.dataSource;
    const { organizationId, recordingId } = filters;
    if (organizationId !== null)
      await this.organizations.requireMember({ id: reader.id, apiKey: reader }, organizationId);
    const roles = await findRoles(manager, reader.id, organizationId === null ? null : [organizationId]);
    const organizationIds = [...roles.keys()].filter((id) => reachesOrganization(reader, id));
    const usual = filters.types === null ? SCAN.usual : SCAN.ofTypes;
    const share = Math.floor(SCAN.together / (organizationIds.length + 1));
    const scan = Math.max(SCAN.least, Math.min(usual, share));
    const following = { after: after.position, limit: scan };
    const readsOwn = organizationId === null && reachesEverything(reader);
    const scope = { userId: readsOwn ? reader.id : null, organizationIds };
    const found =
      recordingId === null
        ? await findEventsAfter(manager, scope, following)
        : await findRecordingEventsAfter(manager, isUuid(recordingId) ? recordingId : null, following);
    const rows = found.filter(({ position }) => position !== null);
    const events = await this.readVisible(
      reader,
      rows.filter(wanted(filters, organizationIds, readsOwn ? reader : null)),
      limit,
    );
    const isFull = events.length === limit;
    const last = isFull ? events.at(-1)?.reached : reachedBy(rows.at(-1));
    const isAtEnd = rows.length < scan && (!isFull || last?.position === reachedBy(rows.at(-1))?.position);
    const head = { position: later(BigInt(found[0]?.head ?? 0), after.position), at: this.clock.now() };
    return { events, hasMore: !isAtEnd, reached: isAtEnd || !last ? head : last, organizationIds };
  }

  private async readVisible(
    reader: EventReader,
    rows: readonly FollowingRow[],
    limit: number,
  ): Promise<readonly ReadEvent[]> {
    const events: ReadEvent[] = [];
    const holder = { kind: 'key', id: reader.apiKeyId } as const;
    const { manager } = this.dataSource;
    for (
      let from = 0, size = Math.max(CHUNK, limit);
      from < rows.length && events.length < limit;
      from += size
    ) {
      const chunk = rows.slice(from, from + size);
      const payloads = await this.payloads.read(manager, reader, chunk, holder);
      for (const row of chunk) {
        const payload = payloads.get(row.position);
        if (payload) events.push({ reached: positionOf(row), payload });
      }
    }
    return events.slice(0, limit);
  }
}

const later = (a: bigint, b: bigint): bigint => (a > b ? a : b);

const positionOf = ({ position, publishedAt }: FollowingRow): EventPosition => ({
  position: BigInt(position),
  at: publishedAt,
});

const reachedBy = (row: FollowingRow | undefined): EventPosition | undefined => row && positionOf(row);

/** Whether a row says that the reader wants it; `own`: whose own events are read, too; visibility is decided separately. */
function wanted(
  { types }: EventFilters,
  organizationIds: readonly string[],
  own: EventReader | null,
): (row: FollowingRow) => boolean {
  const organizations = new Set(organizationIds);
  // Those in an organization, too, unless that does not accept the key.
  const isOwn = (row: FollowingRow): boolean =>
    own !== null && row.userId === own.id && reachesOrganization(own, row.organizationId);
  return (row) =>
    (types === null || types.has(row.type)) && (isOwn(row) || organizations.has(row.organizationId ?? ''));
}
