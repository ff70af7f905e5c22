import { Inject, Injectable } from '@nestjs/common';
import { Client } from 'pg';
import { SETTINGS, type Settings } from '../../../platform/config/settings.js';
import { DatabaseServer } from '../../../platform/database/database-server.js';
import { isDroppable } from '../upkeep/audit-retention.service.js';
import {
  LOST,
  MONTHS,
  NEXT_CHAIN,
  SEALED_ROWS,
  SEALS,
  UNCOVERED,
  WAITING,
} from './audit-verification.sql.js';
import { NO_ORGANIZATION } from './seal.js';
import {
  listedRows,
  problemOfRow,
  problemsOfSeal,
  type AuditProblem,
  type FoundRow,
  type StoredSeal,
} from './seal-checks.js';

export interface ChainReport {
  /** Null: of rows that belong to no organization. */
  readonly organizationId: string | null;
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
  /** Of the last seal, in hexadecimal digits; null without one. */
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
  readonly client: Client;
  readonly chain: string;
  readonly counts: Counts;
  /** By the clock of the database. */
  readonly now: Date;
}

/** Rows fetched at a time. */
const ROWS_AT_A_TIME = 5_000;
/** Not a sequential read of a month for some thousand rows. */
const BY_INDEX = 'SET LOCAL enable_hashjoin = off; SET LOCAL enable_seqscan = off';
const BY_ANY = 'SET LOCAL enable_hashjoin = on; SET LOCAL enable_seqscan = on';

/**
 * Recomputes the seals of the change log. Reads each chain in one snapshot, a few thousand rows at a time, on a connection of its
 * own without time limits.
 */
@Injectable()
export class AuditVerificationService {
  constructor(
    private readonly database: DatabaseServer,
    @Inject(SETTINGS) private readonly settings: Pick<Settings, 'auditDays'>,
  ) {}

  /** The ids of all chains, in order; `work` may check each. */
  async forEachChain(work: (chain: string) => Promise<void>): Promise<void> {
    await this.connected(async (client) => {
      for (let after: string | null = null; ;) {
        const next: { rows: { id: string }[] } = await client.query(NEXT_CHAIN, [after]);
        const [chain] = next.rows;
        if (!chain) return;
        await work(chain.id);
        after = chain.id;
      }
    });
  }

  /** Checks one chain. */
  async check(chain: string, checks: ChainChecks): Promise<ChainReport> {
    return this.connected(async (client) => {
      await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
      const counts: Counts = { rows: 0, seals: 0, erased: 0, dropped: 0, problems: 0 };
      const onProblem = async (problem: AuditProblem) => {
        counts.problems += 1;
        await checks.onProblem(problem);
      };
      const time = await client.query<{ now: Date }>('SELECT now() AS now');
      const run: Run = { ...checks, onProblem, client, chain, counts, now: time.rows[0]!.now };
      const { last, expectedIn } = await this.checkSeals(run);
      await this.checkUnsealed(run);
      const { rows } = await client.query<{ count: number }>(WAITING, [chain]);
      return {
        organizationId: chain === NO_ORGANIZATION ? null : chain,
        ...counts,
        unsealed: rows[0]?.count ?? 0,
        lastHash: last?.hash.toString('hex') ?? null,
        lastSealedAt: last?.sealedAt ?? null,
        expectedIn,
      };
    });
  }

  private async checkSeals(run: Run): Promise<{ last: StoredSeal | null; expectedIn: number | null }> {
    let last: StoredSeal | null = null;
    let expectedIn: number | null = null;
    let newest = 0;
    await run.client.query(BY_INDEX);
    for (;;) {
      const page: { rows: StoredSeal[] } = await run.client.query(SEALS, [run.chain, last?.number ?? 0]);
      if (page.rows.length === 0) return { last, expectedIn };
      const found = await foundRows(run.client, page.rows);
      for (const seal of page.rows) {
        await this.checkSeal(run, seal, { previous: last, newest, found });
        if (seal.hash.toString('hex') === run.expect) expectedIn = seal.number;
        newest = Math.max(newest, seal.toAt.getTime());
        last = seal;
      }
    }
  }

