import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { DomainError } from '../../contract/domain-error.js';
import type { EventPayload } from '../../contract/event-families.js';
import { Clock } from '../../platform/clock.js';
import { isUuid } from '../../platform/ids.js';
import { parseTimestamp } from '../../platform/timestamps.js';
import type { Caller } from '../../policy/caller.js';
import { OrganizationsService } from '../organizations/organizations.service.js';
import type { ListEventsDto } from './dto/list-events.dto.js';
import { EventCursors, type EventPosition } from './event-cursors.js';
import { readEventFilters, type EventFilters } from './event-filters.js';
import { EventPayloadsService } from './event-payloads.service.js';
import {
  EVENTS_AFTER,
  EVENTS_OF_RECORDING_AFTER,
  POSITION_BEFORE,
  type FollowingRow,
} from './following-events.sql.js';

/** Who reads: a user, with an API key that URLs are issued to. */
export interface EventReader {
  readonly userId: string;
  readonly apiKeyId: string;
}

export interface ReadEvent {
  /** Of the change. */
  readonly id: string;
  /** How far a reader has come who has this event. */
  readonly reached: EventPosition;
  readonly payload: EventPayload;
}

export interface EventPage {
  readonly events: readonly ReadEvent[];
  readonly hasMore: boolean;
  /** Where the next page begins, also after the last event. */
  readonly reached: EventPosition;
  /** The organizations whose events were read. */
  readonly organizationIds: readonly string[];
}

export interface ListedEvents extends EventPage {
  readonly limit: number;
  /** Of what was reached. */
  readonly cursor: string;
}

/**
 * Rows that one page looks at: usually a few times its length, more for certain types; of each organization at least, and of all
 * together.
 */
const SCAN = { usual: 400, ofTypes: 2_000, least: 20, together: 20_000 };
/** Rows whose visibility is decided together, unless the page is longer. */
const CHUNK = 100;

const ORGANIZATIONS = `SELECT organization_id AS id FROM organization_members
  WHERE user_id = $1 AND ($2::uuid IS NULL OR organization_id = $2)`;

