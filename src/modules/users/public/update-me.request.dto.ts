import { LIMITS } from '../../../contract/limits.js';
import { TextField } from '../../../platform/http/fields/text-fields.js';

export class UpdateMeDto {
  @TextField('Display name', { ...LIMITS.name, trim: true, example: 'Ada Lovelace' })
  name: string;
}
