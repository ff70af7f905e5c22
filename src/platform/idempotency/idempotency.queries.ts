import type { EntityManager } from 'typeorm';
import { IDEMPOTENCY_LIMITS } from '../http-limits.js';
import { sql } from '../database/sql.js';

/** The right to carry a request out. */
export interface Claim {
  readonly id: Buffer;
  readonly attempt: string;
}

/** Seconds after which another attempt may take over, unless the lease is renewed. */
export const LEASE_SECONDS = 30;
const LEASE = `clock_timestamp() + make_interval(secs => ${LEASE_SECONDS})`;

/** A request whose process has died before it changed anything. */
const ABANDONED = 'NOT k.changed AND k.reply IS NULL AND k.leased_until <= clock_timestamp()';

const TIDY_BATCH = 1_000;

export interface NewClaim extends Claim {
  readonly userId: string;
  readonly request: Buffer;
  readonly now: Date;
  readonly expiresAt: Date;
}

interface ClaimRow {
  readonly claimed: boolean;
  /** Null if there was no such key; then, so are the others. */
  readonly request: Buffer | null;
  readonly reply: Buffer | null;
  readonly changed: boolean | null;
  readonly running: boolean | null;
  readonly leased_until: Date | null;
}

/** Claims an unknown, expired or abandoned key, or reads what there is; neither, if another process claims it now. */
export async function claimKey(
  manager: EntityManager,
  { id, attempt, userId, request, now, expiresAt }: NewClaim,
): Promise<ClaimRow> {
  const row = await sql(manager).row<ClaimRow>`
    WITH found AS MATERIALIZED (
      SELECT k.request, k.reply, k.changed, k.leased_until, k.leased_until > clock_timestamp() AS running
      FROM idempotency_keys k WHERE k.id = ${id} AND k.expires_at > ${now} AND NOT (${() => ABANDONED})),
    claimed AS (
      INSERT INTO idempotency_keys AS k (id, user_id, request, attempt, expires_at, leased_until)
      SELECT ${id}::bytea, ${userId}::uuid, ${request}::bytea, ${attempt}::uuid, ${expiresAt}::timestamptz, ${() => LEASE}
      WHERE NOT EXISTS (SELECT FROM found)
      ON CONFLICT (id) DO UPDATE SET user_id = excluded.user_id, request = excluded.request, attempt = excluded.attempt,
        expires_at = excluded.expires_at, leased_until = excluded.leased_until, changed = false, reply = NULL
      WHERE k.expires_at <= ${now} OR ${() => ABANDONED}
      RETURNING k.id)
    SELECT EXISTS (SELECT FROM claimed) AS claimed, found.* FROM (SELECT) AS one LEFT JOIN found ON true`;
  return row;
}

/**
 * Run as the last statement of a transaction. `wrote`: whether the transaction has changed anything, and `noted`:
 * whether that was written to the key, in the same transaction. Not, if another attempt has taken over.
 */
export async function markChanged(
  manager: EntityManager,
  { id, attempt }: Claim,
): Promise<{ readonly wrote: boolean; readonly noted: boolean }> {
  const row = await sql(manager).row<{ wrote: boolean; noted: boolean }>`
    WITH own AS MATERIALIZED (SELECT pg_current_xact_id_if_assigned() IS NOT NULL AS wrote),
    noted AS (
      UPDATE idempotency_keys k SET changed = true FROM own
      WHERE own.wrote AND k.id = ${id} AND k.attempt = ${attempt} RETURNING k.id)
    SELECT own.wrote, EXISTS (SELECT FROM noted) AS noted FROM own`;
  return row;
}

/** Stores the reply, null if it is not kept. */
export async function completeKey(
  manager: EntityManager,
  { id, attempt }: Claim,
  reply: Buffer | null,
): Promise<void> {
  await sql(manager)`
    UPDATE idempotency_keys
    SET reply = ${reply}::bytea, changed = changed OR ${reply === null}, leased_until = clock_timestamp()
    WHERE id = ${id} AND attempt = ${attempt}`;
}

/** The key of a request that has committed changes stays taken. */
export async function releaseKey(manager: EntityManager, { id, attempt }: Claim): Promise<void> {
  await sql(manager)`
    WITH unchanged AS (DELETE FROM idempotency_keys WHERE id = ${id} AND attempt = ${attempt} AND NOT changed)
    UPDATE idempotency_keys SET leased_until = clock_timestamp() WHERE id = ${id} AND attempt = ${attempt} AND changed`;
}

export async function renewLeases(manager: EntityManager, claims: readonly Claim[]): Promise<void> {
  const ids = claims.map(({ id }) => id);
  const attempts = claims.map(({ attempt }) => attempt);
  await sql(manager)`
    UPDATE idempotency_keys k SET leased_until = ${() => LEASE}
    FROM unnest(${ids}::bytea[], ${attempts}::uuid[]) AS running (id, attempt)
    WHERE k.id = running.id AND k.attempt = running.attempt`;
}

/** Keeps the newest keys of a user within the limits, and those of running requests. */
export async function dropOldestKeys(manager: EntityManager, userId: string): Promise<void> {
  await sql(manager)`
    DELETE FROM idempotency_keys WHERE id IN (
      SELECT id FROM (
        SELECT id, leased_until, row_number() OVER newest AS nth, sum(coalesce(octet_length(reply), 0)) OVER newest AS bytes
        FROM idempotency_keys WHERE user_id = ${userId} WINDOW newest AS (ORDER BY expires_at DESC, id)) AS kept
      WHERE (nth > ${IDEMPOTENCY_LIMITS.keysPerUser} OR bytes > ${IDEMPOTENCY_LIMITS.bytesPerUser})
        AND leased_until <= clock_timestamp())`;
}

/** Removes a batch of expired keys, except those another process is deleting; returns whether there may be more. */
export async function deleteExpiredKeys(manager: EntityManager, now: Date): Promise<boolean> {
  const count = await sql(manager).count`
    DELETE FROM idempotency_keys WHERE id IN (
      SELECT id FROM idempotency_keys WHERE expires_at <= ${now} AND leased_until <= clock_timestamp()
      ORDER BY expires_at LIMIT ${TIDY_BATCH} FOR UPDATE SKIP LOCKED)`;
  return count > 0;
}
