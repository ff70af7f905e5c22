import { DataSource } from 'typeorm';
import { LIMITS } from '../../../contract/limits.js';
import { ApiKeysService } from '../../../modules/api-keys/api-keys.service.js';
import { ApiKey } from '../../../modules/api-keys/entities/api-key.entity.js';
import { User } from '../../../modules/users/entities/user.entity.js';
import { SETTINGS, type Settings } from '../../../platform/config/settings.js';
import { reseal } from '../../../platform/sealing/resealing.js';
import { deleteLost, listed, openSealer } from '../../../platform/sealing/sealing-keys.js';
import { singleLine } from '../../../lib/text.js';
import { confirm, type Confirmable } from '../confirm.js';
import { notFound, refused, usageError } from '../exit-status.js';
import { givenUser, readerOf, requireUser, type UserOptions } from '../lookups.js';
import { text, timeOption } from '../option-values.js';
import { print, type Output } from '../output.js';
import { withProviders } from '../service.js';
import { COMMAND_LINE } from '../../../policy/management.js';

const PARTS = { entities: [User, ApiKey], providers: [ApiKeysService] };

export async function createKey(
  options: Output & UserOptions & { name: string; expiresAt?: string },
): Promise<void> {
  const name = text('--name', options.name, LIMITS.apiKeyName);
  if (options.expiresAt !== undefined) timeOption('--expires-at', options.expiresAt);
  await withProviders(PARTS, async (service) => {
    const user = await requireUser(readerOf(service), ...givenUser(options));
    const input = { name, expiresAt: options.expiresAt };
    const { apiKey, key } = await service.get(ApiKeysService).create(user.id, input, COMMAND_LINE);
    const expiresAt = apiKey.expiresAt?.toISOString() ?? null;
    print(options, { id: apiKey.id, name, prefix: apiKey.prefix, key, expires_at: expiresAt }, key);
  });
}

/** `given`: its id, or its prefix. */
export async function revokeKey(given: string, options: Output & Confirmable): Promise<void> {
  await withProviders(PARTS, async (service) => {
    const keys = service.get(ApiKeysService);
    const [key, another] = await keys.identify(given.trim());
    if (!key) throw notFound(`key: there is no API key with the id or first 12 characters "${given}"`);
    if (another) throw usageError(`key: several API keys begin with "${given}"; give the id of one`);
    if (key.revokedAt) throw refused(`key: ${key.prefix} has been revoked already`);
    if (key.userId === null) throw refused(`key: the user of ${key.prefix} was deleted, so it is refused`);
    await confirm(`Revoke ${key.prefix} (${singleLine(key.name)}) permanently`, options);
    await keys.revoke(key.userId, key.id, COMMAND_LINE);
    print(options, { id: key.id, prefix: key.prefix }, `Revoked ${key.prefix} (${singleLine(key.name)}).`);
  });
}

/** Never prints a key. */
export async function resealWithCurrentKey(
  options: Output & Confirmable & { deleteLost?: boolean },
): Promise<void> {
  const lost = 'share links, webhooks and URLs of uploads that are encrypted with a lost key';
  if (options.deleteLost) await confirm(`Delete the ${lost}`, options);
  await withProviders({}, async (context) => {
    const { sealingKey } = context.get<Settings>(SETTINGS);
    const dataSource = context.get(DataSource);
    const deleted = options.deleteLost ? await deleteLost(sealingKey, dataSource) : {};
    const resealed = await reseal(await openSealer(sealingKey, dataSource), dataSource);
    const lines = [`Encrypted again with the current key: ${listed(resealed)}.`];
    if (options.deleteLost) lines.unshift(`Deleted: ${listed(deleted)}.`);
    if (sealingKey.previous) lines.push('SEALING_KEY_PREVIOUS can be removed from the settings.');
    print(options, { resealed, deleted }, lines.join('\n'));
  });
}
