import type { EntityManager } from 'typeorm';
import { LOCKS } from '../../../platform/database/lock-numbers.js';
import type { CanonicalRow, SealContent, SealedRow } from './seal.js';
import { sql } from '../../../platform/database/sql.js';

export interface UnsealedRow {
  readonly chain: string;
  readonly changeId: string;
  /** Milliseconds since 1970. */
  readonly time: number;
  /** Null: it has disappeared. */
  readonly content: CanonicalRow | null;
}

export type LastSeal = Pick<SealContent, 'organizationId' | 'number'> & { readonly hash: Buffer };

/**
 * A row of `change_log c` as an array that does not depend on settings of the session: times as milliseconds since
 * 1970, details as PostgreSQL writes them. Every column is here, and of the personal details their commitments, but
 * never these themselves.
 */
export const CANONICAL_ROW = `json_build_array(c.id, (extract(epoch FROM c.at) * 1000)::bigint::text, c.type, c.actor_kind,
  c.actor_id, c.api_key_id, c.request_id, c.organization_id, c.recording_id, c.target_id, c.user_id, c.owner_id, c.folder_id,
  c.folder_access, c.details::text, coalesce((
    SELECT json_agg(json_build_array(d.kind, d.user_id, encode(d.commitment, 'hex')) ORDER BY d.kind)
    FROM personal_details d WHERE d.at = c.at AND d.change_id = c.id), '[]'))`;

/** Lets this transaction alone seal, and returns the time; null if another one does. */
export async function trySealingLock(manager: EntityManager): Promise<Date | null> {
  const [lock] = await sql(manager)<{ locked: boolean; now: number }>`
    SELECT pg_try_advisory_xact_lock(${LOCKS.sealing}::bigint) AS locked,
      floor(extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now`;
  return lock?.locked === true ? new Date(lock.now) : null;
}

/** The first rows that wait, of the organizations after one or of all. */
export const findUnsealed = async (
  manager: EntityManager,
  after: string | null,
  limit: number,
): Promise<UnsealedRow[]> => sql(manager)`
    WITH waiting AS MATERIALIZED (
      SELECT organization_id, at, change_id FROM unsealed_changes
      WHERE ${after}::uuid IS NULL OR organization_id > ${after}::uuid
      ORDER BY organization_id, at, change_id LIMIT ${limit}::int)
    SELECT w.organization_id AS chain, w.change_id AS "changeId", (extract(epoch FROM w.at) * 1000)::float8 AS time,
      CASE WHEN c.id IS NOT NULL THEN ${() => CANONICAL_ROW} END AS content
    FROM waiting w LEFT JOIN change_log c ON c.at = w.at AND c.id = w.change_id
    ORDER BY w.organization_id, w.at, w.change_id`;

export async function findLastSeals(manager: EntityManager, chains: readonly string[]): Promise<LastSeal[]> {
  return sql(manager)`
    SELECT chain.id AS "organizationId", last.number::int, last.hash FROM unnest(${chains}::uuid[]) AS chain (id)
    CROSS JOIN LATERAL (
      SELECT number, hash FROM audit_seals s WHERE s.organization_id = chain.id ORDER BY number DESC LIMIT 1) AS last`;
}

export async function insertSeal(
  manager: EntityManager,
  seal: SealContent & { readonly hash: Buffer },
  rows: readonly SealedRow[],
): Promise<void> {
  const [ids, times] = [rows.map(({ id }) => id), rows.map(({ at }) => at)];
  await sql(manager)`
    INSERT INTO audit_seals (organization_id, number, from_at, to_at, row_count, row_ids, row_times, row_hashes, rows_hash,
      previous_hash, hash, sealed_at)
    VALUES (${seal.organizationId}, ${seal.number}, ${seal.fromAt}, ${seal.toAt}, ${seal.rowCount}, ${ids}, ${times},
      ${Buffer.concat(rows.map(({ hash }) => hash))}, ${seal.rowsHash}, ${seal.previousHash}, ${seal.hash}, ${seal.sealedAt})`;
}

export async function deleteSealed(manager: EntityManager, sealed: readonly UnsealedRow[]): Promise<void> {
  await sql(manager)`
    DELETE FROM unsealed_changes u USING unnest(${sealed.map(({ chain }) => chain)}::uuid[],
      ${sealed.map(({ time }) => time)}::bigint[], ${sealed.map(({ changeId }) => changeId)}::uuid[]
    ) AS done (organization_id, time, change_id)
    WHERE u.organization_id = done.organization_id AND u.at = to_timestamp(done.time / 1000.0)::timestamptz(3)
      AND u.change_id = done.change_id`;
}

/** The channel that is notified when rows have been sealed. */
export const SEALED_CHANNEL = 'audit';

/** Wakes those who send what has been sealed, once the transaction has committed. */
export async function notifySealed(manager: EntityManager): Promise<void> {
  await sql(manager)`SELECT pg_notify(${SEALED_CHANNEL}, '')`;
}
