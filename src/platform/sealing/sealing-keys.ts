import type { DataSource, EntityManager } from 'typeorm';
import { StartError, type SecretSetting } from '../config/settings.js';
import { KeyRing } from '../keys/key-ring.js';
import { Sealer } from './sealer.js';

interface RegisteredKey {
  readonly id: string;
  readonly lost: boolean;
}

/** The keys that values in this database are sealed with, by id. */
export function registeredKeys(database: Pick<EntityManager, 'query'>): Promise<RegisteredKey[]> {
  return database.query('SELECT id, lost_at IS NOT NULL AS lost FROM sealing_keys ORDER BY id');
}

/**
 * The sealer of this process. Throws a `StartError` unless it has every key that this database is in use with; a new key is
 * created only for a database that has none, so that a lost key is noticed before anything is sealed with another.
 */
export async function openSealer(setting: SecretSetting, dataSource: DataSource): Promise<OpenedSealer> {
  const known = await registeredKeys(dataSource);
  const keys = await KeyRing.open(setting, { create: known.length === 0 });
  if (!keys)
    throw keyMissing(
      setting,
      known.map(({ id }) => id),
    );
  const sealer = new Sealer(keys);
  const lost = await dataSource.transaction(async (manager) => {
    // Of two processes with different keys that start at once on a new database, one is refused.
    await manager.query('LOCK TABLE sealing_keys IN SHARE ROW EXCLUSIVE MODE');
    return register(manager, sealer, setting);
  });
  return { keys, sealer: new Sealer(keys, lost) };
}

export interface OpenedSealer {
  readonly keys: KeyRing;
  readonly sealer: Sealer;
}

/** Returns the ids of lost keys. */
async function register(
  manager: EntityManager,
  sealer: Sealer,
  setting: SecretSetting,
): Promise<ReadonlySet<string>> {
  const usable = sealer.keyIds;
  const others = (await registeredKeys(manager)).filter(({ id }) => !usable.includes(id));
  const missing = others.filter(({ lost }) => !lost);
  if (missing.length > 0)
    throw keyMissing(
      setting,
      missing.map(({ id }) => id),
    );
  await manager.query('INSERT INTO sealing_keys (id) VALUES ($1) ON CONFLICT DO NOTHING', [sealer.keyId]);
  // One that had been given up has been found again.
  await manager.query('UPDATE sealing_keys SET lost_at = NULL WHERE lost_at IS NOT NULL AND id = ANY ($1)', [
    usable,
  ]);
  return new Set(others.map(({ id }) => id));
}

/** What an operator reads whose key does not fit the database. */
function keyMissing({ name, current, file }: SecretSetting, ids: readonly string[]): StartError {
  const where =
    current === undefined ? `${file} is missing or holds another key` : `the setting holds another key`;
  return new StartError(
    `${name}: this database is in use with a key that is not available here (id ${ids.join(', ')}); ${where}. ` +
      `Restore the file from a backup of the same time as the database, or set ${name} or ${name}_PREVIOUS to that key. ` +
      'If it is lost for good: npm run -s cli -- keys rotate-secrets --sealing-key-lost',
  );
}
