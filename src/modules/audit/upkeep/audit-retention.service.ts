import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { escapeIdentifier } from 'pg';
import type { DataSource } from 'typeorm';
import { SETTINGS, type Settings } from '../../../platform/config/settings.js';
import { JobsService } from '../../../platform/jobs/jobs.service.js';

const DAY_MS = 86_400_000;
/** Seals whose lists one statement removes. */
const BATCH = 200;

interface Partition {
  readonly parent: 'change_log' | 'personal_details';
  readonly name: string;
  readonly to: Date;
  /** An earlier run was interrupted while it detached it. */
  readonly pending: boolean;
}

const BOUND = `substring(pg_get_expr(c.relpartbound, c.oid) FROM $$TO \\('([^']+)'\\)$$)::timestamptz`;

/** Those that end at `$1` or before. */
const PARTITIONS = `
  SELECT i.inhparent::regclass::text AS parent, c.relname AS name, ${BOUND} AS "to", i.inhdetachpending AS pending
  FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
  WHERE i.inhparent IN ('change_log'::regclass, 'personal_details'::regclass) AND ${BOUND} <= $1
  ORDER BY c.relname`;

/** Partitions that were detached, but not dropped, because a run was interrupted. */
const DETACHED = `
  SELECT relname AS name FROM pg_class
  WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r' AND NOT relispartition
    AND relname ~ '^(change_log|personal_details)_[0-9]{4}_[0-9]{2}$'`;

const UNSEALED = 'SELECT EXISTS (SELECT FROM unsealed_changes WHERE at < $1) AS waiting';

const FORGET_LISTS = `
  WITH old AS (
    SELECT organization_id, number FROM audit_seals WHERE row_ids IS NOT NULL AND to_at < $1 ORDER BY to_at LIMIT ${BATCH})
  UPDATE audit_seals s SET row_ids = NULL, row_times = NULL, row_hashes = NULL
  FROM old WHERE s.organization_id = old.organization_id AND s.number = old.number`;

/**
 * Drops the months of the log in which every row is older than `AUDIT_DAYS`. A month is detached concurrently, which makes nobody
 * wait, and dropped when nothing uses it any more.
 */
@Injectable()
export class AuditRetentionService implements OnModuleInit {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly jobs: JobsService,
    @Inject(SETTINGS) private readonly settings: Pick<Settings, 'auditDays'>,
  ) {}

  onModuleInit(): void {
    this.jobs.handle('audit.retention', (_, stop) => this.run(stop), { schedule: '41 * * * *' });
  }

  /** A month in which rows wait for their seal is left to the next run. */
  async run(stop?: AbortSignal): Promise<void> {
    await this.dropDetached();
    // By the clock that rows have their times from.
    const [{ now }] = await this.dataSource.query<[{ now: Date }]>('SELECT now() AS now');
    const before = firstKept(this.settings.auditDays, now);
    const partitions: Partition[] = await this.dataSource.query(PARTITIONS, [before]);
    let dropped = new Date(0);
    for (const partition of partitions.toSorted((a, b) => a.to.getTime() - b.to.getTime())) {
      stop?.throwIfAborted();
      const [row]: { waiting: boolean }[] = await this.dataSource.query(UNSEALED, [partition.to]);
      if (row?.waiting) return;
      await this.drop(partition);
      dropped = partition.to;
    }
    await this.forgetLists(dropped.getTime() === 0 ? before : dropped);
  }

  private async drop({ parent, name, pending }: Partition): Promise<void> {
    const how = pending ? 'FINALIZE' : 'CONCURRENTLY';
    await this.dataSource
      .sql`ALTER TABLE ${() => escapeIdentifier(parent)} DETACH PARTITION ${() => escapeIdentifier(name)} ${() => how}`;
    await this.dataSource.sql`DROP TABLE ${() => escapeIdentifier(name)}`;
  }

  private async dropDetached(): Promise<void> {
    const tables: { name: string }[] = await this.dataSource.query(DETACHED);
    for (const { name } of tables) await this.dataSource.sql`DROP TABLE ${() => escapeIdentifier(name)}`;
  }

  /** The seals stay, as links of their chain. */
  private async forgetLists(before: Date): Promise<void> {
    for (let forgotten = BATCH; forgotten === BATCH;) {
      [, forgotten] = await this.dataSource.query<[unknown[], number]>(FORGET_LISTS, [before]);
    }
  }
}

/** The beginning of the oldest month (UTC) that is kept: it has a moment that is less than `days` ago. */
function firstKept(days: number, now: Date): Date {
  const limit = new Date(now.getTime() - days * DAY_MS);
  return new Date(Date.UTC(limit.getUTCFullYear(), limit.getUTCMonth()));
}

/** Whether every row of the month of a time is at least `days` old. */
export const isDroppable = (time: Date, days: number, now: Date): boolean => time < firstKept(days, now);
