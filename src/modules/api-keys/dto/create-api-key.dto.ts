import { TextField, TimestampField } from '../../../platform/http/fields.js';
import { LIMITS } from '../../../contract/limits.js';

export class CreateApiKeyDto {
  @TextField({
    ...LIMITS.apiKeyName,
    trim: true,
    description: 'Display name, 1 to 100 characters',
    example: 'laptop',
  })
  name: string;

  @TimestampField({
    optional: true,
    description: 'When the key expires; must be in the future. By default, never',
    example: '2030-01-31T09:30:00Z',
  })
  expires_at?: string;
}
