import type { IssuedApiKey } from './api-keys.service.js';
import type { ApiKeyFields, CreatedApiKey, ListedApiKey } from './dto/api-key.response.dto.js';
import type { ApiKey } from './entities/api-key.entity.js';

export function presentCreatedApiKey({ apiKey, key }: IssuedApiKey): CreatedApiKey {
  return { ...presentFields(apiKey), key };
}

export function presentListedApiKey(apiKey: ApiKey): ListedApiKey {
  return {
    ...presentFields(apiKey),
    last_used_at: apiKey.lastUsedAt?.toISOString() ?? null,
    is_revoked: apiKey.revokedAt !== null,
  };
}

function presentFields(apiKey: ApiKey): ApiKeyFields {
  return {
    id: apiKey.id,
    name: apiKey.name,
    prefix: apiKey.prefix,
    created_at: apiKey.createdAt.toISOString(),
    expires_at: apiKey.expiresAt?.toISOString() ?? null,
  };
}
