import { createHash } from 'node:crypto';

/**
 * A row of the change log as text that does not depend on settings of the session: times as milliseconds since 1970, ids and JSON
 * as PostgreSQL writes them. Every column is here, and the commitments of the personal details, but never these themselves.
 */
export interface CanonicalRow {
  readonly id: string;
  readonly at: string;
  readonly type: string;
  readonly actor_kind: string;
  readonly actor_id: string | null;
  readonly api_key_id: string | null;
  readonly request_id: string | null;
  readonly organization_id: string | null;
  readonly recording_id: string | null;
  readonly target_id: string | null;
  readonly user_id: string | null;
  readonly owner_id: string | null;
  readonly folder_id: string | null;
  readonly folder_access: string | null;
  readonly details: string;
  /** Null: none. Kind, user and commitment of each, in order of their kind. */
  readonly personal: readonly (readonly [kind: string, userId: string | null, commitment: string])[] | null;
}

const MILLISECONDS = '(extract(epoch FROM c.at) * 1000)::bigint::text';

/** Columns of `change_log c` as a `CanonicalRow`. */
export const CANONICAL_COLUMNS = `c.id, ${MILLISECONDS} AS at, c.type, c.actor_kind, c.actor_id, c.api_key_id, c.request_id,
  c.organization_id, c.recording_id, c.target_id, c.user_id, c.owner_id, c.folder_id, c.folder_access, c.details::text AS details,
  (SELECT json_agg(json_build_array(d.kind, d.user_id, encode(d.commitment, 'hex')) ORDER BY d.kind)
   FROM personal_details d WHERE d.at = c.at AND d.change_id = c.id) AS personal`;

/** Stands for a row that had disappeared before it could be sealed. */
export const NO_ROW = Buffer.alloc(32);

export function hashRow(row: CanonicalRow): Buffer {
  const values = [
    'change 1',
    row.id,
    row.at,
    row.type,
    row.actor_kind,
    row.actor_id,
    row.api_key_id,
    row.request_id,
    row.organization_id,
    row.recording_id,
    row.target_id,
    row.user_id,
    row.owner_id,
    row.folder_id,
    row.folder_access,
    row.details,
    row.personal ?? [],
  ];
  return createHash('sha256').update(JSON.stringify(values)).digest();
}
