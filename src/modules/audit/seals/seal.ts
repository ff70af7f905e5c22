import { createHash } from 'node:crypto';
import { DAY_MS } from '../../../lib/durations.js';

/** The chain of rows that belong to no organization: about users, their keys and their personal recordings. */
export const NO_ORGANIZATION = '00000000-0000-0000-0000-000000000000';

export const ROWS_PER_SEAL = 1_000;
export const HASH_BYTES = 32;

/** A row of the log with its columns and the commitments of its personal details, see `CANONICAL_ROW`. */
export type CanonicalRow = readonly unknown[];

/** Stands for a row that had disappeared before it could be sealed. */
export const NO_ROW = Buffer.alloc(HASH_BYTES);

export interface SealedRow {
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly hash: Buffer;
}

/** The content of a seal, which its hash covers. */
export interface SealContent {
  readonly organizationId: string;
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

/** Hashes ids, times and hashes of the rows, in order. */
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

/** Returns the month in UTC, as a number that grows with it. */
export function monthOf(at: number): number {
  const date = new Date(at);
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
}

/** Returns the beginning of the oldest month (UTC) that is kept: it has a moment that is less than `days` ago. */
export function firstKept(days: number, now: Date): Date {
  const limit = new Date(now.getTime() - days * DAY_MS);
  return new Date(Date.UTC(limit.getUTCFullYear(), limit.getUTCMonth()));
}
