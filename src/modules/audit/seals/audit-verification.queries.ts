import { type Database, sql } from '../../../platform/database/sql.js';
import { NO_ORGANIZATION } from './seal.js';
import type { FoundRow, StoredSeal } from './seal-checks.js';
import { CANONICAL_ROW } from './sealing.queries.js';

interface RowPlace {
  readonly id: string;
  readonly at: Date;
}

interface Month {
  readonly from: Date;
  readonly to: Date;
}

/** The first chain after one, or of all: with rows, seals, or rows that wait for a seal. */
export async function findNextChain(database: Database, after: string | null): Promise<string | undefined> {
  const isNext = sql`(${after}::uuid IS NULL OR organization_id > ${after}::uuid) ORDER BY organization_id LIMIT 1`;
  const [chain] = await sql(database)<{ id: string }>`
    SELECT id FROM (
      (SELECT organization_id AS id FROM audit_seals WHERE ${isNext})
      UNION ALL (SELECT organization_id FROM unsealed_changes WHERE ${isNext})
      UNION ALL (SELECT organization_id FROM change_log WHERE organization_id IS NOT NULL AND ${isNext})
      UNION ALL (SELECT ${NO_ORGANIZATION}::uuid
        WHERE ${after}::uuid IS NULL AND EXISTS (SELECT FROM change_log WHERE organization_id IS NULL))
    ) AS chains ORDER BY id LIMIT 1`;
  return chain?.id;
}

/** Null for the chain without an organization, and if the organization has been deleted. */
export const findOrganizationName = (database: Database, id: string): Promise<string | null> =>
  sql(database).value<string | null>`SELECT (SELECT name FROM organizations WHERE id = ${id}::uuid)`;

/** Begins a snapshot and returns its time, by the clock of the database. It ends with the connection. */
export async function beginSnapshot(database: Database): Promise<Date> {
  await sql(database)`BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY`;
  return sql(database).value<Date>`SELECT now()`;
}

/** Allows sequential reads, for a whole month, or only reads by index, for some thousand rows. */
export async function allowScans(database: Database, allowed: boolean): Promise<void> {
  const value = allowed ? 'on' : 'off';
  await sql(database)`
    SELECT set_config('enable_hashjoin', ${value}::text, true), set_config('enable_seqscan', ${value}::text, true)`;
}

/** The next seals of a chain after the one with this number. */
export async function findSeals(database: Database, chain: string, after: number): Promise<StoredSeal[]> {
  return sql(database)`
    SELECT organization_id AS "organizationId", number::int, from_at AS "fromAt", to_at AS "toAt", row_count AS "rowCount",
      row_ids AS "rowIds", row_times::text[] AS "rowTimes", row_hashes AS "rowHashes", rows_hash AS "rowsHash",
      previous_hash AS "previousHash", hash, sealed_at AS "sealedAt"
    FROM audit_seals WHERE organization_id = ${chain}::uuid AND number > ${after}::bigint ORDER BY number LIMIT 5`;
}

/** Those of the rows that exist. `at`: milliseconds since 1970. */
export async function findSealedRows(
  database: Database,
  listed: readonly { readonly id: string; readonly at: number }[],
): Promise<FoundRow[]> {
  const times = listed.map(({ at }) => at);
  const [first, last] = [new Date(Math.min(...times)), new Date(Math.max(...times))];
  return sql(database)`
    SELECT c.id, listed.time::text, ${() => CANONICAL_ROW} AS content,
      (SELECT json_agg(json_build_array(d.value, d.salt, encode(d.commitment, 'hex')))
       FROM personal_details d WHERE d.at = c.at AND d.change_id = c.id) AS disclosed
    FROM unnest(${listed.map(({ id }) => id)}::uuid[], ${times}::bigint[]) AS listed (id, time)
    JOIN change_log c ON c.at = to_timestamp(listed.time / 1000.0)::timestamptz(3) AND c.id = listed.id
    WHERE c.at BETWEEN ${first}::timestamptz AND ${last}::timestamptz`;
}

/** The rows of a chain in a month that no seal covers, and that wait for none. */
export async function findUncovered(
  database: Database,
  chain: string,
  { from, to }: Month,
): Promise<RowPlace[]> {
  const id = sql`${chain}::uuid`;
  const [begin, end] = [sql`${from}::timestamptz`, sql`${to}::timestamptz`];
  return sql(database)`
    SELECT c.id, c.at FROM change_log c
    WHERE (c.organization_id = ${id} OR (c.organization_id IS NULL AND ${id} = ${NO_ORGANIZATION}::uuid))
      AND c.at >= ${begin} AND c.at < ${end}
      AND NOT EXISTS (SELECT FROM unsealed_changes u WHERE u.organization_id = ${id} AND u.at = c.at AND u.change_id = c.id)
      AND NOT EXISTS (
        SELECT FROM (SELECT unnest(row_ids) AS id, unnest(row_times) AS time FROM audit_seals
          WHERE organization_id = ${id} AND to_at >= ${begin} AND from_at < ${end}) AS sealed
        WHERE sealed.id = c.id AND sealed.time = (extract(epoch FROM c.at) * 1000)::bigint)
    ORDER BY c.at, c.id`;
}

/** The rows of a chain that are to be sealed, but have disappeared. */
export const findLost = async (database: Database, chain: string): Promise<RowPlace[]> => sql(database)`
    SELECT u.change_id AS id, u.at FROM unsealed_changes u
    WHERE u.organization_id = ${chain}::uuid
      AND NOT EXISTS (SELECT FROM change_log c WHERE c.at = u.at AND c.id = u.change_id)
    ORDER BY u.at, u.change_id`;

/** The number of rows of a chain for which a seal is due. */
export const countUnsealed = (database: Database, chain: string): Promise<number> =>
  sql(database)
    .value<number>`SELECT count(*)::int FROM unsealed_changes WHERE organization_id = ${chain}::uuid`;

/** The months that the log has partitions of. */
export const findMonths = async (database: Database): Promise<Month[]> => sql(database)`
    SELECT DISTINCT substring(bounds FROM $$FROM \\('([^']+)'\\)$$)::timestamptz AS "from",
      substring(bounds FROM $$TO \\('([^']+)'\\)$$)::timestamptz AS "to"
    FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid CROSS JOIN LATERAL pg_get_expr(c.relpartbound, c.oid) AS bounds
    WHERE i.inhparent = 'change_log'::regclass ORDER BY 1`;
