import { createHash } from 'node:crypto';

/** The chain of rows that belong to no organization: about users, their keys and their personal recordings. */
export const NO_ORGANIZATION = '00000000-0000-0000-0000-000000000000';

export const ROWS_PER_SEAL = 1_000;
export const HASH_BYTES = 32;

/**
 * A row of `change_log c` as an array that does not depend on settings of the session: times as milliseconds since 1970, details as
 * PostgreSQL writes them. Every column is here, and of the personal details their commitments, but never these themselves.
 */
export const CANONICAL_ROW = `json_build_array(c.id, (extract(epoch FROM c.at) * 1000)::bigint::text, c.type, c.actor_kind,
  c.actor_id, c.api_key_id, c.request_id, c.organization_id, c.recording_id, c.target_id, c.user_id, c.owner_id, c.folder_id,
  c.folder_access, c.details::text, coalesce((
    SELECT json_agg(json_build_array(d.kind, d.user_id, encode(d.commitment, 'hex')) ORDER BY d.kind)
    FROM personal_details d WHERE d.at = c.at AND d.change_id = c.id), '[]'))`;

export type CanonicalRow = readonly unknown[];

/** Stands for a row that had disappeared before it could be sealed. */
export const NO_ROW = Buffer.alloc(HASH_BYTES);

/** A row that a seal covers. */
export interface SealedRow {
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly hash: Buffer;
}

/** What the hash of a seal covers. */
export interface SealContent {
  readonly organizationId: string;
  /** 1, 2, ... */
  readonly number: number;
  readonly fromAt: Date;
  readonly toAt: Date;
  readonly rowCount: number;
  readonly rowsHash: Buffer;
  /** Null for the first of a chain. */
  readonly previousHash: Buffer | null;
  readonly sealedAt: Date;
}

export const hashRow = (row: CanonicalRow): Buffer =>
  createHash('sha256')
    .update(JSON.stringify(['change 1', ...row]))
    .digest();

/** Over ids, times and hashes of the rows, in order. */
export function hashRows(rows: readonly SealedRow[]): Buffer {
  const hash = createHash('sha256');
  for (const { id, at, hash: rowHash } of rows) hash.update(`${id} ${at} ${rowHash.toString('hex')}\n`);
  return hash.digest();
}

export function hashSeal(seal: SealContent): Buffer {
  const values = [
    'seal 1',
    seal.organizationId,
    seal.number,
    seal.fromAt.getTime(),
    seal.toAt.getTime(),
    seal.rowCount,
    seal.rowsHash.toString('hex'),
    seal.previousHash?.toString('hex') ?? null,
    seal.sealedAt.getTime(),
  ];
  return createHash('sha256').update(JSON.stringify(values)).digest();
}

/** The month in UTC, as a number that grows with it. */
export function monthOf(at: number): number {
  const date = new Date(at);
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
}
