import { EXAMPLE_IDS } from '../../../contract/example-ids.js';
import { LIMITS } from '../../../contract/limits.js';
import { ChoiceField } from '../../../platform/http/fields/choice-fields.js';
import { AtLeastOneField } from '../../../platform/http/fields/request-field.js';
import { IdParameter, TextField } from '../../../platform/http/fields/text-fields.js';
import { SERVICE_ROLES, type ServiceRole } from '../../../policy/roles.js';
import { KeyNarrowing } from '../../api-keys/public/api-key.request.dto.js';

const NAME = { ...LIMITS.apiKeyName, trim: true, example: 'CRM sync' };
const ROLE = { values: SERVICE_ROLES, name: 'ServiceAccountRole', example: 'EDITOR' };

export class CreateServiceAccountDto extends KeyNarrowing {
  @TextField('Name of the account and of its first key, 1 to 100 characters', NAME)
  name: string;

  @ChoiceField('What the account may do in the organization, as for a member', ROLE)
  role: ServiceRole;
}

@AtLeastOneField()
export class UpdateServiceAccountDto {
  @TextField('New name, 1 to 100 characters', { ...NAME, optional: true })
  name?: string;

  @ChoiceField('New role', { ...ROLE, optional: true })
  role?: ServiceRole;
}

export class DeleteServiceAccountDto {
  @IdParameter('Member who takes over its recordings; defaults to the caller', {
    optional: true,
    example: EXAMPLE_IDS.member,
  })
  new_owner?: string;
}

/** Swagger UI fills in the first example. */
export const CREATE_SERVICE_ACCOUNT_BODIES = {
  writer: {
    summary: 'A program that adds recordings, with a key for 90 days',
    value: {
      name: 'CRM sync',
      role: 'EDITOR',
      scopes: ['recordings:read', 'recordings:write'],
      expires_in: 7_776_000,
    },
  },
  reader: {
    summary: 'A dashboard that reads all recordings',
    value: { name: 'dashboard', role: 'ADMIN', scopes: ['read-only'] },
  },
};
