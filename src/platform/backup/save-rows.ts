import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Client } from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { LOCKS } from '../database/lock-numbers.js';
import { refuseUnknownSchema } from '../database/migrate.js';
import { sql } from '../database/sql.js';
import { refuseUnfinishedRestore } from '../database/unfinished-restore.js';
import { Meter, type StoredObject } from '../storage/object-store.js';
import type { SavedRows } from './backup-folder.js';
import { findChangeSpan, findMigrations, findSequences, findTables, type Table } from './tables.queries.js';

/** The rows of a query, and the path of the file for them. */
export interface QueryFile {
  readonly query: string;
  readonly path: string;
}

/** Writes all rows, as they are at one moment, and those of a further query. `onTable`: before each table. */
export async function saveRows(
  client: Client,
  folder: string,
  further: QueryFile,
  onTable: (done: number, all: number) => void,
): Promise<{ readonly rows: SavedRows; readonly further: StoredObject }> {
  const names = await beginSnapshot(client);
  const tables: SavedRows['tables'][number][] = [];
  for (const [index, { name, columns }] of names.entries()) {
    onTable(index, names.length);
    // The name is that of a file on any system.
    const file = encodeURIComponent(name);
    const query = `SELECT ${columns.join(', ')} FROM ${name}`;
    const saved = await saveQuery(client, { query, path: join(folder, file) });
    tables.push({ name, columns, file, ...saved });
  }
  const saved = await saveQuery(client, further);
  const migrations = await findMigrations(client);
  const changes = await findChangeSpan(client);
  // Not of that moment, but later, as sequences are.
  const sequences = await findSequences(client);
  await sql(client)`COMMIT`;
  return { rows: { migrations, tables, sequences, changes }, further: saved };
}

/** From here on, no table is changed or removed, and all statements see the same rows. */
async function beginSnapshot(client: Client): Promise<Table[]> {
  await refuseUnfinishedRestore(client);
  await sql(client)`SELECT pg_advisory_lock(${LOCKS.migration}::bigint)`;
  await refuseUnknownSchema(client);
  const tables = await findTables(client);
  await sql(client)`BEGIN ISOLATION LEVEL REPEATABLE READ`;
  await sql(client)`LOCK TABLE ${() => tables.map(({ name }) => name).join(', ')} IN ACCESS SHARE MODE`;
  await sql(client)`SELECT pg_advisory_unlock(${LOCKS.migration}::bigint)`;
  return tables;
}

async function saveQuery(client: Client, { query, path }: QueryFile): Promise<StoredObject> {
  const meter = new Meter();
  const file = await open(path, 'wx', 0o600);
  const rows = client.query(copyTo(`COPY (${query}) TO STDOUT`));
  await pipeline(rows, meter, file.createWriteStream({ flush: true }));
  return meter.result();
}
