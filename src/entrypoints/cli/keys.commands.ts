import { LIMITS } from '../../contract/limits.js';
import { ApiKeysService } from '../../modules/api-keys/api-keys.service.js';
import { StartError } from '../../platform/config/settings.js';
import { parseTimestamp } from '../../platform/timestamps.js';
import { print, type Output } from './output.js';
import { requireUser, text, withService } from './service.js';

export async function createKey(
  options: Output & { email: string; name: string; expiresAt?: string },
): Promise<void> {
  const name = text('--name', options.name, LIMITS.apiKeyName);
  const { expiresAt: time } = options;
  if (time !== undefined && !((parseTimestamp(time)?.date ?? 0) > new Date())) {
    throw new StartError('--expires-at: must be an ISO 8601 date or date-time in the future');
  }
  await withService(async (service) => {
    const user = await requireUser(service, options.email);
    const input = { name, expiresAt: options.expiresAt };
    const { apiKey, key } = await service.get(ApiKeysService).create(user.id, input);
    const expiresAt = apiKey.expiresAt?.toISOString() ?? null;
    print(options, { id: apiKey.id, name, prefix: apiKey.prefix, key, expires_at: expiresAt }, key);
  });
}
