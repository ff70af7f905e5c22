import { ChoicesParameter } from '../../../../platform/http/fields/choice-fields.js';
import { IntegerParameter } from '../../../../platform/http/fields/number-fields.js';
import { IdParameter, TextParameter } from '../../../../platform/http/fields/text-fields.js';
import { TimestampField } from '../../../../platform/http/fields/time-fields.js';
import { Alongside } from '../../../../platform/http/fields/request-field.js';
import { isAfter } from '../../../../platform/clock/timestamps.js';
import { CursorParameter } from '../../../../contract/cursor-pagination.dto.js';
import { EXAMPLE_IDS } from '../../../../contract/example-ids.js';
import { ExternalIdParameter, MetadataParameter, type Metadata } from '../../../../contract/external-ids.js';
import { LIMITS } from '../../../../contract/limits.js';
import { RECORDING_STATUSES, type RecordingStatus } from '../../../../policy/recording-status.js';

export interface RecordingFilters extends Pick<
  ListRecordingsDto,
  'date_from' | 'date_to' | 'organization_id' | 'folder_id'
> {
  readonly status?: RecordingStatus | readonly RecordingStatus[];
}

export class ListRecordingsDto {
  @IntegerParameter('Recordings per page', { ...LIMITS.page, example: 20 })
  limit: number = LIMITS.page.default;

  @IntegerParameter('Number of recordings to skip', { min: 0, default: 0, example: 0 })
  offset: number = 0;

  @Alongside<ListRecordingsDto>(({ offset }) =>
    typeof offset === 'number' && offset !== 0 ? 'must not be combined with offset' : null,
  )
  @CursorParameter(
    '`next_cursor` of the previous page, to be sent with the same filters. Fast at any depth; skips or repeats nothing when recordings are created or deleted in between',
  )
  cursor?: string;

  @TextParameter(
    'Part of the title, in any case, with or without accents; `%`, `_` and `\\` have no special meaning',
    {
      ...LIMITS.title,
      optional: true,
      example: 'weekly',
    },
  )
  search?: string;

  @ChoicesParameter(
    'Only recordings with this status, or one of several separated by commas: `COMPLETED,ERROR`',
    { values: RECORDING_STATUSES, name: 'RecordingStatus', optional: true, example: 'COMPLETED' },
  )
  status?: RecordingStatus[];

  @Alongside<ListRecordingsDto>(({ date_from, date_to }) =>
    isAfter(date_from, date_to) ? 'must not be after date_to' : null,
  )
  @TimestampField('Only recordings created on or after this date', { optional: true, example: '2026-01-01' })
  date_from?: string;

  @TimestampField(
    'Only recordings created on or before this date; a date without a time includes the whole day (UTC)',
    { optional: true, example: '2026-12-31' },
  )
  date_to?: string;

  @TimestampField(
    'Only recordings whose `updatedAt` is at or after this time. To follow changes, send the time of the previous request less a minute, as a change may become visible shortly after its time; deleted recordings are not reported',
    { optional: true, example: '2026-01-31T09:30:00Z' },
  )
  updated_since?: string;

  @ExternalIdParameter('Only recordings with this external id')
  external_id?: string;

  @MetadataParameter()
  metadata?: Metadata;

  @IdParameter('Only recordings of this organization', { optional: true, example: EXAMPLE_IDS.organization })
  organization_id?: string;

  @Alongside<ListRecordingsDto>(({ organization_id }) =>
    organization_id === undefined ? 'requires organization_id' : null,
  )
  @IdParameter('Only recordings in this folder; requires `organization_id`', {
    optional: true,
    example: EXAMPLE_IDS.folder,
  })
  folder_id?: string;
}
