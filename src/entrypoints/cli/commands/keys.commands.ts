import { LIMITS } from '../../../contract/limits.js';
import { singleLine } from '../../../lib/text.js';
import { listApiKeys, listUnusedApiKeys } from '../../../modules/api-keys/api-keys.queries.js';
import { ApiKeysService } from '../../../modules/api-keys/api-keys.service.js';
import { ApiKey } from '../../../modules/api-keys/entities/api-key.entity.js';
import {
  presentCreatedApiKey,
  presentListedApiKey,
  presentRotatedApiKey,
} from '../../../modules/api-keys/public/api-key.response.dto.js';
import { openContentSealer, SCOPE_KEYS } from '../../../modules/media/keys/scope-keys.js';
import { presentPerson } from '../../../modules/users/public/person.dto.js';
import { Clock } from '../../../platform/clock/clock.js';
import { readCursor } from '../../../platform/http/replies/cursor.js';
import {
  deleteLost,
  listed,
  openSealer,
  reseal,
  resealTexts,
} from '../../../platform/sealing/sealing-keys.js';
import { COMMAND_LINE } from '../../../policy/management.js';
import { notFound, refused, usageError } from '../exit-status.js';
import { findUserId, namedUser, withDatabase, type Host, type UserOptions } from '../host.js';
import { keyCells, keyOptions, KEY_TITLES, revokeConfirmed, type KeyOptions } from '../keys.js';
import { durationOption, ifGiven } from '../option-values.js';
import { PAGE_SIZE, print, printList, rowsOf, type Output } from '../output.js';
import { confirm, type Confirmable } from '../prompts.js';
import { DAY_S, MINUTE_S } from '../../../lib/durations.js';

/** Seconds for which a key has not been used. */
const UNUSED = { min: MINUTE_S, max: 3650 * DAY_S };

export async function createKey(options: Output & UserOptions & KeyOptions): Promise<void> {
  const input = keyOptions(options);
  await withKeys(async (keys, host) => {
    const user = await namedUser(host, options);
    const issued = await keys.create(user.id, input, COMMAND_LINE);
    print(options, presentCreatedApiKey(issued), issued.key);
  });
}

export async function listKeys(options: Output & UserOptions & { unused?: string }): Promise<void> {
  const { unused } = options;
  if (unused !== undefined) return listUnusedKeys(options, durationOption('--unused', unused, UNUSED));
  await withDatabase(async (host) => {
    const user = await namedUser(host, options);
    const rows = (await listApiKeys(host.manager, user.id)).map(presentListedApiKey);
    const none = `${singleLine(user.email)} has no API keys.`;
    await printList(options, rows, { cells: keyCells, titles: KEY_TITLES, none });
  });
}

async function listUnusedKeys(options: Output & UserOptions, seconds: number): Promise<void> {
  const now = new Date();
  const since = new Date(now.getTime() - seconds * 1000);
  await withDatabase(async (host) => {
    const userId = await findUserId(host, options);
    await printList(
      options,
      rowsOf(async (cursor) => {
        const query = { userId, since, now, limit: PAGE_SIZE, after: readCursor(cursor) };
        const page = await listUnusedApiKeys(host.manager, query);
        const rows = page.rows.map((key) => ({ ...presentListedApiKey(key), user: presentPerson(key.user) }));
        return { ...page, rows };
      }),
      {
        cells: (key) => [singleLine(key.user.email), ...keyCells(key)],
        titles: ['USER', ...KEY_TITLES],
        none: 'No unused API keys found.',
      },
    );
  });
}

/** `given`: its id, or its prefix. */
export async function rotateKey(given: string, options: Output & { overlap?: string }): Promise<void> {
  const { apiKeyOverlap } = LIMITS;
  const overlap =
    ifGiven(options.overlap, (value) => durationOption('--overlap', value, apiKeyOverlap)) ??
    apiKeyOverlap.default;
  await withKeys(async (keys) => {
    const { id, userId } = await requireKey(keys, given);
    const rotated = await keys.rotate(userId, id, { overlap }, COMMAND_LINE);
    print(options, presentRotatedApiKey(rotated), rotated.key);
  });
}

/** `given`: its id, or its prefix. */
export const revokeKey = (given: string, options: Output & Confirmable): Promise<void> =>
  withKeys(async (keys) => {
    const key = await requireKey(keys, given);
    await revokeConfirmed(key, options, () => keys.revoke(key.userId, key.id, COMMAND_LINE));
  });

const withKeys = (work: (keys: ApiKeysService, host: Host) => Promise<void>): Promise<void> =>
  withDatabase((host) => work(new ApiKeysService(host.manager.getRepository(ApiKey), new Clock()), host), {
    writes: true,
  });

/** The key with this id or prefix, if it has not been revoked. */
async function requireKey(keys: ApiKeysService, given: string): Promise<ApiKey & { userId: string }> {
  const [key, another] = await keys.identify(given.trim());
  if (!key)
    throw notFound(
      `key: there is no API key with the id or first ${LIMITS.apiKeyPrefix} characters "${given}"`,
    );
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
  await withDatabase(
    async ({ settings: { sealingKey, contentKey }, manager: { dataSource } }) => {
      const deleted = options.deleteLost ? await deleteLost(sealingKey, dataSource) : {};
      const ofContent = await openContentSealer(contentKey, dataSource);
      const resealed = {
        ...(await reseal(await openSealer(sealingKey, dataSource), dataSource)),
        ...(ofContent && (await resealTexts([SCOPE_KEYS], ofContent, dataSource))),
      };
      const lines = [`Encrypted again with the current key: ${listed(resealed)}.`];
      if (options.deleteLost) lines.unshift(`Deleted: ${listed(deleted)}.`);
      for (const [name, { previous }] of Object.entries({ SEALING_KEY: sealingKey, CONTENT_KEY: contentKey }))
        if (previous) lines.push(`${name}_PREVIOUS can be removed from the settings.`);
      print(options, { resealed, deleted }, lines.join('\n'));
    },
    { writes: true },
  );
}
