import {
  UrlProperty,
  EnumProperty,
  DecimalProperty,
  IdProperty,
  TextProperty,
  TimestampProperty,
} from '../../../platform/openapi/field.decorator.js';
import { RECORDING_STATUSES, type RecordingStatus } from '../../../policy/recording-status.js';

/** What list and detail both tell of a recording. */
export class RecordingFields {
  @IdProperty({ description: 'Identifier of the recording' })
  id: string;

  @EnumProperty({
    values: RECORDING_STATUSES,
    name: 'RecordingStatus',
    description: 'Recording status',
    example: 'COMPLETED',
  })
  status: RecordingStatus;

  @TextProperty({ description: 'Title', example: 'Weekly sync' })
  title: string;

  @TimestampProperty({ description: 'When the recording was created' })
  createdAt: string;

  @UrlProperty({
    description: 'Preview picture, JPEG; signed, works without a key. Null until there is one',
    example:
      'http://localhost:3000/media/01998a3c-5b1e-7c3a-9f04-2d1c6b7e8a90/thumbnail?expires=1769855400&signature=q2Hs',
    nullable: true,
  })
  thumbnailUrl: string | null;

  @DecimalProperty({
    description: 'Fraction of the way from the first byte to long-term storage, 0 to 1; 1 when complete',
    maximum: 1,
    example: 1,
  })
  progress: number;
}
