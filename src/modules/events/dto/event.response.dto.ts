import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { EVENT_TYPES, type ChangeTypeName } from '../../../contract/change-catalog.js';
import { EVENT_DATA_REFERENCES } from '../../../contract/event-document.js';
import type { EventPayload } from '../../../contract/event-families.js';
import {
  BooleanProperty,
  EnumProperty,
  IdProperty,
  IntegerProperty,
  TextProperty,
  TimestampProperty,
} from '../../../platform/openapi/field.decorator.js';
import { CURSOR_EXAMPLE } from './list-events.dto.js';
import type { ListedEvents } from '../event-pages.service.js';

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
    'Send it as `cursor` to get the events after these: at once if `has_more`, otherwise later. Works for 30 days',
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
