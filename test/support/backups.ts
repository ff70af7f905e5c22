import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import { generateX25519Identity, identityToRecipient } from 'age-encryption';
import { query, type Ended } from './process.js';

const TABLES = `SELECT c.oid::regclass::text AS name FROM pg_class c
  WHERE relkind IN ('r', 'p') AND NOT relispartition AND relnamespace IN ('public'::regnamespace, 'graphile_worker'::regnamespace)
    AND relname NOT IN ('migrations', 'rate_limits', 'processes', 'backups') ORDER BY 1`;
const SCHEMA = `SELECT tgrelid::regclass::text AS name, tgname || tgenabled::text AS definition FROM pg_trigger WHERE NOT tgisinternal
  UNION ALL SELECT conrelid::regclass::text, conname || convalidated || pg_get_constraintdef(oid) FROM pg_constraint WHERE conrelid <> 0
  UNION ALL SELECT tablename, indexdef FROM pg_indexes WHERE schemaname IN ('public', 'graphile_worker')
  ORDER BY 1, 2`;

/** What `backup --json` and `backup verify --json` print. */
export function resultOf({ status, stdout, stderr }: Ended): ReturnType<typeof JSON.parse> {
  expect([status, stderr]).toEqual([0, '']);
  return JSON.parse(stdout);
}

/** A recipient, and the file with its identity. */
export async function ageKey(folder: string): Promise<{ recipient: string; identity: string }> {
  const key = await generateX25519Identity();
  const identity = join(folder, 'identity.txt');
  await writeFile(identity, `# as age-keygen writes it\n${key}\n`);
  return { recipient: await identityToRecipient(key), identity };
}

/** The files below a folder. */
export async function filesIn(folder: string): Promise<string[]> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true });
  return found.filter((one) => one.isFile()).map(({ parentPath, name }) => join(parentPath, name));
}

/** A hash of the rows of each table, and what the schema consists of. */
export async function rowsOf(url: string): Promise<Record<string, unknown>> {
  const tables = (await query(url, TABLES)) as { name: string }[];
  const hashes = tables.map(
    ({ name }) =>
      `SELECT '${name}' AS name, count(*)::int AS rows, md5(string_agg(t::text, ',' ORDER BY t::text)) FROM ${name} t`,
  );
  return {
    rows: await query(url, `${hashes.join(' UNION ALL ')} ORDER BY name`),
    schema: await query(url, SCHEMA),
  };
}
