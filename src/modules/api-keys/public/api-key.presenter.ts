import type { IssuedApiKey, RotatedKey } from '../api-keys.service.js';
import {
  CreatedApiKey,
  ListedApiKey,
  type ApiKeyDetail,
  type RotatedApiKey,
} from './api-key.response.dto.js';
import type { ApiKey } from '../entities/api-key.entity.js';
import type { ApiKeyUse } from '../entities/api-key-use.entity.js';
import { present } from '../../../contract/present.js';

export const presentCreatedApiKey = ({ apiKey, key }: IssuedApiKey): CreatedApiKey =>
  present(CreatedApiKey, { ...fieldsOf(apiKey), key });

export function presentRotatedApiKey({ replaced, ...issued }: RotatedKey): RotatedApiKey {
  return {
    ...presentCreatedApiKey(issued),
    replaced: { id: replaced.id, expires_at: replaced.expiresAt.toISOString() },
  };
}

export const presentListedApiKey = (apiKey: ApiKey): ListedApiKey =>
  present(ListedApiKey, { ...fieldsOf(apiKey), isRevoked: apiKey.revokedAt !== null });

export function presentApiKeyDetail(apiKey: ApiKey, uses: readonly ApiKeyUse[]): ApiKeyDetail {
  return {
    ...presentListedApiKey(apiKey),
    uses: uses.map(({ day, requests }) => ({ day, requests: Number(requests) })),
  };
}

const fieldsOf = ({ organizationIds: organizations, folderIds: folders, ...fields }: ApiKey) => ({
  ...fields,
  organizations,
  folders,
});
