import type { IssuedApiKey, RotatedKey } from '../api-keys.service.js';
import type { ApiKeyDetail, CreatedApiKey, ListedApiKey, RotatedApiKey } from './api-key.response.dto.js';
import type { ApiKeyFields } from './api-key-fields.response.dto.js';
import type { ApiKey } from '../entities/api-key.entity.js';
import type { ApiKeyUse } from '../entities/api-key-use.entity.js';

export function presentCreatedApiKey({ apiKey, key }: IssuedApiKey): CreatedApiKey {
  return { ...presentFields(apiKey), key };
}

export function presentRotatedApiKey({ replaced, ...issued }: RotatedKey): RotatedApiKey {
  return {
    ...presentCreatedApiKey(issued),
    replaced: { id: replaced.id, expires_at: replaced.expiresAt.toISOString() },
  };
}

export function presentListedApiKey(apiKey: ApiKey): ListedApiKey {
  return {
    ...presentFields(apiKey),
    last_used_at: apiKey.lastUsedAt?.toISOString() ?? null,
    last_used_address: apiKey.lastUsedAddress,
    is_revoked: apiKey.revokedAt !== null,
    replaced_by: apiKey.replacedBy,
  };
}

export function presentApiKeyDetail(apiKey: ApiKey, uses: readonly ApiKeyUse[]): ApiKeyDetail {
  return {
    ...presentListedApiKey(apiKey),
    uses: uses.map(({ day, requests }) => ({ day, requests: Number(requests) })),
  };
}

function presentFields(apiKey: ApiKey): ApiKeyFields {
  return {
    id: apiKey.id,
    name: apiKey.name,
    prefix: apiKey.prefix,
    created_at: apiKey.createdAt.toISOString(),
    expires_at: apiKey.expiresAt?.toISOString() ?? null,
    scopes: apiKey.scopes,
    organizations: apiKey.organizationIds,
    folders: apiKey.folderIds,
    addresses: apiKey.addresses,
  };
}
