import type { Readable } from 'node:stream';
import type { Client } from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { LOCKS } from '../database/lock-numbers.js';
import { refuseUnknownSchema } from '../database/migrate.js';
import { sql } from '../database/sql.js';
import { refuseUnfinishedRestore } from '../database/unfinished-restore.js';
import { isObjectKey, type StoredObject } from '../storage/object-store.js';
import type { SavedRows } from './backup-manifest.js';
import { KEPT_REFERENCES, keepReferences } from './known-objects.queries.js';
import { REFERENCES_FILE } from './saved-backup.js';
import { findChangeSpan, findMigrations, findSequences, findTables, type Table } from './tables.queries.js';

/** Stores a file of a backup. */
type Put = (file: string, content: Readable) => Promise<StoredObject>;

/** Stores all rows, as they are at one moment, and what they refer to. `onTable`: before each table. */
export async function saveRows(
  client: Client,
  put: Put,
  references: string,
  onTable: (done: number, all: number) => void,
): Promise<{ readonly rows: SavedRows; readonly references: StoredObject }> {
  const names = await beginSnapshot(client);
  const tables: SavedRows['tables'][number][] = [];
  for (const [index, { name, columns }] of names.entries()) {
    onTable(index, names.length);
    // A name that no file can have is quoted, and none that is not has a hyphen.
    const file = isObjectKey(name) ? name : `table-${index}`;
    const query = `SELECT ${columns.join(', ')} FROM ${name}`;
    tables.push({ name, columns, file, ...(await put(`rows/${file}`, rowsOf(client, query))) });
  }
  await keepReferences(client, references);
  const saved = await put(REFERENCES_FILE, rowsOf(client, KEPT_REFERENCES));
  const migrations = await findMigrations(client);
  const changes = await findChangeSpan(client);
  // Not of that moment, but later, as sequences are.
  const sequences = await findSequences(client);
  await sql(client)`COMMIT`;
  return { rows: { migrations, tables, sequences, changes }, references: saved };
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

const rowsOf = (client: Client, query: string): Readable => client.query(copyTo(`COPY (${query}) TO STDOUT`));
