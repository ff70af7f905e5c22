import { TextField } from '../../../platform/http/fields/text-fields.js';
import { FutureTimeField } from '../../../platform/http/fields/time-fields.js';
import { LIMITS } from '../../../contract/limits.js';

export class CreateApiKeyDto {
  @TextField('Display name, 1 to 100 characters', { ...LIMITS.apiKeyName, trim: true, example: 'laptop' })
  name: string;

  @FutureTimeField('When the key expires; must be in the future. By default, never', {
    optional: true,
    example: '2030-01-31T09:30:00Z',
  })
  expires_at?: string;
}

/** Swagger UI fills in the first example. */
export const CREATE_API_KEY_BODIES = {
  lasting: { summary: 'A key that never expires', value: { name: 'laptop' } },
  expiring: { summary: 'A key that expires', value: { name: 'laptop', expires_at: '2030-01-31T09:30:00Z' } },
};
