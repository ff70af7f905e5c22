import { IDEMPOTENCY_LIMITS } from './idempotency-limits.js';

/** Seconds after which another attempt may take over, unless the lease is renewed. */
export const LEASE_SECONDS = 30;
const LEASE = `clock_timestamp() + make_interval(secs => ${LEASE_SECONDS})`;

/** A request whose process has died before it changed anything. */
const ABANDONED = 'NOT k.changed AND k.reply IS NULL AND k.leased_until <= clock_timestamp()';

/**
 * $1: id; $2: user; $3: request; $4: attempt; $5: now; $6: when the key expires. Claims an unknown, expired or abandoned key,
 * or else reads what there is. Neither, if another process claims it at the same moment. Replays write nothing.
 */
export const CLAIM = {
  name: 'idempotency-claim',
  text: `
  WITH found AS MATERIALIZED (
    SELECT k.request, k.reply, k.changed, k.leased_until, k.leased_until > clock_timestamp() AS running
    FROM idempotency_keys k WHERE k.id = $1 AND k.expires_at > $5 AND NOT (${ABANDONED})),
  claimed AS (
    INSERT INTO idempotency_keys AS k (id, user_id, request, attempt, expires_at, leased_until)
    SELECT $1::bytea, $2::uuid, $3::bytea, $4::uuid, $6::timestamptz, ${LEASE} WHERE NOT EXISTS (SELECT FROM found)
    ON CONFLICT (id) DO UPDATE SET user_id = excluded.user_id, request = excluded.request, attempt = excluded.attempt,
      expires_at = excluded.expires_at, leased_until = excluded.leased_until, changed = false, reply = NULL
    WHERE k.expires_at <= $5 OR ${ABANDONED}
    RETURNING k.id)
  SELECT EXISTS (SELECT FROM claimed) AS claimed, found.* FROM (SELECT) AS one LEFT JOIN found ON true`,
};

/**
 * Run as the last statement of a transaction. $1: id; $2: attempt. `wrote`: whether the transaction has changed anything, and
 * `marked`: whether it was noted, in the same transaction. Not, if another attempt has taken over.
 */
export const MARK_CHANGED = `
  WITH own AS MATERIALIZED (SELECT pg_current_xact_id_if_assigned() IS NOT NULL AS wrote),
  marked AS (
    UPDATE idempotency_keys k SET changed = true FROM own WHERE own.wrote AND k.id = $1 AND k.attempt = $2 RETURNING k.id)
  SELECT own.wrote, EXISTS (SELECT FROM marked) AS marked FROM own`;

/** $1: id; $2: attempt; $3: the reply, or null if it is not kept. */
export const COMPLETE = {
  name: 'idempotency-complete',
  text: `UPDATE idempotency_keys SET reply = $3::bytea, changed = changed OR $3::bytea IS NULL, leased_until = clock_timestamp()
         WHERE id = $1 AND attempt = $2`,
};

/** $1: id; $2: attempt. The key of a request that has committed changes stays taken. */
export const RELEASE = {
  name: 'idempotency-release',
  text: `WITH unchanged AS (DELETE FROM idempotency_keys WHERE id = $1 AND attempt = $2 AND NOT changed)
         UPDATE idempotency_keys SET leased_until = clock_timestamp() WHERE id = $1 AND attempt = $2 AND changed`,
};

/** $1: ids; $2: attempts. */
export const RENEW = `
  UPDATE idempotency_keys k SET leased_until = ${LEASE}
  FROM unnest($1::bytea[], $2::uuid[]) AS running (id, attempt) WHERE k.id = running.id AND k.attempt = running.attempt`;

/** $1: user. Keeps the newest keys within the limits, and those of running requests. */
export const TRIM = `
  DELETE FROM idempotency_keys WHERE id IN (
    SELECT id FROM (
      SELECT id, leased_until, row_number() OVER newest AS nth, sum(coalesce(octet_length(reply), 0)) OVER newest AS bytes
      FROM idempotency_keys WHERE user_id = $1 WINDOW newest AS (ORDER BY expires_at DESC, id)) AS kept
    WHERE (nth > ${IDEMPOTENCY_LIMITS.keysPerUser} OR bytes > ${IDEMPOTENCY_LIMITS.bytesPerUser})
      AND leased_until <= clock_timestamp())`;

export const TIDY_BATCH = 1_000;

/** $1: now. Rows that another process is deleting are left to it. */
export const TIDY = `
  DELETE FROM idempotency_keys WHERE id IN (
    SELECT id FROM idempotency_keys WHERE expires_at <= $1 AND leased_until <= clock_timestamp()
    ORDER BY expires_at LIMIT ${TIDY_BATCH} FOR UPDATE SKIP LOCKED)`;
