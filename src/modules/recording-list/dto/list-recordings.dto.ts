import {
  ChoicesParameter,
  IdParameter,
  TextField,
  TimestampField,
  IntegerParameter,
} from '../../../platform/http/fields.js';
import { CursorParameter } from '../../../contract/cursor-pagination.dto.js';
import { EXAMPLE_IDS } from '../../../contract/example-ids.js';
import { LIMITS } from '../../../contract/limits.js';
import { RECORDING_STATUSES, type RecordingStatus } from '../../../policy/recording-status.js';

/** Filters of list and search. */
export interface RecordingFilters {
  readonly status?: RecordingStatus | readonly RecordingStatus[];
  readonly date_from?: string;
  readonly date_to?: string;
  readonly organization_id?: string;
  readonly folder_id?: string;
}

export class ListRecordingsDto implements RecordingFilters {
  @IntegerParameter({
    ...LIMITS.page,
    description: 'Recordings per page, 1 to 100',
    example: 20,
  })
  limit: number = LIMITS.page.default;

  @IntegerParameter({ min: 0, default: 0, description: 'Number of recordings to skip', example: 0 })
  offset: number = 0;

  @CursorParameter({
    description:
      '`next_cursor` of the previous page, to be sent with the same filters. Fast at any depth; skips or repeats nothing when recordings are created or deleted in between',
  })
  cursor?: string;

  @TextField({
    ...LIMITS.title,
    optional: true,
    description: 'Part of the title, case-insensitive; `%`, `_` and `\\` have no special meaning',
    example: 'weekly',
  })
  search?: string;

  @ChoicesParameter({
    values: RECORDING_STATUSES,
    name: 'RecordingStatus',
    optional: true,
    description: 'Only recordings with this status, or one of several separated by commas: `COMPLETED,ERROR`',
    example: 'COMPLETED',
  })
  status?: RecordingStatus[];

  @TimestampField({
    optional: true,
    description: 'Only recordings created on or after this date',
    example: '2026-01-01',
  })
  date_from?: string;

  @TimestampField({
    optional: true,
    description:
      'Only recordings created on or before this date; a date without a time includes the whole day (UTC)',
    example: '2026-12-31',
  })
  date_to?: string;

  @TimestampField({
    optional: true,
    description:
      'Only recordings whose `updatedAt` is at or after this time. To follow changes, send the time of the previous request less a minute, as a change may become visible shortly after its time; deleted recordings are not reported',
    example: '2026-01-31T09:30:00Z',
  })
  updated_since?: string;

  @IdParameter({
    optional: true,
    description: 'Only recordings of this organization',
    example: EXAMPLE_IDS.organization,
  })
  organization_id?: string;

  @IdParameter({
    optional: true,
    description: 'Only recordings in this folder; requires `organization_id`',
    example: EXAMPLE_IDS.folder,
  })
  folder_id?: string;
}
