import { CANONICAL_ROW, NO_ORGANIZATION } from './seal.js';

/** The first chain after `$1`: rows, seals, or rows that wait for a seal. */
export const NEXT_CHAIN = `
  SELECT id FROM (
    (SELECT organization_id AS id FROM audit_seals
     WHERE $1::uuid IS NULL OR organization_id > $1 ORDER BY organization_id LIMIT 1)
    UNION ALL (SELECT organization_id FROM unsealed_changes
     WHERE $1::uuid IS NULL OR organization_id > $1 ORDER BY organization_id LIMIT 1)
    UNION ALL (SELECT organization_id FROM change_log
     WHERE organization_id IS NOT NULL AND ($1::uuid IS NULL OR organization_id > $1) ORDER BY organization_id LIMIT 1)
    UNION ALL (SELECT '${NO_ORGANIZATION}'::uuid WHERE $1::uuid IS NULL AND EXISTS (SELECT FROM change_log WHERE organization_id IS NULL))
  ) AS chains ORDER BY id LIMIT 1`;

/** Seals of chain `$1` after number `$2`. */
export const SEALS = `
  SELECT organization_id AS "organizationId", number::int, from_at AS "fromAt", to_at AS "toAt", row_count AS "rowCount",
    row_ids AS "rowIds", row_times::text[] AS "rowTimes", row_hashes AS "rowHashes", rows_hash AS "rowsHash",
    previous_hash AS "previousHash", hash, sealed_at AS "sealedAt"
  FROM audit_seals WHERE organization_id = $1 AND number > $2 ORDER BY number LIMIT 5`;

/** Rows by their ids and times, `$1` and `$2`, which lie from `$3` to `$4`. */
export const SEALED_ROWS = `
  SELECT c.id, listed.time::text, ${CANONICAL_ROW} AS content,
    (SELECT json_agg(json_build_array(d.value, d.salt, encode(d.commitment, 'hex')))
     FROM personal_details d WHERE d.at = c.at AND d.change_id = c.id) AS disclosed
  FROM unnest($1::uuid[], $2::bigint[]) AS listed (id, time)
  JOIN change_log c ON c.at = to_timestamp(listed.time / 1000.0)::timestamptz(3) AND c.id = listed.id
  WHERE c.at BETWEEN $3 AND $4`;

const TIME = '(extract(epoch FROM c.at) * 1000)::bigint';

const CURSOR = 'DECLARE found NO SCROLL CURSOR FOR';

/** Rows of chain `$1` that neither a seal covers nor one is due for. */
export const UNCOVERED = `${CURSOR}
  SELECT c.id, c.at FROM change_log c
  WHERE (c.organization_id = $1 OR (c.organization_id IS NULL AND $1 = '${NO_ORGANIZATION}'::uuid)) AND c.at >= $2 AND c.at < $3
    AND NOT EXISTS (SELECT FROM unsealed_changes u WHERE u.organization_id = $1 AND u.at = c.at AND u.change_id = c.id)
    AND NOT EXISTS (
      SELECT FROM (SELECT unnest(row_ids) AS id, unnest(row_times) AS time FROM audit_seals
        WHERE organization_id = $1 AND to_at >= $2 AND from_at < $3) AS sealed
      WHERE sealed.id = c.id AND sealed.time = ${TIME})
  ORDER BY c.at, c.id`;

/** Rows of chain `$1` that are to be sealed, but have disappeared. */
export const LOST = `${CURSOR}
  SELECT u.change_id AS id, u.at FROM unsealed_changes u
  WHERE u.organization_id = $1 AND NOT EXISTS (SELECT FROM change_log c WHERE c.at = u.at AND c.id = u.change_id)
  ORDER BY u.at, u.change_id`;

export const WAITING = `SELECT count(*)::int AS count FROM unsealed_changes WHERE organization_id = $1`;

/** The months of which there are partitions. */
export const MONTHS = `
  SELECT DISTINCT substring(pg_get_expr(c.relpartbound, c.oid) FROM $$FROM \\('([^']+)'\\)$$)::timestamptz AS "from",
    substring(pg_get_expr(c.relpartbound, c.oid) FROM $$TO \\('([^']+)'\\)$$)::timestamptz AS "to"
  FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid WHERE i.inhparent = 'change_log'::regclass ORDER BY 1`;
