import { Address, Choice, Decimal, Id, Text, Timestamp } from '../../../platform/openapi/field.decorator.js';
import { RECORDING_STATUSES, type RecordingStatus } from '../../../policy/recording-status.js';

/** What list and detail both tell of a recording. */
export class RecordingFields {
  @Id({ description: 'Identifier of the recording' })
  id: string;

  @Choice({
    values: RECORDING_STATUSES,
    name: 'RecordingStatus',
    description: 'Recording status',
    example: 'COMPLETED',
  })
  status: RecordingStatus;

  @Text({ description: 'Title', example: 'Weekly sync' })
  title: string;

  @Timestamp({ description: 'When the recording was created' })
  createdAt: string;

  @Address({
    description: 'Preview picture, JPEG; signed, works without a key. Null until there is one',
    example:
      'http://localhost:3000/media/01998a3c-5b1e-7c3a-9f04-2d1c6b7e8a90/thumbnail?expires=1769855400&signature=q2Hs',
    nullable: true,
  })
  thumbnailUrl: string | null;

  @Decimal({
    description: 'Fraction of the way from the first byte to long-term storage, 0 to 1; 1 when complete',
    maximum: 1,
    example: 1,
  })
  progress: number;
}