  private async checkSeal(
    { counts, onProblem, now }: Run,
    seal: StoredSeal,
    { previous, newest, found }: Surroundings,
  ): Promise<void> {
    const rows = listedRows(seal);
    counts.seals += 1;
    for (const problem of problemsOfSeal(seal, rows, previous)) await onProblem(problem);
    const droppable = isDroppable(seal.toAt, this.settings.auditDays, now);
    const present = rows?.some(({ id, at }) => found.has(keyOf(id, at))) ?? false;
    if (droppable && !present) {
      counts.dropped += seal.rowCount;
      return;
    }
    // Without its list, it cannot be told which rows it covers.
    if (!rows) return onProblem({ kind: 'seal_changed', id: null, at: seal.sealedAt, seal: seal.number });
    for (const listed of rows) {
      const row = found.get(keyOf(listed.id, listed.at));
      const problem = problemOfRow(listed, row, seal, newest);
      if (problem) await onProblem(problem);
      else counts.rows += 1;
      counts.erased += row?.disclosed?.filter(([value]) => value === null).length ?? 0;
    }
  }

  /** Rows that no seal covers, although none is due, and rows that disappeared before they were sealed. */
  private async checkUnsealed({ client, chain, onProblem }: Run): Promise<void> {
    await client.query(BY_ANY);
    const { rows: months } = await client.query<{ from: Date; to: Date }>(MONTHS);
    const inserted = async ({ id, at }: RowPlace) => onProblem({ kind: 'row_inserted', id, at, seal: null });
    for (const { from, to } of months) {
      await client.query(UNCOVERED, [chain, from, to]);
      await eachRow(client, inserted);
    }
    const lost = async ({ id, at }: RowPlace) => onProblem({ kind: 'row_missing', id, at, seal: null });
    await client.query(LOST, [chain]);
    await eachRow(client, lost);
  }

  private async connected<T>(work: (client: Client) => Promise<T>): Promise<T> {
    const client = new Client({
      connectionString: this.database.url,
      application_name: 'mrs audit verify',
      // Whatever the database has as its default: times have to be read the same way everywhere.
      options: '-c DateStyle=ISO -c TimeZone=UTC',
      keepAlive: true,
    });
    // The next query fails anyway.
    client.on('error', () => undefined);
    await client.connect();
    try {
      return await work(client);
    } finally {
      await client.end();
    }
  }
}

/** What a seal is checked against. */
interface Surroundings {
  readonly previous: StoredSeal | null;
  /** See `problemOfRow`. */
  readonly newest: number;
  /** The rows that exist. */
  readonly found: ReadonlyMap<string, FoundRow>;
}

interface RowPlace {
  readonly id: string;
  readonly at: Date;
}

const keyOf = (id: string, at: number | string): string => `${id} ${at}`;

/** The rows that these seals list, as far as they exist. */
async function foundRows(
  client: Client,
  seals: readonly StoredSeal[],
): Promise<ReadonlyMap<string, FoundRow>> {
  const found = new Map<string, FoundRow>();
  const listed = seals.flatMap((seal) => listedRows(seal) ?? []);
  for (let from = 0; from < listed.length; from += ROWS_AT_A_TIME) {
    const some = listed.slice(from, from + ROWS_AT_A_TIME);
    const times = some.map(({ at }) => at);
    const [first, last] = [Math.min(...times), Math.max(...times)].map((time) => new Date(time));
    const { rows } = await client.query<FoundRow>(SEALED_ROWS, [
      some.map(({ id }) => id),
      times,
      first,
      last,
    ]);
    for (const row of rows) found.set(keyOf(row.id, row.time), row);
  }
  return found;
}

/** With the cursor of the database that was declared, as there may be any number. */
async function eachRow(client: Client, work: (row: RowPlace) => Promise<void>): Promise<void> {
  for (;;) {
    const { rows } = await client.query<RowPlace>('FETCH 1000 FROM found');
    for (const row of rows) await work(row);
    if (rows.length === 0) break;
  }
  await client.query('CLOSE found');
}
