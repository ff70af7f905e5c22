import { DataSource } from 'typeorm';
import { LIMITS } from '../../../contract/limits.js';
import {
  presentCreatedApiKey,
  presentRotatedApiKey,
} from '../../../modules/api-keys/public/api-key.presenter.js';
import { ApiKeysService } from '../../../modules/api-keys/api-keys.service.js';
import { ApiKey } from '../../../modules/api-keys/entities/api-key.entity.js';
import { Organization } from '../../../modules/organizations/entities/organization.entity.js';
import { User } from '../../../modules/users/entities/user.entity.js';
import { SETTINGS, type Settings } from '../../../platform/config/settings.js';
import { reseal } from '../../../platform/sealing/resealing.js';
import { deleteLost, listed, openSealer } from '../../../platform/sealing/sealing-keys.js';
import { singleLine } from '../../../lib/text.js';
import { confirm, type Confirmable } from '../confirm.js';
import { notFound, refused, usageError } from '../exit-status.js';
import { givenUser, readerOf, requireUser, type UserOptions } from '../lookups.js';
import { keyOptions, type KeyOptions } from '../key-options.js';
import { durationOption, ifGiven } from '../option-values.js';
import { print, type Output } from '../output.js';
import { withProviders } from '../service.js';
import { COMMAND_LINE } from '../../../policy/management.js';

const PARTS = { entities: [User, Organization, ApiKey], providers: [ApiKeysService] };

export async function createKey(options: Output & UserOptions & KeyOptions): Promise<void> {
  const input = keyOptions(options);
  await withProviders(PARTS, async (service) => {
    const user = await requireUser(readerOf(service), ...givenUser(options));
    const issued = await service.get(ApiKeysService).create(user.id, input, COMMAND_LINE);
    print(options, presentCreatedApiKey(issued), issued.key);
  });
}

/** `given`: its id, or its prefix. */
export async function rotateKey(given: string, options: Output & { overlap?: string }): Promise<void> {
  const { apiKeyOverlap } = LIMITS;
  const overlap = ifGiven(options.overlap, (value) => durationOption('--overlap', value, apiKeyOverlap));
  await withProviders(PARTS, async (service) => {
    const keys = service.get(ApiKeysService);
    const { id, userId } = await requireKey(keys, given);
    const rotated = await keys.rotate(
      userId,
      id,
      { overlap: overlap ?? apiKeyOverlap.default },
      COMMAND_LINE,
    );
    print(options, presentRotatedApiKey(rotated), rotated.key);
  });
}

/** `given`: its id, or its prefix. */
export async function revokeKey(given: string, options: Output & Confirmable): Promise<void> {
  await withProviders(PARTS, async (service) => {
    const keys = service.get(ApiKeysService);
    const key = await requireKey(keys, given);
    await confirm(`Revoke ${key.prefix} (${singleLine(key.name)}) permanently`, options);
    await keys.revoke(key.userId, key.id, COMMAND_LINE);
    print(options, { id: key.id, prefix: key.prefix }, `Revoked ${key.prefix} (${singleLine(key.name)}).`);
  });
}

/** The key with this id or prefix, if it has not been revoked. */
async function requireKey(keys: ApiKeysService, given: string): Promise<ApiKey & { userId: string }> {
  const [key, another] = await keys.identify(given.trim());
  if (!key) throw notFound(`key: there is no API key with the id or first 12 characters "${given}"`);
  if (another) throw usageError(`key: several API keys begin with "${given}"; give the id of one`);
  if (key.revokedAt) throw refused(`key: ${key.prefix} has been revoked already`);
  const { userId } = key;
  if (userId === null) throw refused(`key: the user of ${key.prefix} was deleted, so it is refused`);
  return { ...key, userId };
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
