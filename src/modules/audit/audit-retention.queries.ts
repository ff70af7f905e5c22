import { escapeIdentifier } from 'pg';
import type { EntityManager } from 'typeorm';
import { sql } from '../../platform/database/sql.js';

/** A month of the log, or of the personal details of its rows. */
export interface Partition {
  readonly parent: 'change_log' | 'personal_details';
  readonly name: string;
  readonly to: Date;
  /** Whether an earlier run was interrupted while it detached it. */
  readonly pending: boolean;
}

/** The time by the clock that rows have their times from. */
export const readTime = (manager: EntityManager): Promise<Date> => sql(manager).value<Date>`SELECT now()`;

/** The partitions that end at a time or before. */
export async function findPartitionsUntil(manager: EntityManager, time: Date): Promise<Partition[]> {
  return sql(manager)`
    SELECT i.inhparent::regclass::text AS parent, c.relname AS name, part.until AS "to", i.inhdetachpending AS pending
    FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid CROSS JOIN LATERAL (
      SELECT substring(pg_get_expr(c.relpartbound, c.oid) FROM $$TO \\('([^']+)'\\)$$)::timestamptz AS until) AS part
    WHERE i.inhparent IN ('change_log'::regclass, 'personal_details'::regclass) AND part.until <= ${time}
    ORDER BY c.relname`;
}

/** The names of partitions that were detached, but not dropped, because a run was interrupted. */
export async function findDetached(manager: EntityManager): Promise<string[]> {
  const tables = await sql(manager)<{ name: string }>`
    SELECT relname AS name FROM pg_class
    WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r' AND NOT relispartition
      AND relname ~ '^(change_log|personal_details)_[0-9]{4}_[0-9]{2}$'`;
  return tables.map(({ name }) => name);
}

/** Detaches a partition without making anybody wait, or ends what an interrupted run began. Not in a transaction. */
export async function detachPartition(
  manager: EntityManager,
  { parent, name, pending }: Partition,
): Promise<void> {
  const how = pending ? 'FINALIZE' : 'CONCURRENTLY';
  await sql(manager)`
    ALTER TABLE ${() => escapeIdentifier(parent)} DETACH PARTITION ${() => escapeIdentifier(name)} ${() => how}`;
}

export async function dropTable(manager: EntityManager, name: string): Promise<void> {
  await sql(manager)`DROP TABLE ${() => escapeIdentifier(name)}`;
}

export const isSealingDue = (manager: EntityManager, time: Date): Promise<boolean> =>
  sql(manager).value<boolean>`SELECT EXISTS (SELECT FROM unsealed_changes WHERE at < ${time})`;

/** Deletes the lists of at most `limit` seals that end before a time; the seals stay, as links. Returns how many. */
export async function deleteSealLists(manager: EntityManager, time: Date, limit: number): Promise<number> {
  return sql(manager).count`
    WITH old AS (
      SELECT organization_id, number FROM audit_seals
      WHERE row_ids IS NOT NULL AND to_at < ${time} ORDER BY to_at LIMIT ${limit}::int)
    UPDATE audit_seals s SET row_ids = NULL, row_times = NULL, row_hashes = NULL
    FROM old WHERE s.organization_id = old.organization_id AND s.number = old.number`;
}
