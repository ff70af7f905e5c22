import { LIMITS } from '../../../../src/contract/limits.js';
import { DecimalField, TextField } from '../../../../src/platform/http/fields.js';

export class CreateBookmarkDto {
  @DecimalField({
    min: 0,
    description: 'Seconds from the start of the recording, within its duration where that is known',
    example: 754.5,
  })
  at: number;

  @TextField({
    ...LIMITS.name,
    trim: true,
    description: 'What happens there, 1 to 200 characters',
    example: 'Decision on the budget',
  })
  label: string;
}
