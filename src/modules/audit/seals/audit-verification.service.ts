import { Inject, Injectable } from '@nestjs/common';
import { SETTINGS, type Settings } from '../../../platform/config/settings.js';
import { type Database, withOwnConnection } from '../../../platform/database/connection.js';
import { DatabaseServer } from '../../../platform/database/database-server.js';
import { isDroppable, NO_ORGANIZATION } from './seal.js';
import {
  allowScans,
  beginSnapshot,
  countUnsealed,
  eachLost,
  eachUncovered,
  findMonths,
  findNextChain,
  findOrganizationName,
  findSealedRows,
  findSeals,
  type RowPlace,
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
  readonly problems: number;
  /** The hash of the last seal, in hexadecimal digits; null without one. */
  readonly lastHash: string | null;
  readonly lastSealedAt: Date | null;
  /** The number of the seal that has the expected hash. */
  readonly expectedIn: number | null;
}

export interface ChainChecks {
  readonly onProblem: (problem: AuditProblem) => void | Promise<void>;
  /** Hash to look for, in hexadecimal digits. */
  readonly expect?: string;
}

type Counts = { -readonly [Name in 'rows' | 'seals' | 'erased' | 'dropped' | 'problems']: number };

interface Run extends ChainChecks {
  readonly database: Database;
  readonly chain: string;
  readonly counts: Counts;
  readonly now: Date;
  /** The seal before the one that is checked. */
  last: StoredSeal | null;
  /** See `problemOfRow`. */
  newest: number;
  expectedIn: number | null;
}

const ROWS_AT_A_TIME = 5_000;

/** Recomputes the seals of the change log, each chain in one snapshot and on a connection without time limits. */
@Injectable()
export class AuditVerificationService {
  constructor(
    @Inject(DatabaseServer) private readonly server: Pick<DatabaseServer, 'url'>,
    @Inject(SETTINGS) private readonly settings: Pick<Settings, 'auditDays'>,
  ) {}

  /** Lets `work` check each chain, in the order of their ids. */
  async forEachChain(work: (chain: string) => Promise<void>): Promise<void> {
    await this.connected(async (database) => {
      let chain = await findNextChain(database, null);
      for (; chain !== undefined; chain = await findNextChain(database, chain)) await work(chain);
    });
  }

  async check(chain: string, checks: ChainChecks): Promise<ChainReport> {
    return this.connected(async (database) => {
      const now = await beginSnapshot(database);
      const counts: Counts = { rows: 0, seals: 0, erased: 0, dropped: 0, problems: 0 };
      const onProblem = async (problem: AuditProblem) => {
        counts.problems += 1;
        await checks.onProblem(problem);
      };
      const run: Run = {
        ...checks,
        onProblem,
        database,
        chain,
        counts,
        now,
        last: null,
        newest: 0,
        expectedIn: null,
      };
      await this.checkSeals(run);
      await checkUnsealed(run);
      const { last, expectedIn } = run;
      return {
        organizationId: chain === NO_ORGANIZATION ? null : chain,
        organizationName: await findOrganizationName(database, chain),
        ...counts,
        unsealed: await countUnsealed(database, chain),
        lastHash: last?.hash.toString('hex') ?? null,
        lastSealedAt: last?.sealedAt ?? null,
        expectedIn,
      };
    });
  }

  private async checkSeals(run: Run): Promise<void> {
    await allowScans(run.database, false);
    for (;;) {
      const seals = await findSeals(run.database, run.chain, run.last?.number ?? 0);
      if (seals.length === 0) return;
      const found = await readRows(run.database, seals);
      for (const seal of seals) {
        await this.checkSeal(run, seal, found);
        if (seal.hash.toString('hex') === run.expect) run.expectedIn = seal.number;
        run.newest = Math.max(run.newest, seal.toAt.getTime());
        run.last = seal;
      }
    }
  }

  private async checkSeal(run: Run, seal: StoredSeal, found: ReadonlyMap<string, FoundRow>): Promise<void> {
    const { counts, onProblem } = run;
    const rows = listedRows(seal);
    counts.seals += 1;
    for (const problem of problemsOfSeal(seal, rows, run.last)) await onProblem(problem);
    const droppable = isDroppable(seal.toAt, this.settings.auditDays, run.now);
    const present = rows?.some(({ id, at }) => found.has(keyOf(id, at))) ?? false;
    if (droppable && !present) {
      counts.dropped += seal.rowCount;
      return;
    }
    // Without its list, it cannot be told which rows it covers.
    if (!rows) return onProblem({ kind: 'seal_changed', id: null, at: seal.sealedAt, seal: seal.number });
    for (const listed of rows) {
      const row = found.get(keyOf(listed.id, listed.at));
      const problem = problemOfRow(listed, row, seal, run.newest);
      if (problem) await onProblem(problem);
      else counts.rows += 1;
      counts.erased += row?.disclosed?.filter(([value]) => value === null).length ?? 0;
    }
  }

  private async connected<T>(work: (database: Database) => Promise<T>): Promise<T> {
    return withOwnConnection(this.server.url, 'mrs audit verify', work);
  }
}

/** Reports rows that no seal covers, although none is due, and rows that disappeared before they were sealed. */
async function checkUnsealed({ database, chain, onProblem }: Run): Promise<void> {
  await allowScans(database, true);
  const inserted = async ({ id, at }: RowPlace) => onProblem({ kind: 'row_inserted', id, at, seal: null });
  for (const month of await findMonths(database)) await eachUncovered(database, chain, month, inserted);
  const lost = async ({ id, at }: RowPlace) => onProblem({ kind: 'row_missing', id, at, seal: null });
  await eachLost(database, chain, lost);
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
