import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { JobsService } from '../../../platform/jobs/jobs.service.js';
import {
  deleteSealed,
  findLastSeals,
  findUnsealed,
  insertSeal,
  notifySealed,
  trySealingLock,
  type LastSeal,
  type UnsealedRow,
} from './sealing.queries.js';
import {
  hashRow,
  hashRows,
  hashSeal,
  monthOf,
  NO_ROW,
  ROWS_PER_SEAL,
  type SealContent,
  type SealedRow,
} from './seal.js';

/** The number of rows that one transaction seals. */
const BATCH = 4_000;
/**
 * Seals what was written to the change log, every minute. A seal covers rows of one organization and month, at most
 * 1,000, and includes the hash of the one before. Transactions that write do not wait for it: their rows are in the
 * next seal, in whatever order they commit.
 */
@Injectable()
export class SealingService implements OnModuleInit {
  constructor(
    private readonly dataSource: DataSource,
    private readonly jobs: JobsService,
  ) {}

  onModuleInit(): void {
    this.jobs.handle('audit.seal', async (_, stop) => void (await this.run(stop)), { schedule: '* * * * *' });
  }

  /** Seals until nothing waits, in turns of one batch of each organization. Returns the number of rows. */
  async run(stop?: AbortSignal): Promise<number> {
    let sealed = 0;
    for (let after: string | null = null; ; stop?.throwIfAborted()) {
      const { rows, last } = await this.sealBatch(after);
      sealed += rows;
      if (rows < BATCH && after === null) return sealed;
      // Once more from the beginning: each round seals one batch of an organization at most.
      after = rows < BATCH ? null : last;
    }
  }

  private sealBatch(after: string | null): Promise<{ readonly rows: number; readonly last: string | null }> {
    return this.dataSource.transaction(async (manager) => {
      const now = await trySealingLock(manager);
      if (!now) return { rows: 0, last: null };
      const waiting = await findUnsealed(manager, after, BATCH);
      if (waiting.length > 0) await this.seal(manager, waiting, now);
      return { rows: waiting.length, last: waiting.at(-1)?.chain ?? null };
    });
  }

  private async seal(manager: EntityManager, waiting: readonly UnsealedRow[], sealedAt: Date): Promise<void> {
    const chains = [...new Set(waiting.map(({ chain }) => chain))];
    const known = await findLastSeals(manager, chains);
    const lasts = new Map<string, LastSeal>(known.map((last) => [last.organizationId, last]));
    for (const rows of groupsOf(waiting)) {
      const organizationId = rows[0]!.chain;
      lasts.set(organizationId, await sealRows(manager, rows, lasts.get(organizationId), sealedAt));
    }
    await deleteSealed(manager, waiting);
    await notifySealed(manager);
  }
}

async function sealRows(
  manager: EntityManager,
  waiting: readonly UnsealedRow[],
  last: LastSeal | undefined,
  sealedAt: Date,
): Promise<LastSeal> {
  const rows = waiting.map(toSealedRow);
  const seal: SealContent = {
    organizationId: waiting[0]!.chain,
    number: (last?.number ?? 0) + 1,
    fromAt: new Date(rows[0]!.at),
    toAt: new Date(rows.at(-1)!.at),
    rowCount: rows.length,
    rowsHash: hashRows(rows),
    previousHash: last?.hash ?? null,
    sealedAt,
  };
  const sealed = { ...seal, hash: hashSeal(seal) };
  await insertSeal(manager, sealed, rows);
  return sealed;
}

/** A row that has disappeared meanwhile is sealed as such, so that it is reported as missing. */
function toSealedRow({ changeId, time, content }: UnsealedRow): SealedRow {
  return { id: changeId, at: time, hash: content ? hashRow(content) : NO_ROW };
}

/** Divides rows into groups of one organization and one month, in order. */
function groupsOf(waiting: readonly UnsealedRow[]): UnsealedRow[][] {
  const groups: UnsealedRow[][] = [];
  let current: UnsealedRow[] = [];
  for (const row of waiting) {
    const [first] = current;
    const fits = first?.chain === row.chain && monthOf(first.time) === monthOf(row.time);
    if (!fits || current.length === ROWS_PER_SEAL) groups.push((current = []));
    current.push(row);
  }
  return groups;
}
