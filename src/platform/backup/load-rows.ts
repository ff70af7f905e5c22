import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Client } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { StartError } from '../config/settings.js';
import { sql } from '../database/sql.js';
import { unmarkUnfinishedRestore } from '../database/unfinished-restore.js';
import type { SavedRows, SavedTable } from './backup-manifest.js';
import { findForeignKeys, findTables } from './tables.queries.js';

/** How many numbers of a sequence may have been given out after the backup, which nothing may get again. */
const SKIPPED_NUMBERS = 1_000_000_000;

/** Reads the file of a table; it fails at its end if it is not as it was. */
type Open = (table: SavedTable) => Promise<Readable>;

/** Loads rows into the same schema, all or nothing; returns what is of no table. `onTable`: before each table. */
export async function loadRows(
  client: Client,
  open: Open,
  { tables, sequences, changes }: SavedRows,
  onTable: (done: number, all: number) => void,
): Promise<SavedTable[]> {
  const known = new Map((await findTables(client)).map(({ name, columns }) => [name, columns]));
  const ours = tables.filter(({ name }) => known.has(name));
  for (const { name, columns } of ours) {
    const lost = columns.filter((column) => known.get(name)?.includes(column) !== true);
    if (lost.length > 0) throw new StartError(`The table ${name} has no ${lost.join(', ')} in this release`);
  }
  await sql(client)`BEGIN`;
  if (changes) {
    const months = monthOf(changes.to) - monthOf(changes.from);
    await sql(client)`SELECT create_change_log_partitions(${changes.from}::timestamptz, ${months}::int)`;
  }
  // Checked all at once at the end, whatever the order of the tables.
  const foreignKeys = await findForeignKeys(client);
  for (const { table, name } of foreignKeys)
    await sql(client)`ALTER TABLE ${() => table} DROP CONSTRAINT ${() => name}`;
  for (const [index, table] of ours.entries()) {
    onTable(index, ours.length);
    await loadTable(client, open, table);
  }
  for (const { table, name, definition } of foreignKeys)
    await sql(client)`ALTER TABLE ${() => table} ADD CONSTRAINT ${() => name} ${() => definition}`.catch(
      blameBackup(table),
    );
  for (const { name, value, isLarge } of sequences) {
    const last = isLarge ? BigInt(value) + BigInt(SKIPPED_NUMBERS) : BigInt(value);
    await sql(client)`SELECT setval(${name}::regclass, ${last.toString()}::bigint)`;
  }
  await unmarkUnfinishedRestore(client);
  await sql(client)`COMMIT`;
  await sql(client)`ANALYZE`;
  return tables.filter(({ name }) => !known.has(name));
}

const monthOf = (time: Date): number => time.getUTCFullYear() * 12 + time.getUTCMonth();

/** Rows come with what their triggers would write. Those that migrations have written are part of the backup. */
async function loadTable(client: Client, open: Open, table: SavedTable): Promise<void> {
  const name = (): string => table.name;
  await sql(client)`ALTER TABLE ${name} DISABLE TRIGGER USER`;
  await sql(client)`DELETE FROM ${name}`;
  const rows = client.query(copyFrom(`COPY ${table.name} (${table.columns.join(', ')}) FROM STDIN`));
  await pipeline(await open(table), rows).catch(blameBackup(table.name));
  await sql(client)`ALTER TABLE ${name} ENABLE TRIGGER USER`;
}

/** Classes of errors about values, and about constraints. */
const OF_ROWS = /^2[23]/;

const blameBackup =
  (where: string) =>
  (error: unknown): never => {
    const { code = '', message } = error as { code?: string; message: string };
    if (!OF_ROWS.test(code)) throw error;
    throw new StartError(`The backup is damaged: ${where}: ${message}`, { cause: error });
  };
