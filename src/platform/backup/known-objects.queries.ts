import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Client } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { sql, type Database } from '../database/sql.js';
import { isName } from './backup-target.js';
import type { SavedObject } from './saved-backup.js';

/** What rows say about an object, or about all below a key that ends with `/`. */
export interface Reference {
  readonly key: string;
  readonly size: number | null;
  readonly sha256: string | null;
}

/** Keeps what `query` selects until the connection ends, each key once. In the transaction that selects the rows. */
export async function keepReferences(client: Client, query: string): Promise<void> {
  await sql(client)`CREATE TEMP TABLE backup_references AS
    SELECT key, max(size) AS size, max(sha256) AS sha256 FROM (${() => query}) AS r GROUP BY key`;
  await sql(client)`ALTER TABLE backup_references ADD PRIMARY KEY (key)`;
}

/** For `COPY`: what was kept. */
export const KEPT_REFERENCES = 'SELECT key, size, sha256 FROM backup_references ORDER BY key';

export const countReferences = (database: Database): Promise<number> =>
  sql(database).value<number>`SELECT count(*)::int FROM backup_references`;

export const isReference = (database: Database, key: string): Promise<boolean> =>
  sql(database).value<boolean>`SELECT EXISTS (SELECT FROM backup_references WHERE key = ${key})`;

export async function* findReferences(database: Database): AsyncGenerator<Reference> {
  for (let last: string | undefined = ''; last !== undefined;) {
    const page: Reference[] = await sql(database)<Reference>`
      SELECT key, size::float8 AS size, sha256 FROM backup_references WHERE key > ${last} ORDER BY key LIMIT 1000`;
    yield* page;
    last = page.at(-1)?.key;
  }
}

/** Forgets what other backups have. */
export async function forgetObjects(client: Client): Promise<void> {
  await sql(client)`CREATE TEMP TABLE IF NOT EXISTS backup_objects (
    key text NOT NULL, size bigint NOT NULL, sha256 text NOT NULL, backup text NOT NULL, plain_size bigint NOT NULL)`;
  await sql(client)`TRUNCATE backup_objects`;
  await sql(client)`CREATE INDEX IF NOT EXISTS backup_objects_key ON backup_objects (key)`;
}

/** Adds the lines of a list of a backup. */
export const addObjects = (client: Client, lines: Readable): Promise<void> =>
  pipeline(lines, client.query(copyFrom('COPY backup_objects FROM STDIN')));

/** The newest that a backup has; null if none has it. */
export async function findObject(database: Database, key: string): Promise<SavedObject | null> {
  const [found] = await sql(database)<SavedObject>`
    SELECT key, size::float8 AS size, sha256, backup, plain_size::float8 AS "plainSize" FROM backup_objects
    WHERE key = ${key} ORDER BY backup DESC LIMIT 1`;
  return found ?? null;
}

/** Those of the files of objects that no backup has. */
export async function findUnused(client: Client, files: readonly string[]): Promise<string[]> {
  const unused = await sql(client)<{ file: string }>`
    SELECT file FROM unnest(${files}::text[]) AS file, split_part(file, '/', 2) AS owner
    WHERE NOT EXISTS (SELECT FROM backup_objects WHERE backup = owner AND key = substr(file, length('objects/' || owner || '/') + 1))`;
  return unused.map(({ file }) => file).filter((file) => isName(file.split('/')[1] ?? ''));
}
