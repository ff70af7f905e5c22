import { createSecretKey, randomBytes, type KeyObject } from 'node:crypto';
import type { DataSource, EntityManager } from 'typeorm';
import { StartError, type Settings } from '../../../platform/config/settings.js';
import { sql } from '../../../platform/database/sql.js';
import type { SealedTexts } from '../../../platform/sealing/sealed-texts.js';
import { Sealer, type Sealed } from '../../../platform/sealing/sealer.js';
import { readContentKey } from '../../../platform/secrets/content-key.js';

interface SealedScopeKey extends Sealed {
  readonly scopeId: string;
}

/** The scope of a first key, which says with which `CONTENT_KEY` the database is in use, before there are others. */
const NOBODY = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

const contextOf = (scopeId: string): string => `content key of ${scopeId}`;

/** The keys of organizations and users, sealed with `CONTENT_KEY`. */
export const SCOPE_KEYS: SealedTexts = {
  table: 'content_keys',
  column: 'sealed',
  id: 'scope_id',
  name: 'keys of media',
  contextOf,
};

/**
 * Returns what seals keys with `CONTENT_KEY`; null if media is not encrypted. Throws a `StartError` without the key that
 * this database is in use with.
 */
export async function openContentSealer(
  setting: Settings['contentKey'],
  { manager }: DataSource,
): Promise<Sealer | null> {
  const keys = await readContentKey(setting);
  const sealer = keys && new Sealer(keys);
  const usable = sealer?.keyIds ?? [];
  const rows = await sql(manager)<{ id: string }>`
    SELECT DISTINCT sealing_key_id AS id FROM content_keys WHERE sealing_key_id <> ALL (${usable}) ORDER BY id`;
  // Of two processes with different keys that start at once on a new database, one is refused here.
  if (rows.length === 0 && sealer) await openScopeKey(manager, sealer, NOBODY);
  if (rows.length === 0) return sealer;
  const ids = rows.map(({ id }) => id).join(', ');
  throw new StartError(
    `CONTENT_KEY: media of this database is encrypted with a key that is not available here (id ${ids}). ` +
      'Set CONTENT_KEY, CONTENT_KEY_COMMAND or CONTENT_KEY_PREVIOUS to that key. If it is lost, so is this media.',
  );
}

/** The key of an organization or user, which is created unless there is one. */
export async function openScopeKey(
  manager: EntityManager,
  sealer: Sealer,
  scopeId: string,
): Promise<KeyObject> {
  const find = (): Promise<SealedScopeKey[]> => sql(manager)<SealedScopeKey>`
    SELECT scope_id AS "scopeId", sealing_key_id AS "keyId", sealed FROM content_keys WHERE scope_id = ${scopeId}`;
  const [known] = await find();
  if (known) return unsealScopeKey(sealer, known);
  const { keyId, sealed } = sealer.seal(randomBytes(32).toString('base64'), contextOf(scopeId));
  await sql(manager)`
    INSERT INTO content_keys (scope_id, sealing_key_id, sealed) VALUES (${scopeId}, ${keyId}, ${sealed})
    ON CONFLICT DO NOTHING`;
  const [created] = await find();
  if (!created) throw new Error(`The content key of ${scopeId} was deleted right after it had been created`);
  return unsealScopeKey(sealer, created);
}

export const unsealScopeKey = (sealer: Sealer, { scopeId, ...sealed }: SealedScopeKey): KeyObject =>
  createSecretKey(Buffer.from(sealer.unseal(sealed, contextOf(scopeId)), 'base64'));
