import {
  IdProperty,
  StringListProperty,
  TextProperty,
  TimestampProperty,
  BooleanProperty,
  IntegerProperty,
  NestedProperty,
} from '../../../platform/openapi/field.decorator.js';
import { ApiSchema } from '@nestjs/swagger';
import { LIMITS } from '../../../contract/limits.js';
import type { IssuedApiKey, RotatedKey } from '../api-keys.service.js';
import type { ApiKey, ApiKeyUse } from '../entities/api-key.entity.js';
import { present } from '../../../contract/present.js';

/** What a key is and what it is limited to; never the key itself. */
export class ApiKeyFields {
  @IdProperty('Identifier of the key')
  id: string;

  @TextProperty('Display name', { example: 'laptop' })
  name: string;

  @TextProperty(`First ${LIMITS.apiKeyPrefix} characters of the key, safe to display`, {
    example: 'mrs_z13kTq9Z',
  })
  prefix: string;

  @TimestampProperty('When the key was created')
  created_at: string;

  @TimestampProperty('When the key expires; null if never', { nullable: true, example: null })
  expires_at: string | null;

  @StringListProperty('What the key may do; null: whatever its user may, also what is added later', {
    nullable: true,
    example: ['recordings:read', 'transcripts:read'],
  })
  scopes: readonly string[] | null;

  @StringListProperty('Ids of the organizations that the key reaches; null: all that its user does', {
    nullable: true,
    example: null,
  })
  organizations: readonly string[] | null;

  @StringListProperty('Ids of the folders whose recordings the key reaches; null: all', {
    nullable: true,
    example: null,
  })
  folders: readonly string[] | null;

  @StringListProperty('IP addresses or ranges from which the key can be used; null: all', {
    nullable: true,
    example: null,
  })
  addresses: readonly string[] | null;
}

/** For an operation whose reply has a full key. `rotation`: the operation that replaces the key. */
export const keyShownOnce = (rotation: string, at = 'key') => ({
  at: [at],
  notice: `The full key is in the first reply only, and is not kept. If that was lost, POST /api/v1${rotation}/rotate replaces the key.`,
});

export class CreatedApiKey extends ApiKeyFields {
  @TextProperty('The full key; never returned again: null in the reply to a repeated request', {
    example: 'mrs_z13kTq9ZbWm2Xc8RfVn5Ly1Hd6Pj4Gs7Kt0Qa3aceq1',
    nullable: true,
  })
  key: string | null;
}

export class ReplacedApiKey {
  @IdProperty('Identifier of the key')
  id: string;

  @TimestampProperty('When it stops working')
  expires_at: string;
}

export class RotatedApiKey extends CreatedApiKey {
  @NestedProperty(() => ReplacedApiKey, 'The key that this one replaces')
  replaced: ReplacedApiKey;
}

@ApiSchema({ name: 'ApiKey' })
export class ListedApiKey extends ApiKeyFields {
  @TimestampProperty('When the key was last used, up to a minute late; null if never', { nullable: true })
  last_used_at: string | null;

  @TextProperty('IP address from which it was last used; null if never', {
    nullable: true,
    example: '203.0.113.7',
  })
  last_used_address: string | null;

  @BooleanProperty('Whether the key has been revoked, which is permanent', { example: false })
  is_revoked: boolean;

  @IdProperty('The key that has replaced it by a rotation; null if none', { nullable: true })
  replaced_by: string | null;
}

export class DailyUse {
  @TextProperty('Day in UTC', { example: '2026-01-31' })
  day: string;

  @IntegerProperty('Requests with the key', { example: 1_204 })
  requests: number;
}

export class ApiKeyDetail extends ListedApiKey {
  @NestedProperty(
    () => [DailyUse],
    `Requests per day, of the last ${LIMITS.apiKeyUseDays} days, newest first; days without any are left out`,
  )
  uses: DailyUse[];
}

export class RevokedLeakedApiKeys {
  @IntegerProperty('How many of the keys worked until now, and no longer do', { example: 1 })
  revoked: number;
}

export const presentCreatedApiKey = ({ apiKey, key }: IssuedApiKey): CreatedApiKey =>
  present(CreatedApiKey, { ...fieldsOf(apiKey), key });

export const presentRotatedApiKey = ({ apiKey, key, replaced }: RotatedKey): RotatedApiKey =>
  present(RotatedApiKey, { ...fieldsOf(apiKey), key, replaced });

export const presentListedApiKey = (apiKey: ApiKey): ListedApiKey => present(ListedApiKey, fieldsOf(apiKey));

export const presentApiKeyDetail = (apiKey: ApiKey, uses: readonly ApiKeyUse[]): ApiKeyDetail =>
  present(ApiKeyDetail, {
    ...fieldsOf(apiKey),
    uses: uses.map(({ day, requests }) => ({ day, requests: Number(requests) })),
  });

const fieldsOf = ({ organizationIds: organizations, folderIds: folders, ...fields }: ApiKey) => ({
  ...fields,
  organizations,
  folders,
  isRevoked: fields.revokedAt !== null,
});
