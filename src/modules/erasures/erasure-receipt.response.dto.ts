import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import {
  IdProperty,
  StringListProperty,
  TextProperty,
  TimestampProperty,
} from '../../platform/openapi/field.decorator.js';

/** Numbers of what is erased, by kind. */
export type ErasureCounts = Readonly<Record<string, number>>;

export const CountsProperty = (description: string): PropertyDecorator =>
  ApiProperty({
    description,
    type: 'object',
    additionalProperties: { type: 'integer', minimum: 0 },
    example: { recordings_deleted: 1, recordings_changed: 3, segments: 41 },
  });

/** What proves an erasure; stored as it is shown, so that a file of it can be verified. */
@ApiSchema({ name: 'ErasureReceipt' })
export class ErasureReceipt {
  @IdProperty('Identifier of the erasure')
  readonly id: string;

  @IdProperty('The organization', { nullable: true })
  readonly organization_id: string | null;

  @TimestampProperty('When it was completed')
  readonly completed_at: string;

  @CountsProperty('What was erased, by kind')
  readonly counts: ErasureCounts;

  @StringListProperty('Ids of the recordings that were deleted or changed', {
    example: ['01998a3c-5b1e-7c3a-9f04-2d1c6b7e8a90'],
  })
  readonly recordings: readonly string[];

  @TextProperty(
    'SHA-256, in hexadecimal digits, of the receipt without it, as JSON with sorted names and no white space. The audit log has it, sealed, in `erasure.completed`',
    { example: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08' },
  )
  readonly hash: string;
}

/** What people have to edit themselves. */
@ApiSchema({ name: 'ErasureReview' })
export class ErasureReview {
  @IdProperty('Identifier of the recording')
  readonly recording_id: string;

  @StringListProperty(
    'Its texts: `title`, `notes`, `metadata`, `summary`, `action_items` or `transcript` (what others say)',
    { example: ['notes'] },
  )
  readonly fields: readonly string[];
}
