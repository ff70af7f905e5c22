import { present } from '../../../contract/present.js';
import { EXAMPLE_IDS } from '../../../contract/example-ids.js';
import { BooleanField } from '../../../platform/http/fields/choice-fields.js';
import { ListField } from '../../../platform/http/fields/list-fields.js';
import { IdParameter, TextField } from '../../../platform/http/fields/text-fields.js';
import {
  BooleanProperty,
  IdProperty,
  StringListProperty,
  TextProperty,
  TimestampProperty,
} from '../../../platform/openapi/field.decorator.js';
import { isRedirectUri } from '../client-rules.js';
import type { OAuthClient } from '../entities/oauth-client.entity.js';
import { CLIENT_LIMITS } from '../oauth-limits.js';
import type { RegisteredClient } from './oauth-clients.service.js';

export class ListOAuthClientsDto {
  @IdParameter('The organization whose clients these are; without it, those of the operators', {
    optional: true,
    example: EXAMPLE_IDS.organization,
  })
  organization_id?: string;
}

export class RegisterOAuthClientDto {
  @TextField('Name that people read when they decide', {
    ...CLIENT_LIMITS.name,
    trim: true,
    example: 'Acme CRM',
  })
  name: string;

  @ListField('Where decisions lead: the client sends exactly one of these', {
    min: 1,
    max: CLIENT_LIMITS.redirectUris,
    isItem: isRedirectUri,
    item: 'must be a URL with https, with http and localhost or 127.0.0.1, or with a scheme of its own, without #',
    expects: () => `must be a list of 1 to ${CLIENT_LIMITS.redirectUris} URLs`,
    example: ['https://crm.acme.test/callback'],
  })
  redirect_uris: string[];

  @BooleanField('Whether it has a server that can keep a secret', { optional: true, example: true })
  confidential: boolean = false;

  @IdParameter('The organization that registers it; its `OWNER` only. Without it, operators only', {
    optional: true,
    example: EXAMPLE_IDS.organization,
  })
  organization_id?: string;
}

export class ListedOAuthClient {
  @IdProperty('Its `client_id`')
  id: string;

  @TextProperty('Name', { example: 'Acme CRM' })
  name: string;

  @StringListProperty('Where decisions lead', { example: ['https://crm.acme.test/callback'] })
  redirect_uris: readonly string[];

  @BooleanProperty('Whether it has a secret', { example: true })
  confidential: boolean;

  @IdProperty('The organization that registered it; null: the operators', { nullable: true })
  organization_id: string | null;

  @TimestampProperty('When it was registered')
  created_at: string;
}

export class RegisteredOAuthClient extends ListedOAuthClient {
  @TextProperty(
    'Never returned again: null in the reply to a repeated request, and for a client without one',
    {
      example: 'z13kTq9ZbWm2Xc8RfVn5Ly1Hd6Pj4Gs7Kt0Qa3aceq1',
      nullable: true,
    },
  )
  client_secret: string | null;
}

export const presentOAuthClient = (client: OAuthClient): ListedOAuthClient =>
  present(ListedOAuthClient, fieldsOf(client));

export const presentRegisteredClient = (client: RegisteredClient): RegisteredOAuthClient =>
  present(RegisteredOAuthClient, fieldsOf(client));

const fieldsOf = <Client extends OAuthClient>({ metadata, secretHash, ...client }: Client) => ({
  ...client,
  redirectUris: (metadata as { readonly redirect_uris: readonly string[] }).redirect_uris,
  confidential: secretHash !== null,
});
