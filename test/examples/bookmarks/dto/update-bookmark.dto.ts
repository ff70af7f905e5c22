import { LIMITS } from '../../../../src/contract/limits.js';
import { DecimalField } from '../../../../src/platform/http/fields/number-fields.js';
import { TextField } from '../../../../src/platform/http/fields/text-fields.js';
import { AtLeastOneField } from '../../../../src/platform/http/fields/request-field.js';

@AtLeastOneField()
export class UpdateBookmarkDto {
  @DecimalField('Seconds from the start of the recording; at most its duration, if known', {
    min: 0,
    optional: true,
    example: 754.5,
  })
  at?: number;

  @TextField('What happens at this moment', {
    ...LIMITS.name,
    trim: true,
    optional: true,
    example: 'Decision on the budget',
  })
  label?: string;
}
