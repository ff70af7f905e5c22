import { Alongside } from '../../../platform/http/fields/request-field.js';
import { EXAMPLE_IDS } from '../../../contract/example-ids.js';
import { LIMITS } from '../../../contract/limits.js';
import { EVENT_TYPE_NAMES, problemOfTypes } from '../../../contract/type-names.js';
import { IntegerParameter } from '../../../platform/http/fields/number-fields.js';
import { IdParameter, TextField } from '../../../platform/http/fields/text-fields.js';
import { TimestampField } from '../../../platform/http/fields/time-fields.js';

export const CURSOR_EXAMPLE = 'ZxbMAcGClCTZX9u4UtMyH8NnM3Zx8v3y_aNduMZLt-sgSxo_a90nvvggPcg';
const CURSOR = { min: 1, max: 100, optional: true, example: CURSOR_EXAMPLE } as const;

/** Selects the events of the list and the stream. */
export class EventFiltersDto {
  @Alongside<EventFiltersDto>(({ types }) =>
    problemOfTypes(types, EVENT_TYPE_NAMES, { of: 'event', example: 'recording.completed' }),
  )
  @TextField(
    'Only events of these types, separated by commas; `recording.*` stands for all types that start with `recording.`, `*` for all',
    { min: 1, max: 2_000, optional: true, example: 'recording.*,transcript.completed' },
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
  @IntegerParameter('Maximum number of events per page, 1 to 100', { ...LIMITS.events, example: 50 })
  limit: number = LIMITS.events.default;

  @TextField('`next_cursor` of an earlier reply to the same user; works for 30 days', CURSOR)
  cursor?: string;

  @Alongside<ListEventsDto>(({ cursor }) =>
    cursor === undefined ? null : 'must not be combined with cursor',
  )
  @TimestampField(
    'Without a cursor: begins with the first event that was published at this time or later, instead of 30 days ago',
    { optional: true, example: '2026-01-01' },
  )
  since?: string;
}

export class StreamEventsDto extends EventFiltersDto {
  @TextField(
    '`next_cursor` of `GET /events`, or the `id` of a message: begins with the event after it. The header `Last-Event-ID` takes precedence. Without either, the stream begins now',
    CURSOR,
  )
  cursor?: string;
}
