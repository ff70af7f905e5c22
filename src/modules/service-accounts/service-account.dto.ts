import { EXAMPLE_IDS } from '../../contract/example-ids.js';
import { ExternalChanges, ExternalFields, ExternalProperties } from '../../contract/external-ids.js';
import { LIMITS } from '../../contract/limits.js';
import { ChoiceField } from '../../platform/http/fields/choice-fields.js';
import { AtLeastOneField } from '../../platform/http/fields/request-field.js';
import { IdParameter, TextField } from '../../platform/http/fields/text-fields.js';
import { SERVICE_ROLES, type ServiceRole } from '../../policy/roles.js';
import { KeyNarrowing } from '../api-keys/public/api-key.request.dto.js';
import { ApiSchema, IntersectionType } from '@nestjs/swagger';
import {
  EnumProperty,
  IdProperty,
  NestedProperty,
  TextProperty,
  TimestampProperty,
} from '../../platform/openapi/field.decorator.js';
import {
  presentCreatedApiKey,
  presentListedApiKey,
  CreatedApiKey,
  ListedApiKey,
} from '../api-keys/public/api-key.response.dto.js';
import {
  DISABLED_WEBHOOKS,
  PresentedDisabledWebhook,
} from '../organizations/public/departure.response.dto.js';
import type { ServiceAccount } from './service-accounts.queries.js';
import type { CreatedServiceAccount, ReadServiceAccount } from './service-accounts.service.js';
import { present } from '../../contract/present.js';

const NAME = { ...LIMITS.apiKeyName, trim: true, example: 'CRM sync' };
const ROLE = { values: SERVICE_ROLES, name: 'ServiceAccountRole', example: 'EDITOR' };

const UNIQUE = 'among the service accounts of the organization';

export class CreateServiceAccountDto extends IntersectionType(KeyNarrowing, ExternalFields(UNIQUE)) {
  @TextField('Name of the account and of its first key', NAME)
  name: string;

  @ChoiceField('What the account may do in the organization, as for a member', ROLE)
  role: ServiceRole;
}

@AtLeastOneField()
export class UpdateServiceAccountDto extends ExternalChanges(UNIQUE) {
  @TextField('New name', { ...NAME, optional: true })
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

@ApiSchema({ name: 'ServiceAccount' })
export class ListedServiceAccount extends ExternalProperties {
  @IdProperty('Identifier of the account, which is the `user_id` and the actor of what it does')
  id: string;

  @TextProperty('Name', { example: 'CRM sync' })
  name: string;

  @EnumProperty('What the account may do in the organization, as for a member', ROLE)
  role: ServiceRole;

  @TimestampProperty('When it was created')
  created_at: string;
}

@ApiSchema({ name: 'CreatedServiceAccount' })
export class PresentedCreatedServiceAccount extends ListedServiceAccount {
  @NestedProperty(() => CreatedApiKey, 'Its first key')
  api_key: CreatedApiKey;
}

@ApiSchema({ name: 'ServiceAccountDetail' })
export class PresentedServiceAccount extends ListedServiceAccount {
  @NestedProperty(() => [ListedApiKey], 'Its keys, newest first, including revoked and expired ones')
  api_keys: ListedApiKey[];
}

@ApiSchema({ name: 'UpdatedServiceAccount' })
export class PresentedUpdatedServiceAccount extends ListedServiceAccount {
  @NestedProperty(() => [PresentedDisabledWebhook], DISABLED_WEBHOOKS)
  disabled_webhooks: PresentedDisabledWebhook[];
}

export const presentServiceAccount = (account: ServiceAccount) => present(ListedServiceAccount, account);

export const presentCreatedServiceAccount = ({ account, issued }: CreatedServiceAccount) =>
  present(PresentedCreatedServiceAccount, { ...account, apiKey: presentCreatedApiKey(issued) });

export const presentServiceAccountDetail = ({ account, keys }: ReadServiceAccount) =>
  present(PresentedServiceAccount, { ...account, apiKeys: keys.map(presentListedApiKey) });
