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
  readonly disclosed:
    readonly (readonly [value: string | null, salt: string | null, commitment: string])[] | null;
}

/** Rows are sealed by their times, but for those of transactions that were running; none takes this long. */
const LONGEST_TRANSACTION_MS = 3_600_000;

/** The rows that a seal lists; null if the list is gone or does not fit together. */
export function listedRows(seal: StoredSeal): readonly SealedRow[] | null {
  const { rowIds, rowTimes, rowHashes, rowCount } = seal;
  if (!rowIds || !rowTimes || !rowHashes) return null;
  const lengths = [rowIds.length, rowTimes.length, rowHashes.length / HASH_BYTES];
  if (lengths.some((length) => length !== rowCount)) return null;
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
  const found = (kind: AuditProblem['kind'], number: number) => ({
    kind,
    id: null,
    at: seal.sealedAt,
    seal: number,
  });
  const expected = (previous?.number ?? 0) + 1;
  const problems: AuditProblem[] = [];
  for (let number = expected; number < seal.number; number += 1) problems.push(found('seal_missing', number));
  const isWhole = hashSeal(seal).equals(seal.hash) && (rows === null || hashRows(rows).equals(seal.rowsHash));
  if (!isWhole) problems.push(found('seal_changed', seal.number));
  if (seal.number === expected && !sameHash(seal.previousHash, previous?.hash ?? null))
    problems.push(found('chain_broken', seal.number));
  return problems;
}

const sameHash = (one: Buffer | null, other: Buffer | null): boolean =>
  one === null || other === null ? one === other : one.equals(other);

/** Returns what is wrong with a row that a seal lists. `newest`: time of the newest row of the earlier seals. */
export function problemOfRow(
  listed: SealedRow,
  found: FoundRow | undefined,
  { number }: StoredSeal,
  newest: number,
): AuditProblem | null {
  const kind = kindOf(listed, found, newest);
  return kind && { kind, id: listed.id, at: new Date(listed.at), seal: number };
}

function kindOf(listed: SealedRow, found: FoundRow | undefined, newest: number): AuditProblem['kind'] | null {
  if (!found) return 'row_missing';
  if (!hashRow(found.content).equals(listed.hash)) return 'row_changed';
  if (!(found.disclosed ?? []).every(isDisclosed)) return 'detail_changed';
  return listed.at + LONGEST_TRANSACTION_MS < newest ? 'row_inserted' : null;
}

/** Whether a personal detail has been erased, or is the one that was committed to. */
function isDisclosed([value, salt, commitment]: NonNullable<FoundRow['disclosed']>[number]): boolean {
  if (value === null || salt === null) return value === salt;
  return createHash('sha256').update(`${salt}${value}`).digest('hex') === commitment;
}
