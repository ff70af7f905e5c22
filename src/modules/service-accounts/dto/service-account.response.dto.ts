import { ApiSchema } from '@nestjs/swagger';
import {
  EnumProperty,
  IdProperty,
  NestedProperty,
  TextProperty,
  TimestampProperty,
} from '../../../platform/openapi/field.decorator.js';
import { SERVICE_ROLES, type ServiceRole } from '../../../policy/roles.js';
import { presentCreatedApiKey, presentListedApiKey } from '../../api-keys/public/api-key.presenter.js';
import { CreatedApiKey, ListedApiKey } from '../../api-keys/public/api-key.response.dto.js';
import {
  DISABLED_WEBHOOKS,
  PresentedDisabledWebhook,
  presentDisabledWebhook,
} from '../../organizations/public/departure.response.dto.js';
import type { ServiceAccount } from '../service-accounts.queries.js';
import type {
  CreatedServiceAccount,
  ReadServiceAccount,
  UpdatedServiceAccount,
} from '../service-accounts.service.js';
import { present } from '../../../contract/present.js';

@ApiSchema({ name: 'ServiceAccount' })
export class ListedServiceAccount {
  @IdProperty('Identifier of the account, which is the `user_id` and the actor of what it does')
  id: string;

  @TextProperty('Name', { example: 'CRM sync' })
  name: string;

  @EnumProperty('What the account may do in the organization, as for a member', {
    values: SERVICE_ROLES,
    name: 'ServiceAccountRole',
    example: 'EDITOR',
  })
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

export const presentServiceAccount = (account: ServiceAccount): ListedServiceAccount =>
  present(ListedServiceAccount, account);

export const presentCreatedServiceAccount = ({
  account,
  issued,
}: CreatedServiceAccount): PresentedCreatedServiceAccount => ({
  ...presentServiceAccount(account),
  api_key: presentCreatedApiKey(issued),
});

export const presentServiceAccountDetail = ({
  account,
  keys,
}: ReadServiceAccount): PresentedServiceAccount => ({
  ...presentServiceAccount(account),
  api_keys: keys.map(presentListedApiKey),
});

export const presentUpdatedServiceAccount = ({
  account,
  disabledWebhooks,
}: UpdatedServiceAccount): PresentedUpdatedServiceAccount => ({
  ...presentServiceAccount(account),
  disabled_webhooks: disabledWebhooks.map(presentDisabledWebhook),
});
