import {
  ChoiceField,
  IdParameter,
  TextField,
  TimestampField,
  WholeNumberParameter,
} from '../../../platform/http/fields.js';
import { LIMITS } from '../../../platform/limits.js';
import { RECORDING_STATUSES, type RecordingStatus } from '../../../policy/recording-status.js';

export class ListRecordingsDto {
  @WholeNumberParameter({
    ...LIMITS.recordingsPage,
    description: 'Recordings on a page, 1 to 100',
    example: 20,
  })
  limit: number = LIMITS.recordingsPage.default;

  @WholeNumberParameter({ min: 0, default: 0, description: 'Recordings to skip', example: 0 })
  offset: number = 0;

  @TextField({
    ...LIMITS.title,
    optional: true,
    description: 'Part of the title, ignoring case; `%`, `_` and `\\` are ordinary characters',
    example: 'weekly',
  })
  search?: string;

  @ChoiceField({
    values: RECORDING_STATUSES,
    name: 'RecordingStatus',
    optional: true,
    description: 'Only recordings in this status',
    example: 'COMPLETED',
  })
  status?: RecordingStatus;

  @TimestampField({
    optional: true,
    description: 'Only recordings created on or after it',
    example: '2026-01-01',
  })
  date_from?: string;

  @TimestampField({
    optional: true,
    description: 'Only recordings created on or before it; a plain date includes that whole day (UTC)',
    example: '2026-12-31',
  })
  date_to?: string;

  @IdParameter({
    optional: true,
    description: 'Only recordings of this organization',
    example: '01998a3c-5b1e-7c3a-9f04-2d1c6b7e8a90',
  })
  organization_id?: string;

  @IdParameter({
    optional: true,
    description: 'Only recordings in this folder; requires `organization_id`',
    example: '01998a3c-6d20-7e11-8c55-90ab12cd34ef',
  })
  folder_id?: string;
}