/** Reads events in the order of their positions, for the list and for streams. */
@Injectable()
export class EventPagesService {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly payloads: EventPayloadsService,
    private readonly organizations: OrganizationsService,
    private readonly cursors: EventCursors,
    private readonly clock: Clock,
  ) {}

  /** The events of the last 30 days that the caller sees, oldest first. 410 `CURSOR_EXPIRED`. */
  async list({ id: userId, apiKey }: Caller, query: ListEventsDto): Promise<ListedEvents> {
    const { limit, cursor, since } = query;
    const filters = readEventFilters(query);
    if (cursor !== undefined && since !== undefined)
      throw new DomainError('VALIDATION_ERROR', 'since: must not be combined with cursor');
    const start =
      cursor === undefined
        ? await this.positionBefore((since === undefined ? null : parseTimestamp(since)?.date) ?? null)
        : this.cursors.read(userId, cursor, this.clock.now());
    const page = await this.page({ userId, apiKeyId: apiKey.id }, filters, start, limit);
    return { ...page, limit, cursor: this.cursors.write(userId, page.reached) };
  }

  /** Before everything that was published at this time or later; without a time, at the beginning of what is kept. */
  async positionBefore(time: Date | null): Promise<EventPosition> {
    const [row] = await this.dataSource.query<{ position: string }[]>(POSITION_BEFORE, [time ?? new Date(0)]);
    return { position: BigInt(row?.position ?? 0), at: this.clock.now() };
  }

  /** After everything that has been published. */
  async end(): Promise<EventPosition> {
    return this.positionBefore(new Date(this.clock.now().getTime() + YEAR_MS));
  }

  /**
   * The next events after a position that the reader sees and that the filters let through. Looks at a bounded number of rows, so
   * that there may be more although the page is not full. 404 and 403 for an organization as on its own endpoints.
   */
  async page(
    reader: EventReader,
    filters: EventFilters,
    after: EventPosition,
    limit: number,
  ): Promise<EventPage> {
    const organizationIds = await this.organizationsOf(reader, filters);
    const scan = scanned(organizationIds.length, filters);
    const found = await this.following(reader, filters, organizationIds, after, scan);
    const rows = found.filter(({ position }) => position !== null);
    const events = await this.visible(reader, rows.filter(wanted(filters, organizationIds, reader)), limit);
    const isFull = events.length === limit;
    const last = isFull ? events.at(-1)?.reached : reachedBy(rows.at(-1));
    const isAtEnd = rows.length < scan && (!isFull || last?.position === reachedBy(rows.at(-1))?.position);
    const head = { position: max(BigInt(found[0]?.head ?? 0), after.position), at: this.clock.now() };
    return { events, hasMore: !isAtEnd, reached: isAtEnd || !last ? head : last, organizationIds };
  }

  private async organizationsOf(
    { userId }: EventReader,
    { organizationId }: EventFilters,
  ): Promise<readonly string[]> {
    if (organizationId !== null) await this.organizations.requireMember({ id: userId }, organizationId);
    const rows = await this.dataSource.query<{ id: string }[]>(ORGANIZATIONS, [userId, organizationId]);
    return rows.map(({ id }) => id);
  }

  private async following(
    { userId }: EventReader,
    { recordingId, organizationId }: EventFilters,
    organizationIds: readonly string[],
    { position }: EventPosition,
    scan: number,
  ): Promise<readonly FollowingRow[]> {
    const after = position.toString();
    if (recordingId !== null) {
      const id = isUuid(recordingId) ? recordingId : null;
      return this.dataSource.query<FollowingRow[]>(EVENTS_OF_RECORDING_AFTER, [id, after, scan]);
    }
    const user = organizationId === null ? userId : null;
    return this.dataSource.query<FollowingRow[]>(EVENTS_AFTER, [user, organizationIds, after, scan]);
  }

  private async visible(
    { userId, apiKeyId }: EventReader,
    rows: readonly FollowingRow[],
    limit: number,
  ): Promise<readonly ReadEvent[]> {
    const events: ReadEvent[] = [];
    const holder = { kind: 'key', id: apiKeyId } as const;
    const { manager } = this.dataSource;
    for (
      let from = 0, size = Math.max(CHUNK, limit);
      from < rows.length && events.length < limit;
      from += size
    ) {
      const chunk = rows.slice(from, from + size);
      const payloads = await this.payloads.of(manager, userId, chunk, holder);
      for (const row of chunk) {
        const payload = payloads.get(row.position);
        if (payload) events.push({ id: row.changeId, reached: positionOf(row), payload });
      }
    }
    return events.slice(0, limit);
  }
}

const YEAR_MS = 365 * 86_400_000;

function scanned(organizations: number, { types }: EventFilters): number {
  const most = types === null ? SCAN.usual : SCAN.ofTypes;
  return Math.max(SCAN.least, Math.min(most, Math.floor(SCAN.together / (organizations + 1))));
}

const max = (a: bigint, b: bigint): bigint => (a > b ? a : b);

const positionOf = ({ position, publishedAt }: FollowingRow): EventPosition => ({
  position: BigInt(position),
  at: publishedAt,
});

const reachedBy = (row: FollowingRow | undefined): EventPosition | undefined => row && positionOf(row);

/** By what a row says; visibility is decided separately. */
function wanted(
  { types, organizationId }: EventFilters,
  organizationIds: readonly string[],
  { userId }: EventReader,
): (row: FollowingRow) => boolean {
  const organizations = new Set(organizationIds);
  const isOwn = (row: FollowingRow): boolean => organizationId === null && row.userId === userId;
  return (row) =>
    (types === null || types.has(row.type)) && (isOwn(row) || organizations.has(row.organizationId ?? ''));
}
