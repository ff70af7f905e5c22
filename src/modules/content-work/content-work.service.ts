import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource, EntityManager } from 'typeorm';
import { DomainError } from '../../contract/domain-error.js';
import { FairQueue } from '../../platform/work/fair-queue.js';
import { OvertakenError, watchAttempt } from '../../platform/jobs/attempt.js';
import { AppLogger } from '../../platform/logging/app-logger.js';

/** What is made of a recording by a job. */
export type ContentTable = 'transcripts' | 'summaries';

/** One attempt at making it. */
export interface ContentAttempt {
  readonly table: ContentTable;
  readonly recordingId: string;
  readonly attempt: string;
  /** The work; ends with a transaction that begins with `requireCounting`. */
  readonly make: (signal: AbortSignal) => Promise<void>;
  /** What to tell of an error that trying again cannot mend; null for any other. */
  readonly refusal: (error: unknown) => string | null;
  /** Orders the same job once more. */
  readonly again: () => Promise<void>;
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
 * The status of what a job makes of a recording. One attempt counts at a time: whatever is sent in or begun meanwhile takes
 * its place, and what it makes is then dropped.
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
    const found: object[] = await manager.query('SELECT id FROM recordings WHERE id = $1 FOR NO KEY UPDATE', [
      recordingId,
    ]);
    // Deleted by somebody else since the access decision.
    if (found.length === 0) throw new DomainError('RECORDING_NOT_FOUND');
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

  /** Whether an attempt still counts. */
  async counts(table: ContentTable, recordingId: string, attempt: string): Promise<boolean> {
    return this.isCounting(this.dataSource.manager, table, recordingId, attempt);
  }

  /** In the transaction that writes what was made; throws when the attempt counts no more. */
  async requireCounting(
    manager: EntityManager,
    table: ContentTable,
    recordingId: string,
    attempt: string,
  ): Promise<void> {
    await this.lock(manager, recordingId);
    if (!(await this.isCounting(manager, table, recordingId, attempt))) throw new OvertakenError();
  }

  /** Ends the attempt that counts, if `attempt` is it, or whichever does: what there was before stays, and the reason is told. */
  async fail(table: ContentTable, recordingId: string, reason: string, attempt?: string): Promise<void> {
    await this.dataSource.query(
      `UPDATE ${table}
       SET status = CASE WHEN ${HAS_CONTENT[table]} THEN 'completed' ELSE 'failed' END,
           status_reason = $2, attempt_id = NULL, revision = revision + 1
       WHERE recording_id = $1 AND status = 'processing' AND ($3::uuid IS NULL OR attempt_id = $3)`,
      [recordingId, reason, attempt ?? null],
    );
  }

  /** Runs an attempt in its job. It may die anywhere and run twice: only the attempt that counts is written. */
  async run(job: ContentAttempt, stop: AbortSignal): Promise<void> {
    const { table, recordingId, attempt } = job;
    if (!(await this.counts(table, recordingId, attempt))) return;
    const watch = watchAttempt(
      stop,
      () => this.counts(table, recordingId, attempt),
      (error) => this.logger.warn({ recordingId, err: error }, `the state of ${table} could not be asked`),
    );
    try {
      await job.make(watch.signal);
    } catch (error) {
      await this.settle(job, { stopped: stop.aborted, overtaken: watch.signal.aborted }, error);
    } finally {
      watch.end();
    }
  }

  /** What an attempt that did not succeed leads to; throwing means another one, later. */
  private async settle(
    job: ContentAttempt,
    { stopped, overtaken }: { stopped: boolean; overtaken: boolean },
    error: unknown,
  ): Promise<void> {
    const { table, recordingId, attempt } = job;
    // Not the fault of the recording: begins anew with whichever worker is next, and does not count as a failure.
    if (stopped) return job.again();
    if (overtaken || error instanceof OvertakenError || isGone(error)) return;
    const reason = job.refusal(error);
    if (reason === null) throw error;
    this.logger.warn({ recordingId, err: error }, `${table} could not be made`);
    await this.fail(table, recordingId, reason, attempt);
  }

  private async isCounting(
    manager: EntityManager,
    table: ContentTable,
    recordingId: string,
    attempt: string,
  ): Promise<boolean> {
    const found: object[] = await manager.query(
      `SELECT revision FROM ${table} WHERE recording_id = $1 AND attempt_id = $2 AND status = 'processing'`,
      [recordingId, attempt],
    );
    return found.length > 0;
  }
}

const isGone = (error: unknown): boolean =>
  error instanceof DomainError && error.code === 'RECORDING_NOT_FOUND';
