import type { DataSource, EntityManager } from 'typeorm';
import { type SecretSetting, StartError } from '../config/settings.js';
import { openKeys, readKeys } from '../secrets/keys.js';
import { SEALED_TEXTS, type SealedTexts } from './sealed-texts.js';
import { Sealer, type Sealed } from './sealer.js';
import { violates } from '../database/database-errors.js';
import { sql } from '../database/sql.js';

/** The number of texts by the name of their kind, if there are any. */
export type SealedCounts = Readonly<Record<string, number>>;

/** Throws a `StartError` without the key that this database uses; only a new database gets a new key. */
export async function openSealer(setting: SecretSetting, dataSource: DataSource): Promise<Sealer> {
  const isNew = (await missingKeys(dataSource.manager, [])).length === 0;
  const keys = isNew ? await openKeys(setting) : await readKeys(setting);
  const sealer = keys && new Sealer(keys);
  return dataSource.transaction(async (manager) => {
    // Of two processes with different keys that start at once on a new database, one is refused.
    await sql(manager)`LOCK TABLE sealing_keys IN SHARE ROW EXCLUSIVE MODE`;
    const missing = await missingKeys(manager, sealer?.keyIds ?? []);
    if (!sealer || missing.length > 0) throw await keyMissing(setting, manager, missing);
    await sql(manager)`INSERT INTO sealing_keys (id) VALUES (${sealer.keyId}) ON CONFLICT DO NOTHING`;
    return sealer;
  });
}

/** Deletes what is sealed with keys that are lost, so that the service can start again. */
export async function deleteLost(setting: SecretSetting, dataSource: DataSource): Promise<SealedCounts> {
  const keys = await readKeys(setting);
  return dataSource.transaction(async (manager) => {
    const missing = await missingKeys(manager, keys ? new Sealer(keys).keyIds : []);
    const deleted = await countEach(
      ({ table }) => sql(manager).row`
        WITH lost AS (DELETE FROM ${() => table} WHERE sealing_key_id = ANY (${missing}) RETURNING 1)
        SELECT count(*)::int AS count FROM lost`,
    );
    await sql(manager)`DELETE FROM sealing_keys WHERE id = ANY (${missing})`;
    return deleted;
  });
}

export const listed = (counts: SealedCounts): string =>
  Object.entries(counts)
    .map(([name, count]) => `${name}: ${count}`)
    .join(', ') || 'nothing';

/** Keys that this database is in use with, besides `usable`. */
async function missingKeys(manager: EntityManager, usable: readonly string[]): Promise<string[]> {
  const rows = await sql(manager)<{ id: string }>`
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
      sql(manager).row`
    SELECT count(*)::int AS count FROM ${() => table} WHERE sealing_key_id = ANY (${ids})`,
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

async function countEach(count: (texts: SealedTexts) => Promise<{ count: number }>): Promise<SealedCounts> {
  const counts: [string, number][] = [];
  for (const texts of Object.values(SEALED_TEXTS)) {
    const { count: found } = await count(texts);
    if (found > 0) counts.push([texts.name, found]);
  }
  return Object.fromEntries(counts);
}

interface SealedRow extends Sealed {
  readonly id: string;
}

const BATCH = 500;
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';
const ALL = Object.values(SEALED_TEXTS);

/** Seals with the current key whatever is sealed with the previous one. Can be interrupted and run again. */
export async function reseal(sealer: Sealer, dataSource: DataSource): Promise<SealedCounts> {
  const resealed = await resealTexts(ALL, sealer, dataSource);
  await retirePrevious(sealer, dataSource);
  return resealed;
}

/** The same for some, whose `sealing_key_id` need not refer to `sealing_keys`. */
export async function resealTexts(
  all: readonly SealedTexts[],
  sealer: Sealer,
  dataSource: DataSource,
): Promise<SealedCounts> {
  const resealed: Record<string, number> = {};
  for (const texts of all) {
    let rows = await resealBatch(texts, BEFORE_ALL, sealer, dataSource);
    while (rows.length > 0) {
      resealed[texts.name] = (resealed[texts.name] ?? 0) + rows.length;
      rows = await resealBatch(texts, rows.at(-1)?.id ?? BEFORE_ALL, sealer, dataSource);
    }
  }
  return resealed;
}

/** Reseals rows after an id. In order of id, like other writers, so that they cannot deadlock. */
function resealBatch(
  { table, column, id, contextOf }: SealedTexts,
  after: string,
  sealer: Sealer,
  dataSource: DataSource,
): Promise<SealedRow[]> {
  const { keyId, keyIds } = sealer;
  return dataSource.transaction(async (manager) => {
    const rows = await sql(manager)<SealedRow>`
      SELECT ${() => id} AS id, ${() => column} AS sealed, sealing_key_id AS "keyId" FROM ${() => table}
      WHERE sealing_key_id <> ${keyId} AND sealing_key_id = ANY (${keyIds}) AND ${() => id} > ${after}
      ORDER BY ${() => id} LIMIT ${BATCH} FOR NO KEY UPDATE`;
    const ids = rows.map((row) => row.id);
    const sealed = rows.map((row) => {
      const context = contextOf(row.id);
      return sealer.seal(sealer.unseal(row, context), context).sealed;
    });
    await sql(manager)`
      UPDATE ${() => table} row SET ${() => column} = given.sealed, sealing_key_id = ${keyId}
      FROM unnest(${ids}::uuid[], ${sealed}::bytea[]) AS given (id, sealed) WHERE row.${() => id} = given.id`;
    return rows;
  });
}

async function retirePrevious({ keyId, keyIds }: Sealer, dataSource: DataSource): Promise<void> {
  try {
    await sql(dataSource)`
    DELETE FROM sealing_keys WHERE id <> ${keyId} AND id = ANY (${keyIds})`;
  } catch (error) {
    if (!ALL.some(({ table }) => violates(error, `${table}_sealing_key_id_fkey`))) throw error;
    throw new StartError(
      'SEALING_KEY: a process still seals with the previous key; restart it, then run this again',
    );
  }
}
