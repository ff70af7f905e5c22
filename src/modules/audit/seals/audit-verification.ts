import { withClient } from '../../../platform/database/connection.js';
import type { Database } from '../../../platform/database/sql.js';
import { firstKept, NO_ORGANIZATION } from './seal.js';
import {
  allowScans,
  beginSnapshot,
  countUnsealed,
  findLost,
  findMonths,
  findNextChain,
  findOrganizationName,
  findSealedRows,
  findSeals,
  findUncovered,
} from './audit-verification.queries.js';
import {
  type AuditProblem,
  type FoundRow,
  listedRows,
  problemOfRow,
  problemsOfSeal,
  type StoredSeal,
} from './seal-checks.js';

export interface ChainReport {
  /** Null for rows that belong to no organization. */
  readonly organizationId: string | null;
  /** Null also if it has been deleted. */
  readonly organizationName: string | null;
  /** Sealed rows that are as they were. */
  readonly rows: number;
  readonly seals: number;
  /** Rows for which a seal is due. */
  readonly unsealed: number;
  /** Personal details that were erased. */
  readonly erased: number;
  /** Rows that were dropped with their month, of which the hash remains. */
  readonly dropped: number;
  readonly problems: readonly AuditProblem[];
  /** The hash of the last seal, in hexadecimal digits; null without one. */
  readonly lastHash: string | null;
  readonly lastSealedAt: Date | null;
  /** The number of the seal that has the expected hash. */
  readonly expectedIn: number | null;
}

interface ChainChecks {
  /** The setting `AUDIT_DAYS`. */
  readonly auditDays: number;
  /** Hash to look for, in hexadecimal digits. */
  readonly expect?: string;
}

interface Run extends ChainChecks {
  readonly database: Database;
  readonly chain: string;
  readonly counts: { rows: number; seals: number; erased: number; dropped: number };
  readonly problems: AuditProblem[];
  /** What is older may have been dropped. */
  readonly keptFrom: Date;
  /** The seal before the one that is checked. */
  last: StoredSeal | null;
  /** See `problemOfRow`. */
  newest: number;
  expectedIn: number | null;
}

const ROWS_AT_A_TIME = 5_000;

/** Times are read the same way everywhere. */
const CONNECTION = {
  application_name: 'mrs audit verify',
  options: '-c DateStyle=ISO -c TimeZone=UTC',
  keepAlive: true,
};

/** The ids of all chains, in order. */
export const findChains = (url: string): Promise<string[]> =>
  withClient(url, CONNECTION, async (database) => {
    const chains: string[] = [];
    for (let next = await findNextChain(database, null); next !== undefined;) {
      chains.push(next);
      next = await findNextChain(database, next);
    }
    return chains;
  });

/** Recomputes the seals of a chain of the change log, in one snapshot. */
export const checkChain = (url: string, chain: string, checks: ChainChecks): Promise<ChainReport> =>
  withClient(url, CONNECTION, async (database) => {
    const keptFrom = firstKept(checks.auditDays, await beginSnapshot(database));
    const counts = { rows: 0, seals: 0, erased: 0, dropped: 0 };
    const begin = { last: null, newest: 0, expectedIn: null };
    const run: Run = { ...checks, ...begin, database, chain, counts, problems: [], keptFrom };
    await checkSeals(run);
    await checkUnsealed(run);
    const { last, problems, expectedIn } = run;
    return {
      organizationId: chain === NO_ORGANIZATION ? null : chain,
      organizationName: await findOrganizationName(database, chain),
      ...counts,
      problems,
      unsealed: await countUnsealed(database, chain),
      lastHash: last?.hash.toString('hex') ?? null,
      lastSealedAt: last?.sealedAt ?? null,
      expectedIn,
    };
  });

async function checkSeals(run: Run): Promise<void> {
  await allowScans(run.database, false);
  for (;;) {
    const seals = await findSeals(run.database, run.chain, run.last?.number ?? 0);
    if (seals.length === 0) return;
    const found = await readRows(run.database, seals);
    for (const seal of seals) {
      checkSeal(run, seal, found);
      if (seal.hash.toString('hex') === run.expect) run.expectedIn = seal.number;
      run.newest = Math.max(run.newest, seal.toAt.getTime());
      run.last = seal;
    }
  }
}

function checkSeal(run: Run, seal: StoredSeal, found: ReadonlyMap<string, FoundRow>): void {
  const { counts, problems } = run;
  const rows = listedRows(seal);
  counts.seals += 1;
  for (const problem of problemsOfSeal(seal, rows, run.last)) problems.push(problem);
  const present = rows?.some(({ id, at }) => found.has(keyOf(id, at))) ?? false;
  if (!present && seal.toAt < run.keptFrom) {
    counts.dropped += seal.rowCount;
    return;
  }
  // Without the list, the rows that it covers are unknown.
  if (!rows) {
    problems.push({ kind: 'seal_changed', id: null, at: seal.sealedAt, seal: seal.number });
    return;
  }
  for (const listed of rows) {
    const row = found.get(keyOf(listed.id, listed.at));
    const problem = problemOfRow(listed, row, seal, run.newest);
    if (problem) problems.push(problem);
    else counts.rows += 1;
    counts.erased += row?.disclosed?.filter(([value]) => value === null).length ?? 0;
  }
}

/** Reports rows that no seal covers, although none is due, and rows that disappeared before they were sealed. */
async function checkUnsealed({ database, chain, problems }: Run): Promise<void> {
  await allowScans(database, true);
  for (const month of await findMonths(database))
    for (const row of await findUncovered(database, chain, month))
      problems.push({ kind: 'row_inserted', ...row, seal: null });
  for (const row of await findLost(database, chain))
    problems.push({ kind: 'row_missing', ...row, seal: null });
}

const keyOf = (id: string, at: number | string): string => `${id} ${at}`;

/** Reads the rows that these seals list, as far as they exist. */
async function readRows(
  database: Database,
  seals: readonly StoredSeal[],
): Promise<ReadonlyMap<string, FoundRow>> {
  const found = new Map<string, FoundRow>();
  const listed = seals.flatMap((seal) => listedRows(seal) ?? []);
  for (let from = 0; from < listed.length; from += ROWS_AT_A_TIME) {
    const rows = await findSealedRows(database, listed.slice(from, from + ROWS_AT_A_TIME));
    for (const row of rows) found.set(keyOf(row.id, row.time), row);
  }
  return found;
}
