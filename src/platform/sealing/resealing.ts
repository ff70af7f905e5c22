import type { DataSource } from 'typeorm';
import { StartError } from '../config/settings.js';
import { violates } from '../database/database-errors.js';
import { SEALED_TEXTS, type SealedTexts } from './sealed-texts.js';
import type { Sealer } from './sealer.js';
import type { SealedCounts } from './sealing-keys.js';

interface SealedRow {
  readonly id: string;
  readonly sealed: Buffer;
  readonly keyId: string;
}

const BATCH = 500;
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';
const ALL = Object.values(SEALED_TEXTS);

/**
 * Seals with the current key, in batches, whatever is sealed with the previous one, which this database then no longer
 * needs. May be interrupted and run again, also while the service runs.
 */
export async function reseal(sealer: Sealer, dataSource: DataSource): Promise<SealedCounts> {
  const resealed: Record<string, number> = {};
  for (const texts of ALL) {
    let rows = await resealBatch(texts, BEFORE_ALL, sealer, dataSource);
    while (rows.length > 0) {
      resealed[texts.name] = (resealed[texts.name] ?? 0) + rows.length;
      rows = await resealBatch(texts, rows.at(-1)?.id ?? BEFORE_ALL, sealer, dataSource);
    }
  }
  await retirePrevious(sealer, dataSource);
  return resealed;
}

/** Reseals rows after an id. In order of id, like other writers, so that they cannot deadlock. */
function resealBatch(
  { table, column, id, placeOf }: SealedTexts,
  after: string,
  sealer: Sealer,
  dataSource: DataSource,
): Promise<SealedRow[]> {
  const { keyId, keyIds } = sealer;
  return dataSource.transaction(async (manager) => {
    const rows = await manager.sql<SealedRow[]>`
      SELECT ${() => id} AS id, ${() => column} AS sealed, sealing_key_id AS "keyId" FROM ${() => table}
      WHERE sealing_key_id <> ${keyId} AND sealing_key_id = ANY (${keyIds}) AND ${() => id} > ${after}
      ORDER BY ${() => id} LIMIT ${BATCH} FOR NO KEY UPDATE`;
    const ids = rows.map((row) => row.id);
    const sealed = rows.map((row) => {
      const place = placeOf(row.id);
      return sealer.seal(sealer.unseal(row, place), place).sealed;
    });
    await manager.sql`
      UPDATE ${() => table} row SET ${() => column} = given.sealed, sealing_key_id = ${keyId}
      FROM unnest(${ids}::uuid[], ${sealed}::bytea[]) AS given (id, sealed) WHERE row.${() => id} = given.id`;
    return rows;
  });
}

async function retirePrevious({ keyId, keyIds }: Sealer, dataSource: DataSource): Promise<void> {
  try {
    await dataSource.sql`DELETE FROM sealing_keys WHERE id <> ${keyId} AND id = ANY (${keyIds})`;
  } catch (error) {
    if (!ALL.some(({ table }) => violates(error, `${table}_sealing_key_id_fkey`))) throw error;
    throw new StartError(
      'SEALING_KEY: a process still seals with the previous key; restart it, then run this again',
    );
  }
}
