import { LIMITS } from '../../../../src/contract/limits.js';
import { DecimalField, TextField } from '../../../../src/platform/http/fields.js';

export class CreateBookmarkDto {
  @DecimalField({
    min: 0,
    description: 'Seconds from the start of the recording; at most its duration, if known',
    example: 754.5,
  })
  at: number;

  @TextField({
    ...LIMITS.name,
    trim: true,
    description: 'What happens at this moment, 1 to 200 characters',
    example: 'Decision on the budget',
  })
  label: string;
}
