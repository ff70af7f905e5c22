import { TextField } from '../../../platform/http/fields.js';
import { LIMITS } from '../../../platform/limits.js';

/** At least one of the fields; the service checks that. */
export class UpdateRecordingDto {
  @TextField({
    ...LIMITS.title,
    trim: true,
    optional: true,
    description: 'New title, 1 to 500 characters after trimming',
    example: 'Weekly sync, 3 March',
  })
  title?: string;

  @TextField({
    ...LIMITS.notes,
    optional: true,
    description: 'New notes, at most 100,000 characters; empty to clear them',
    example: 'Follow up on the pricing page.',
  })
  notes?: string;
}
