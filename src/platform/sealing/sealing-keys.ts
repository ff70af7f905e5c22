import type { DataSource, EntityManager } from 'typeorm';
import { StartError, type SecretSetting } from '../config/settings.js';
import { openKeys, readKeys } from '../secrets/keys.js';
import { SEALED_TEXTS, type SealedTexts } from './sealed-texts.js';
import { Sealer } from './sealer.js';

/** How many texts there are, by the name of their kind; without kinds of which there are none. */
export type SealedCounts = Readonly<Record<string, number>>;

/**
 * The sealer of this process. Throws a `StartError` unless it has every key that this database is in use with; a new
 * key is created only for a database that has none, so that a lost key is noticed before anything is sealed with
 * another.
 */
export async function openSealer(setting: SecretSetting, dataSource: DataSource): Promise<Sealer> {
  const isNew = (await missingKeys(dataSource.manager, [])).length === 0;
  const keys = isNew ? await openKeys(setting) : await readKeys(setting);
  const sealer = keys && new Sealer(keys);
  return dataSource.transaction(async (manager) => {
    // Of two processes with different keys that start at once on a new database, one is refused.
    await manager.sql`LOCK TABLE sealing_keys IN SHARE ROW EXCLUSIVE MODE`;
    const missing = await missingKeys(manager, sealer?.keyIds ?? []);
    if (!sealer || missing.length > 0) throw await keyMissing(setting, manager, missing);
    await manager.sql`INSERT INTO sealing_keys (id) VALUES (${sealer.keyId}) ON CONFLICT DO NOTHING`;
    return sealer;
  });
}

/**
 * Deletes what is sealed with keys that the settings and the key file do not have, so that the service can start again.
 */
export async function deleteLost(setting: SecretSetting, dataSource: DataSource): Promise<SealedCounts> {
  const keys = await readKeys(setting);
  return dataSource.transaction(async (manager) => {
    const missing = await missingKeys(manager, keys ? new Sealer(keys).keyIds : []);
    const deleted = await countEach(
      ({ table }) => manager.sql`
        WITH lost AS (DELETE FROM ${() => table} WHERE sealing_key_id = ANY (${missing}) RETURNING 1)
        SELECT count(*)::int AS count FROM lost`,
    );
    await manager.sql`DELETE FROM sealing_keys WHERE id = ANY (${missing})`;
    return deleted;
  });
}

export const listed = (counts: SealedCounts): string =>
  Object.entries(counts)
    .map(([name, count]) => `${name}: ${count}`)
    .join(', ') || 'nothing';

/** Keys that this database is in use with, besides `usable`. */
async function missingKeys(manager: EntityManager, usable: readonly string[]): Promise<string[]> {
  const rows = await manager.sql<{ id: string }[]>`
    SELECT id FROM sealing_keys WHERE id <> ALL (${usable}) ORDER BY id`;
  return rows.map(({ id }) => id);
}

/** Tells an operator that their key does not fit the database. */
async function keyMissing(
  { name, current, file }: SecretSetting,
  manager: EntityManager,
  ids: readonly string[],
): Promise<StartError> {
  const sealed = await countEach(
    ({ table }) =>
      manager.sql`SELECT count(*)::int AS count FROM ${() => table} WHERE sealing_key_id = ANY (${ids})`,
  );
  const where =
    current === undefined ? `${file} is missing or holds another key` : `the setting holds another key`;
  return new StartError(
    `${name}: this database is in use with a key that is not available here (id ${ids.join(', ')}); ${where}. ` +
      `Without it, these cannot be decrypted: ${listed(sealed)}. ` +
      `Restore the file from a backup of the same time as the database, or set ${name} or ${name}_PREVIOUS to that key. ` +
      'If it is lost for good, delete them: npx mrs keys reseal --delete-lost',
  );
}

async function countEach(count: (texts: SealedTexts) => Promise<[{ count: number }]>): Promise<SealedCounts> {
  const counts: [string, number][] = [];
  for (const texts of Object.values(SEALED_TEXTS)) {
    const [found] = await count(texts);
    if (found.count > 0) counts.push([texts.name, found.count]);
  }
  return Object.fromEntries(counts);
}
