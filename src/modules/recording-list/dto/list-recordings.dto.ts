import {
  ChoiceField,
  IdParameter,
  TextField,
  TimestampField,
  IntegerParameter,
} from '../../../platform/http/fields.js';
import { CursorParameter } from '../../../contract/cursor-pagination.dto.js';
import { LIMITS } from '../../../contract/limits.js';
import { RECORDING_STATUSES, type RecordingStatus } from '../../../policy/recording-status.js';

/** Parameters that list and search share, by name. */
export const RecordingParameter = {
  limit: IntegerParameter({
    ...LIMITS.page,
    description: 'Recordings on a page, 1 to 100',
    example: 20,
  }),
  offset: IntegerParameter({ min: 0, default: 0, description: 'Recordings to skip', example: 0 }),
  status: ChoiceField({
    values: RECORDING_STATUSES,
    name: 'RecordingStatus',
    optional: true,
    description: 'Only recordings in this status',
    example: 'COMPLETED',
  }),
  dateFrom: TimestampField({
    optional: true,
    description: 'Only recordings created on or after it',
    example: '2026-01-01',
  }),
  dateTo: TimestampField({
    optional: true,
    description: 'Only recordings created on or before it; a plain date includes that whole day (UTC)',
    example: '2026-12-31',
  }),
  organizationId: IdParameter({
    optional: true,
    description: 'Only recordings of this organization',
    example: '01998a3c-5b1e-7c3a-9f04-2d1c6b7e8a90',
  }),
  folderId: IdParameter({
    optional: true,
    description: 'Only recordings in this folder; requires `organization_id`',
    example: '01998a3c-6d20-7e11-8c55-90ab12cd34ef',
  }),
} as const;

/** What list and search may be narrowed to. */
export interface RecordingFilters {
  readonly status?: RecordingStatus;
  readonly date_from?: string;
  readonly date_to?: string;
  readonly organization_id?: string;
  readonly folder_id?: string;
}

export class ListRecordingsDto implements RecordingFilters {
  @RecordingParameter.limit
  limit: number = LIMITS.page.default;

  @RecordingParameter.offset
  offset: number = 0;

  @CursorParameter({
    description:
      'Goes on after a page: its `next_cursor`, with the same filters. Quick at any depth, and nothing is skipped or repeated when recordings come or go meanwhile',
  })
  cursor?: string;

  @TextField({
    ...LIMITS.title,
    optional: true,
    description: 'Part of the title, ignoring case; `%`, `_` and `\\` are ordinary characters',
    example: 'weekly',
  })
  search?: string;

  @RecordingParameter.status
  status?: RecordingStatus;

  @RecordingParameter.dateFrom
  date_from?: string;

  @RecordingParameter.dateTo
  date_to?: string;

  @RecordingParameter.organizationId
  organization_id?: string;

  @RecordingParameter.folderId
  folder_id?: string;
}
