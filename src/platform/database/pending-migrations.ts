import type { EntityManager } from 'typeorm';
import { MIGRATIONS } from './migrations.js';
import { sql } from './sql.js';
import { UNFINISHED_RESTORE } from './unfinished-restore.js';

/**
 * Migrates a database unless it is up to date, as it nearly always is when a command uses it: then two statements tell,
 * in place of the connections and locks of `migrate`.
 */
export async function migrateIfPending(manager: Pick<EntityManager, 'query'>, url: string): Promise<void> {
  const [table] = await sql(manager)<{ found: boolean }>`
    SELECT to_regclass('migrations') IS NOT NULL AND to_regclass(${UNFINISHED_RESTORE}) IS NULL AS found`;
  const rows = table?.found ? await sql(manager)<{ name: string }>`SELECT name FROM migrations` : [];
  const applied = new Set(rows.map(({ name }) => name));
  if (applied.size === MIGRATIONS.length && MIGRATIONS.every(({ name }) => applied.has(name))) return;
  const { migrate } = await import('./migrate.js');
  await migrate(url);
}
