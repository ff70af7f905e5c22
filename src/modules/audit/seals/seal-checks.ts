import { createHash } from 'node:crypto';
import {
  HASH_BYTES,
  hashRow,
  hashRows,
  hashSeal,
  type CanonicalRow,
  type SealContent,
  type SealedRow,
} from './seal.js';

/** Something in the log that is not as it was when it was sealed. */
export interface AuditProblem {
  readonly kind:
    | 'row_missing'
    | 'row_changed'
    | 'row_inserted'
    | 'seal_missing'
    | 'seal_changed'
    | 'chain_broken'
    | 'detail_changed';
  /** Id of the row; null for problems of seals. */
  readonly id: string | null;
  readonly at: Date | null;
  /** Null if no seal covers the row. */
  readonly seal: number | null;
}

export interface StoredSeal extends SealContent {
  readonly hash: Buffer;
  /** These three are null once the month has been dropped. */
  readonly rowIds: readonly string[] | null;
  readonly rowTimes: readonly string[] | null;
  readonly rowHashes: Buffer | null;
}

export interface FoundRow {
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly time: string;
  readonly content: CanonicalRow;
  /** Its personal details. */
  readonly disclosed:
    readonly (readonly [value: string | null, salt: string | null, commitment: string])[] | null;
}

/**
 * Rows are sealed in the order of their times, except those of transactions that were still running; none takes this
 * long.
 */
const LONGEST_TRANSACTION_MS = 3_600_000;

/** The rows that a seal lists; null if the list is gone or does not fit together. */
export function listedRows({
  rowIds,
  rowTimes,
  rowHashes,
  rowCount,
}: StoredSeal): readonly SealedRow[] | null {
  if (!rowIds || !rowTimes || !rowHashes) return null;
  if (
    rowIds.length !== rowCount ||
    rowTimes.length !== rowCount ||
    rowHashes.length !== rowCount * HASH_BYTES
  )
    return null;
  return rowIds.map((id, index) => ({
    id,
    at: Number(rowTimes[index]),
    hash: rowHashes.subarray(index * HASH_BYTES, (index + 1) * HASH_BYTES),
  }));
}

/** Returns what is wrong with a seal and its place after `previous`, whatever its rows are. */
export function problemsOfSeal(
  seal: StoredSeal,
  rows: readonly SealedRow[] | null,
  previous: StoredSeal | null,
): readonly AuditProblem[] {
  const problem = (kind: AuditProblem['kind'], number: number): AuditProblem => ({
    kind,
    id: null,
    at: seal.sealedAt,
    seal: number,
  });
  const expected = (previous?.number ?? 0) + 1;
  const problems: AuditProblem[] = [];
  for (let number = expected; number < seal.number; number += 1)
    problems.push(problem('seal_missing', number));
  const isWhole = hashSeal(seal).equals(seal.hash) && (rows === null || hashRows(rows).equals(seal.rowsHash));
  if (!isWhole) problems.push(problem('seal_changed', seal.number));
  if (seal.number === expected && !sameHash(seal.previousHash, previous?.hash ?? null))
    problems.push(problem('chain_broken', seal.number));
  return problems;
}

const sameHash = (one: Buffer | null, other: Buffer | null): boolean =>
  one === null || other === null ? one === other : one.equals(other);

/**
 * Returns what is wrong with a row that a seal lists. `newest`: time of the newest row that an earlier seal of the
 * chain covers.
 */
export function problemOfRow(
  listed: SealedRow,
  found: FoundRow | undefined,
  { number }: StoredSeal,
  newest: number,
): AuditProblem | null {
  const problem = (kind: AuditProblem['kind']): AuditProblem => ({
    kind,
    id: listed.id,
    at: new Date(listed.at),
    seal: number,
  });
  if (!found) return problem('row_missing');
  if (!hashRow(found.content).equals(listed.hash)) return problem('row_changed');
  if (!(found.disclosed ?? []).every(isDisclosed)) return problem('detail_changed');
  return listed.at + LONGEST_TRANSACTION_MS < newest ? problem('row_inserted') : null;
}

/** Whether a personal detail has been erased, or is the one that was committed to. */
function isDisclosed([value, salt, commitment]: NonNullable<FoundRow['disclosed']>[number]): boolean {
  if (value === null || salt === null) return value === salt;
  return createHash('sha256').update(`${salt}${value}`).digest('hex') === commitment;
}
