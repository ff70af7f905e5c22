import type { Client } from 'pg';
import { JOBS_SCHEMA } from '../database/jobs-schema.js';
import { sql } from '../database/sql.js';
import type { SavedRows } from './backup-manifest.js';

/** A table whose rows belong into a backup. Names are as in statements: quoted if necessary. */
export interface Table {
  /** Qualified only in the schema of the jobs. */
  readonly name: string;
  /** Those that are not generated. */
  readonly columns: readonly string[];
}

type Sequence = SavedRows['sequences'][number];

export interface ForeignKey {
  readonly table: string;
  readonly name: string;
  readonly definition: string;
}

const SCHEMAS = sql`(current_schema(), ${JOBS_SCHEMA})`;
const NAME = `CASE WHEN n.nspname <> current_schema() THEN quote_ident(n.nspname) || '.' ELSE '' END || quote_ident(c.relname)`;
const IN_SCHEMAS = sql`pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace AND n.nspname IN ${SCHEMAS}`;

/** Without tables of extensions, unlogged ones, `migrations`, and months of the change log about to be dropped. */
export const findTables = (client: Client): Promise<Table[]> => sql(client)<Table>`
    SELECT ${() => NAME} AS name, ARRAY(
          SELECT quote_ident(attname) FROM pg_attribute
          WHERE attrelid = c.oid AND attnum > 0 AND NOT attisdropped AND attgenerated = '' ORDER BY attnum) AS columns
        FROM ${IN_SCHEMAS}
        WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relpersistence = 'p' AND c.relname <> 'migrations'
          AND c.relname !~ '^(change_log|personal_details)_[0-9]{4}_[0-9]{2}$'
          AND NOT EXISTS (SELECT FROM pg_depend WHERE classid = 'pg_class'::regclass AND objid = c.oid AND deptype = 'e')
        ORDER BY 1`;

export const findSequences = (client: Client): Promise<Sequence[]> => sql(client)<Sequence>`
    SELECT ${() => NAME} AS name, s.last_value::text AS value, s.data_type = 'bigint'::regtype AS "isLarge"
        FROM ${IN_SCHEMAS} JOIN pg_sequences s ON s.schemaname = n.nspname AND s.sequencename = c.relname
        WHERE s.last_value IS NOT NULL AND c.relname <> 'migrations_id_seq' ORDER BY 1`;

export const findForeignKeys = (client: Client): Promise<ForeignKey[]> => sql(client)<ForeignKey>`
    SELECT ${() => NAME} AS table, quote_ident(k.conname) AS name, pg_get_constraintdef(k.oid) AS definition
        FROM ${IN_SCHEMAS} JOIN pg_constraint k ON k.conrelid = c.oid AND k.contype = 'f' AND k.conparentid = 0
        ORDER BY 1, 2`;

export async function findChangeSpan(client: Client): Promise<SavedRows['changes']> {
  const [span] = await sql(client)<{ from: Date | null; to: Date | null }>`
    SELECT min(at) AS "from", max(at) AS "to"
        FROM (SELECT at FROM change_log UNION ALL SELECT at FROM personal_details) AS logged`;
  return span?.from && span.to ? { from: span.from, to: span.to } : null;
}

/** The migrations that ran, oldest first. */
export async function findMigrations(client: Client): Promise<string[]> {
  const rows = await sql(client)<{ name: string }>`SELECT name FROM migrations ORDER BY id`;
  return rows.map(({ name }) => name);
}

/** The name of anything in the schema that an empty database does not have; null if it is empty. */
export async function findAnything(client: Client): Promise<string | null> {
  const [found] = await sql(client)<{ name: string }>`
    SELECT ${() => NAME} AS name FROM ${IN_SCHEMAS}
        WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f', 'S')
          AND NOT EXISTS (SELECT FROM pg_depend WHERE classid = 'pg_class'::regclass AND objid = c.oid AND deptype = 'e')
        ORDER BY 1 LIMIT 1`;
  return found?.name ?? null;
}
