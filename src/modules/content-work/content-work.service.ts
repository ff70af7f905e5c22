import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource, EntityManager } from 'typeorm';
import { DomainError } from '../../contract/domain-error.js';
import { FairQueue } from '../../platform/work/fair-queue.js';
import { runAttempt, SupersededError, type Attempt } from '../../platform/jobs/attempt.js';
import { AppLogger } from '../../platform/logging/app-logger.js';

/** What is made of a recording by a job. */
export type ContentTable = 'transcripts' | 'summaries';

/** An order for it, as its job holds it. */
export interface ContentOrder {
  readonly recordingId: string;
  readonly attempt: string;
}

/** How a job makes it. */
export interface ContentWork {
  /** Ends with a transaction that begins with `requireCurrent`. */
  readonly make: (signal: AbortSignal) => Promise<void>;
  readonly refusal: Attempt['refusal'];
  readonly again: Attempt['again'];
}

/** The first row of a recording that has none yet. */
const FIRST: Readonly<Record<ContentTable, string>> = {
  transcripts: `INSERT INTO transcripts (recording_id, status, attempt_id, speakers, segments_count, duration)
                VALUES ($1, 'processing', $2, '{}', 0, 0)`,
  summaries: `INSERT INTO summaries (recording_id, status, attempt_id) VALUES ($1, 'processing', $2)`,
};

/** Whether there is content from before, which an attempt that fails leaves as it was. */
const HAS_CONTENT: Readonly<Record<ContentTable, string>> = {
  transcripts: 'segments_count > 0',
  summaries: `content IS NOT NULL OR topics::text <> '[]'`,
};

/**
 * The status of what a job makes of a recording. One attempt is current: whatever is sent in or begun meanwhile supersedes
 * it, and what it makes is then dropped.
 */
@Injectable()
export class ContentWorkService {
  /** Of users, who send content. */
  private readonly turns = new FairQueue({
    atOnce: Infinity,
    atOnceEach: 1,
    waiting: 1_000,
    waitingEach: 20,
  });

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly logger: AppLogger,
  ) {}

  /**
   * Takes in the content that a caller sends, one at a time: it is in memory as a whole, and PostgreSQL works on its words
   * for a while. Throws 503 `SERVICE_UNAVAILABLE` where too much of theirs waits.
   */
  inTurn<T>(caller: string, work: () => Promise<T>): Promise<T> {
    return this.turns.run(caller, work);
  }

  /**
   * Begins every transaction that changes content: those of one recording take turns, each sees what the one before it
   * wrote, and none waits for another crosswise.
   */
  async lock(manager: EntityManager, recordingId: string): Promise<void> {
    // Deleted by somebody else since the access decision.
    if (!(await this.lockIfThere(manager, recordingId))) throw new DomainError('RECORDING_NOT_FOUND');
  }

  /** In the transaction that orders the work. False when it is under way already. */
  async begin(
    manager: EntityManager,
    table: ContentTable,
    recordingId: string,
    attempt: string,
  ): Promise<boolean> {
    await this.lock(manager, recordingId);
    const begun: unknown[] = await manager.query(
      `${FIRST[table]} ON CONFLICT (recording_id) DO UPDATE
         SET status = 'processing', status_reason = NULL, attempt_id = $2, revision = ${table}.revision + 1
         WHERE ${table}.status <> 'processing'
       RETURNING revision`,
      [recordingId, attempt],
    );
    return begun.length > 0;
  }

  /** In the transaction that writes what was made; throws `SupersededError` when the attempt is not current. */
  async requireCurrent(manager: EntityManager, table: ContentTable, order: ContentOrder): Promise<void> {
    const { recordingId } = order;
    const isCurrent =
      (await this.lockIfThere(manager, recordingId)) && (await this.isCurrent(manager, table, order));
    if (!isCurrent) throw new SupersededError();
  }

  /** Ends the current attempt, or only `attempt` if that is current: what there was before stays, beside the reason. */
  async fail(table: ContentTable, recordingId: string, reason: string, attempt?: string): Promise<void> {
    await this.dataSource.query(
      `UPDATE ${table}
       SET status = CASE WHEN ${HAS_CONTENT[table]} THEN 'completed' ELSE 'failed' END,
           status_reason = $2, attempt_id = NULL, revision = revision + 1
       WHERE recording_id = $1 AND status = 'processing' AND ($3::uuid IS NULL OR attempt_id = $3)`,
      [recordingId, reason, attempt ?? null],
    );
  }

  /** Runs an order in its job. */
  async run(table: ContentTable, order: ContentOrder, work: ContentWork, stop: AbortSignal): Promise<void> {
    const { recordingId, attempt } = order;
    const isCurrent = (): Promise<boolean> => this.isCurrent(this.dataSource.manager, table, order);
    if (!(await isCurrent())) return;
    await runAttempt(
      {
        name: table,
        ids: { recordingId },
        isCurrent,
        work: ({ signal }) => work.make(signal),
        refusal: work.refusal,
        fail: (reason) => this.fail(table, recordingId, reason, attempt),
        again: work.again,
      },
      stop,
      this.logger,
    );
  }

  /** False: it has been deleted. */
  private async lockIfThere(manager: EntityManager, recordingId: string): Promise<boolean> {
    const found: object[] = await manager.query('SELECT id FROM recordings WHERE id = $1 FOR NO KEY UPDATE', [
      recordingId,
    ]);
    return found.length > 0;
  }

  private async isCurrent(
    manager: EntityManager,
    table: ContentTable,
    { recordingId, attempt }: ContentOrder,
  ): Promise<boolean> {
    const found: object[] = await manager.query(
      `SELECT revision FROM ${table} WHERE recording_id = $1 AND attempt_id = $2 AND status = 'processing'`,
      [recordingId, attempt],
    );
    return found.length > 0;
  }
}
