import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource, EntityManager } from 'typeorm';
import { JobsService } from '../../../platform/jobs/jobs.service.js';
import {
  CANONICAL_ROW,
  hashRow,
  hashRows,
  hashSeal,
  monthOf,
  NO_ROW,
  ROWS_PER_SEAL,
  type CanonicalRow,
  type SealContent,
  type SealedRow,
} from './seal.js';

/** Rows that one transaction seals. */
const BATCH = 4_000;
/** Arbitrary, but unlikely to be used by another program on the same database. */
const SEALING_LOCK = 7_345_190_117;

const TRY_LOCK = `SELECT pg_try_advisory_xact_lock(${SEALING_LOCK}) AS locked, floor(extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now`;

/** Of the organizations after `$1`. */
const WAITING = `
  WITH waiting AS MATERIALIZED (
    SELECT organization_id, at, change_id FROM unsealed_changes
    WHERE $1::uuid IS NULL OR organization_id > $1 ORDER BY organization_id, at, change_id LIMIT ${BATCH})
  SELECT w.organization_id AS chain, w.change_id AS "changeId", (extract(epoch FROM w.at) * 1000)::float8 AS time,
    CASE WHEN c.id IS NOT NULL THEN ${CANONICAL_ROW} END AS content
  FROM waiting w LEFT JOIN change_log c ON c.at = w.at AND c.id = w.change_id
  ORDER BY w.organization_id, w.at, w.change_id`;

const LAST = `
  SELECT chain.id AS "organizationId", last.number::int, last.hash FROM unnest($1::uuid[]) AS chain (id)
  CROSS JOIN LATERAL (SELECT number, hash FROM audit_seals s WHERE s.organization_id = chain.id ORDER BY number DESC LIMIT 1) AS last`;

const INSERT = `
  INSERT INTO audit_seals (organization_id, number, from_at, to_at, row_count, row_ids, row_times, row_hashes, rows_hash,
    previous_hash, hash, sealed_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`;

const DONE = `
  DELETE FROM unsealed_changes u USING unnest($1::uuid[], $2::bigint[], $3::uuid[]) AS done (organization_id, time, change_id)
  WHERE u.organization_id = done.organization_id AND u.at = to_timestamp(done.time / 1000.0)::timestamptz(3)
    AND u.change_id = done.change_id`;

interface WaitingRow {
  readonly chain: string;
  readonly changeId: string;
  readonly time: number;
  /** Null: it has disappeared. */
  readonly content: CanonicalRow | null;
}

interface Last {
  readonly number: number;
  readonly hash: Buffer;
}

/**
 * Seals what was written to the change log, every minute. A seal covers rows of one organization and month, at most 1,000, and
 * includes the hash of the one before. Transactions that write do not wait for it: their rows are in the next seal, in whatever
 * order they commit.
 */
@Injectable()
export class SealingService implements OnModuleInit {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly jobs: JobsService,
  ) {}

  onModuleInit(): void {
    this.jobs.handle('audit.seal', async (_, stop) => void (await this.run(stop)), { schedule: '* * * * *' });
  }

  /** Seals until nothing waits. Organizations take turns, so that a busy one delays no other. Returns the number of rows. */
  async run(stop?: AbortSignal): Promise<number> {
    let sealed = 0;
    for (let after: string | null = null; ; stop?.throwIfAborted()) {
      const { rows, last } = await this.batch(after);
      sealed += rows;
      if (rows < BATCH && after === null) return sealed;
      // Once more from the beginning: each round seals one batch of an organization at most.
      after = rows < BATCH ? null : last;
    }
  }

  private batch(after: string | null): Promise<{ readonly rows: number; readonly last: string | null }> {
    return this.dataSource.transaction(async (manager) => {
      const [lock]: { locked: boolean; now: number }[] = await manager.query(TRY_LOCK);
      if (!lock?.locked) return { rows: 0, last: null };
      const waiting: WaitingRow[] = await manager.query(WAITING, [after]);
      if (waiting.length > 0) await this.seal(manager, waiting, new Date(lock.now));
      return { rows: waiting.length, last: waiting.at(-1)?.chain ?? null };
    });
  }

  private async seal(manager: EntityManager, waiting: readonly WaitingRow[], sealedAt: Date): Promise<void> {
    const chains = [...new Set(waiting.map(({ chain }) => chain))];
    const known: (Last & { organizationId: string })[] = await manager.query(LAST, [chains]);
    const lasts = new Map<string, Last>(known.map((last) => [last.organizationId, last]));
    for (const rows of groupsOf(waiting)) {
      const organizationId = rows[0]!.chain;
      lasts.set(organizationId, await insert(manager, rows, lasts.get(organizationId), sealedAt));
    }
    const columns = [
      waiting.map(({ chain }) => chain),
      waiting.map(({ time }) => time),
      waiting.map(({ changeId }) => changeId),
    ];
    await manager.query(DONE, columns);
  }
}

async function insert(
  manager: EntityManager,
  waiting: readonly WaitingRow[],
  last: Last | undefined,
  sealedAt: Date,
): Promise<Last> {
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
  const hash = hashSeal(seal);
  await manager.query(INSERT, [
    seal.organizationId,
    seal.number,
    seal.fromAt,
    seal.toAt,
    seal.rowCount,
    rows.map(({ id }) => id),
    rows.map(({ at }) => at),
    Buffer.concat(rows.map((row) => row.hash)),
    seal.rowsHash,
    seal.previousHash,
    hash,
    seal.sealedAt,
  ]);
  return { number: seal.number, hash };
}

/** A row that has disappeared meanwhile is sealed as such, so that it is reported as missing. */
function toSealedRow({ changeId, time, content }: WaitingRow): SealedRow {
  return { id: changeId, at: time, hash: content ? hashRow(content) : NO_ROW };
}

/** Rows of one organization and one month, in order. */
function groupsOf(waiting: readonly WaitingRow[]): WaitingRow[][] {
  const groups: WaitingRow[][] = [];
  let current: WaitingRow[] = [];
  for (const row of waiting) {
    const [first] = current;
    const fits = first?.chain === row.chain && monthOf(first.time) === monthOf(row.time);
    if (!fits || current.length === ROWS_PER_SEAL) groups.push((current = []));
    current.push(row);
  }
  return groups;
}
