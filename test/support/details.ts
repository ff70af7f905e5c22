import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DataSource } from 'typeorm';

/**
 * The ways in which a text can be stored: as it is, in base64 at any offset, and in hex. `marker`: lower-case ASCII.
 */
const formsOf = (marker: string): readonly string[] => [
  marker,
  ...[0, 1, 2].map((offset) => {
    const text = Buffer.from('x'.repeat(offset) + marker).toString('base64');
    // Without the characters that also depend on what is around it.
    return text.slice(offset === 0 ? 0 : 4, Math.floor(((offset + marker.length) * 4) / 3) - 1);
  }),
  Buffer.from(marker).toString('hex'),
];

/** Every form of every marker, each once. */
const needlesOf = (markers: readonly string[]): readonly string[] => [...new Set(markers.flatMap(formsOf))];

function hasAny(text: string, needles: readonly string[]): boolean {
  const lower = text.toLowerCase();
  return needles.some((needle) => text.includes(needle) || (lower !== text && lower.includes(needle)));
}

/**
 * Every column of every schema but PostgreSQL's, except those of numbers, times, truth values and UUIDs. Those of
 * partitions are the parent's.
 */
const COLUMNS = `
  SELECT format('%I.%I', n.nspname, c.relname) AS relation, a.attname AS name,
         CASE WHEN n.nspname = 'public' THEN '' ELSE n.nspname || '.' END || c.relname || '.' || a.attname AS column
  FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid JOIN pg_namespace n ON n.oid = c.relnamespace
  JOIN pg_type t ON t.oid = a.atttypid LEFT JOIN pg_type e ON e.oid = t.typelem AND t.typcategory = 'A'
  WHERE c.relkind IN ('r', 'p', 'm', 'f') AND NOT c.relispartition AND a.attnum > 0 AND NOT a.attisdropped
    AND n.nspname NOT IN ('pg_catalog', 'information_schema') AND n.nspname NOT LIKE 'pg_toast%'
    AND coalesce(e.typcategory, t.typcategory) NOT IN ('N', 'B', 'D', 'T', 'E') AND coalesce(e.typname, t.typname) <> 'uuid'
  ORDER BY 3`;

interface Column {
  readonly relation: string;
  readonly name: string;
  readonly column: string;
}

export async function textColumns(database: DataSource): Promise<readonly string[]> {
  return (await database.query<Column[]>(COLUMNS)).map(({ column }) => column);
}

/** The columns in which any of the markers is. */
export async function columnsWith(database: DataSource, markers: readonly string[]): Promise<string[]> {
  // Bytes are shown in hex.
  const hex = needlesOf(markers).map((form) => Buffer.from(form).toString('hex'));
  const needles = needlesOf([...markers, ...hex]);
  const columns = await database.query<Column[]>(COLUMNS);
  const found: string[] = [];
  for (const relation of new Set(columns.map((column) => column.relation))) {
    const its = columns.filter((column) => column.relation === relation);
    const texts = its.map(({ name }) => `"${name}"::text AS "${name}"`).join(', ');
    const rows: Record<string, string | null>[] = await database.query(`SELECT ${texts} FROM ${relation}`);
    for (const { name, column } of its)
      if (rows.some(({ [name]: text }) => typeof text === 'string' && hasAny(text, needles)))
        found.push(column);
  }
  return found.toSorted();
}

/** The files below the folder in which any of the markers is, or whose names have it. */
export async function filesWith(folder: string, markers: readonly string[]): Promise<string[]> {
  const needles = needlesOf(markers);
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const found: string[] = [];
  for (const entry of entries) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    if (hasAny(`${path} ${(await readFile(path)).toString('latin1')}`, needles)) found.push(path);
  }
  return found;
}
