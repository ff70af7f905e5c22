import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import type { ChangeTypeName } from '../../../contract/changes/change-catalog.js';
import { EVENT_TYPES } from '../../../contract/changes/event-families.js';
import { EVENT_DATA_REFERENCES } from '../../../contract/changes/event-document.js';
import type { EventPayload } from '../../../contract/changes/event-families.js';
import {
  BooleanProperty,
  EnumProperty,
  IdProperty,
  IntegerProperty,
  TextProperty,
  TimestampProperty,
} from '../../../platform/openapi/field.decorator.js';
import type { ListedEvents } from '../event-pages.service.js';
import { Alongside } from '../../../platform/http/fields/request-field.js';
import { EXAMPLE_IDS } from '../../../contract/example-ids.js';
import { LIMITS } from '../../../contract/limits.js';
import { EVENT_TYPE_NAMES, problemOfTypes, readTypes } from '../../../contract/type-names.js';
import { IntegerParameter } from '../../../platform/http/fields/number-fields.js';
import { IdParameter, TextParameter } from '../../../platform/http/fields/text-fields.js';
import { TimestampField } from '../../../platform/http/fields/time-fields.js';

export const CURSOR_EXAMPLE = 'ZxbMAcGClCTZX9u4UtMyH8NnM3Zx8v3y_aNduMZLt-sgSxo_a90nvvggPcg';
const CURSOR = { ...LIMITS.cursor, optional: true, example: CURSOR_EXAMPLE } as const;

/** Selects the events of the list and the stream. */
export class EventFiltersDto {
  @Alongside<EventFiltersDto>(({ types }) =>
    problemOfTypes(types, EVENT_TYPE_NAMES, { of: 'event', example: 'recording.completed' }),
  )
  @TextParameter(
    'Only events of these types, separated by commas; `recording.*` stands for all types that start with `recording.`, `*` for all',
    { ...LIMITS.typeFilter, optional: true, example: 'recording.*,transcript.completed' },
  )
  types?: string;

  @IdParameter('Only events of this recording, its transcript, its summary and its share links', {
    optional: true,
    example: EXAMPLE_IDS.recording,
  })
  recording_id?: string;

  @IdParameter('Only events of this organization; the caller must be a member', {
    optional: true,
    example: EXAMPLE_IDS.organization,
  })
  organization_id?: string;
}

export class ListEventsDto extends EventFiltersDto {
  @IntegerParameter('Maximum number of events per page', { ...LIMITS.events, example: 50 })
  limit: number = LIMITS.events.default;

  @TextParameter(
    `\`next_cursor\` of an earlier reply to the same user; works for ${LIMITS.eventDays} days`,
    CURSOR,
  )
  cursor?: string;

  @Alongside<ListEventsDto>(({ cursor }) =>
    cursor === undefined ? null : 'must not be combined with cursor',
  )
  @TimestampField(
    `Without a cursor: begins with the first event that was published at this time or later, instead of ${LIMITS.eventDays} days ago`,
    { optional: true, example: '2026-01-01' },
  )
  since?: string;
}

export class StreamEventsDto extends EventFiltersDto {
  @TextParameter(
    '`next_cursor` of `GET /events`, or the `id` of a message: begins with the event after it. The header `Last-Event-ID` takes precedence. Without either, the stream begins now',
    CURSOR,
  )
  cursor?: string;
}

/** The events that a reader wants, of those that they may see. */
export interface EventFilters {
  /** Null stands for all. */
  readonly types: ReadonlySet<ChangeTypeName> | null;
  readonly recordingId: string | null;
  readonly organizationId: string | null;
}

export function readEventFilters(query: EventFiltersDto): EventFilters {
  const types = readTypes(query.types, EVENT_TYPES);
  return {
    types: types ? new Set(types) : null,
    recordingId: query.recording_id?.toLowerCase() ?? null,
    organizationId: query.organization_id?.toLowerCase() ?? null,
  };
}

@ApiSchema({ name: 'Event' })
export class PresentedEvent {
  @IdProperty(
    'Identifier of the event, the same for everyone who sees it; webhooks have it as `id` and `webhook-id`',
  )
  id: string;

  @EnumProperty('What happened; `webhooks` of this document describes each type', {
    values: EVENT_TYPES,
    name: 'EventType',
    example: 'recording.completed',
  })
  type: ChangeTypeName;

  @TimestampProperty('When it happened')
  timestamp: string;

  @ApiProperty({
    description:
      'What it is about: ids, what changed, and the resource as the API shows it to the caller now. For a recording that was deleted or moved out of their sight, ids only: the rest is null',
    anyOf: [...EVENT_DATA_REFERENCES],
  })
  data: EventPayload['data'];
}

/** Unlike other lists, this one is continued after its last page. */
export class EventsPagination {
  @IntegerProperty('Maximum number of events per page, as requested', { example: 50 })
  limit: number;

  @BooleanProperty('Whether there are more events now, even if this page has fewer than `limit`, or none', {
    example: true,
  })
  has_more: boolean;

  @TextProperty(
    `Send it as \`cursor\` to get the events after these: at once if \`has_more\`, otherwise later. Works for ${LIMITS.eventDays} days`,
    { example: CURSOR_EXAMPLE },
  )
  next_cursor: string;
}

export function presentEvents({ events, limit, hasMore, cursor }: ListedEvents): {
  data: PresentedEvent[];
  pagination: EventsPagination;
} {
  return {
    data: events.map(({ payload }) => payload),
    pagination: { limit, has_more: hasMore, next_cursor: cursor },
  };
}
