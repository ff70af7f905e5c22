import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource, EntityManager } from 'typeorm';
import type { JobOwner } from '../../platform/jobs/fair-share.js';
import type { Feature } from '../../policy/plans.js';
import { RecordingAccessService } from '../recordings/access/recording-access.service.js';
import { DomainError } from '../../contract/domain-error.js';
import { run, sql, type Sql } from '../../platform/database/sql.js';
import { FairQueue } from '../../platform/work/fair-queue.js';
import { runAttempt, SupersededError, type Attempt } from '../../platform/jobs/attempt.js';
import { Clock } from '../../platform/clock/clock.js';
import { AppLogger } from '../../platform/logging/app-logger.js';

/** Tables whose content jobs generate from a recording. */
export type ContentTable = 'transcripts' | 'summaries';

/** The payload of such a job. */
export interface ContentJob {
  readonly recordingId: string;
  readonly attempt: string;
  /** Who requested it, and whose fair share it counts towards. */
  readonly owner: JobOwner;
  /** Requested by the operator, whatever plans and feature flags allow. */
  readonly unconditional?: boolean;
}

/** What a recording's members and its organization must still have while the job runs. */
const REQUIRED: Readonly<Record<ContentTable, Feature>> = {
  transcripts: 'transcription',
  summaries: 'summaries',
};

/** `statusReason`. */
const WITHDRAWN =
  'Ended because neither the member who requested it nor the owner of the recording is allowed to do this any more.';

/** The rights that the attempt was started with have been withdrawn. */
class WithdrawnError extends SupersededError {}

/** How a job generates the content. */
export interface ContentWork {
  /** Must write in a transaction that begins with `requireCurrent`. */
  readonly make: (signal: AbortSignal) => Promise<void>;
  readonly refusal: Attempt['refusal'];
  readonly again: Attempt['again'];
}

/** Inserts the row of a recording that has none yet. */
const insertFirst = (table: ContentTable, recordingId: string, attempt: string): Sql =>
  table === 'transcripts'
    ? sql`INSERT INTO transcripts (recording_id, status, attempt_id, speakers, segments_count, duration)
          VALUES (${recordingId}, 'processing', ${attempt}, '{}', 0, 0)`
    : sql`INSERT INTO summaries (recording_id, status, attempt_id) VALUES (${recordingId}, 'processing', ${attempt})`;

/** Whether earlier content exists, which a failed attempt leaves untouched. */
const HAS_CONTENT: Readonly<Record<ContentTable, string>> = {
  transcripts: 'segments_count > 0',
  summaries: `content IS NOT NULL OR topics::text <> '[]'`,
};

const LOCK = 'SELECT id FROM recordings WHERE id = $1 FOR NO KEY UPDATE';
/** Locks the row in the same way. */
const NOTE_CHANGE = 'UPDATE recordings SET updated_at = $2 WHERE id = $1';

/**
 * The status of generated content. At most one attempt is current: an import or a new attempt supersedes it, and its
 * result is discarded.
 */
@Injectable()
export class ContentWorkService {
  /** Imports of content, by user. */
  private readonly turns = new FairQueue({
    atOnce: Infinity,
    atOnceEach: 1,
    waiting: 1_000,
    waitingEach: 20,
  });

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly access: RecordingAccessService,
    private readonly logger: AppLogger,
    private readonly clock: Clock,
  ) {}

  /**
   * Runs the imports of one caller one at a time, because each is held in memory and keeps PostgreSQL busy indexing its
   * text. Throws 503 `SERVICE_UNAVAILABLE` when too many of them are waiting.
   */
  inTurn<T>(caller: string, work: () => Promise<T>): Promise<T> {
    return this.turns.run(caller, work);
  }

  /**
   * Must begin every transaction that changes content. Serializes those of one recording, so that each sees what the
   * previous one wrote and no two can deadlock. Content is part of the recording: its `updatedAt` changes too.
   */
  async lock(manager: EntityManager, recordingId: string): Promise<void> {
    // Deleted by another request since the access decision.
    if (!(await this.noteChange(manager, recordingId))) throw new DomainError('RECORDING_NOT_FOUND');
  }

  /**
   * Call in the transaction that enqueues the job. Returns false if an attempt is already in progress; with `first`, also if
   * the recording has a row already, in whatever status.
   */
  async begin(
    manager: EntityManager,
    table: ContentTable,
    recordingId: string,
    attempt: string,
    { first = false } = {},
  ): Promise<boolean> {
    await this.lock(manager, recordingId);
    const begun = await run(
      manager,
      sql`${insertFirst(table, recordingId, attempt)} ON CONFLICT (recording_id) DO UPDATE
          SET status = 'processing', status_reason = NULL, attempt_id = excluded.attempt_id, revision = ${() => table}.revision + 1
          WHERE ${() => table}.status <> 'processing' AND NOT ${first}
          RETURNING revision`,
    );
    return begun.length > 0;
  }

  /**
   * Starts the next step of a recording in the transaction that completes the previous one. If starting fails, only the
   * start is rolled back: the previous step, such as packaging, must not fail with it.
   */
  async follow(
    manager: EntityManager,
    recordingId: string,
    start: (manager: EntityManager) => Promise<unknown>,
  ): Promise<void> {
    try {
      // A savepoint.
      await manager.transaction(start);
    } catch (error) {
      this.logger.error({ err: error, recordingId }, 'the next step could not be started');
    }
  }

  /** Call in the transaction that writes the result. Throws `SupersededError` if the attempt is no longer current. */
  async requireCurrent(manager: EntityManager, table: ContentTable, job: ContentJob): Promise<void> {
    const isThere = await this.noteChange(manager, job.recordingId);
    const standing = isThere ? await this.standing(manager, table, job) : 'superseded';
    if (standing === 'withdrawn') throw new WithdrawnError();
    if (standing === 'superseded') throw new SupersededError();
  }

  /** Fails the current attempt; with `attempt`, only if that one is current. Earlier content stays, with the reason beside it. */
  async fail(table: ContentTable, recordingId: string, reason: string, attempt?: string): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      await manager.query(LOCK, [recordingId]);
      const [, failed] = await manager.sql<[unknown, number]>`
        UPDATE ${() => table}
        SET status = CASE WHEN ${() => HAS_CONTENT[table]} THEN 'completed' ELSE 'failed' END,
            status_reason = ${reason}, attempt_id = NULL, revision = revision + 1
        WHERE recording_id = ${recordingId} AND status = 'processing'
          AND (${attempt ?? null}::uuid IS NULL OR attempt_id = ${attempt ?? null})`;
      if (failed > 0) await this.noteChange(manager, recordingId);
    });
  }

  /** Runs one attempt; called by the job. */
  async run(table: ContentTable, job: ContentJob, work: ContentWork, stop: AbortSignal): Promise<void> {
    const { recordingId, attempt } = job;
    const withdraw = (): Promise<void> => this.fail(table, recordingId, WITHDRAWN, attempt);
    const isCurrent = async (): Promise<boolean> => {
      const standing = await this.standing(this.dataSource.manager, table, job);
      if (standing === 'withdrawn') await withdraw();
      return standing === 'current';
    };
    if (!(await isCurrent())) return;
    await runAttempt(
      {
        name: table,
        ids: { recordingId },
        isCurrent,
        work: ({ signal }) =>
          work.make(signal).catch(async (error: unknown) => {
            // Only now, as its transaction held the lock until it was rolled back.
            if (error instanceof WithdrawnError) await withdraw();
            throw error;
          }),
        refusal: work.refusal,
        fail: (reason) => this.fail(table, recordingId, reason, attempt),
        again: work.again,
      },
      stop,
      this.logger,
    );
  }

  /** Returns false if the recording has been deleted. */
  private async noteChange(manager: EntityManager, recordingId: string): Promise<boolean> {
    const [, found]: [unknown, number] = await manager.query(NOTE_CHANGE, [recordingId, this.clock.now()]);
    return found > 0;
  }

  /** Whether the attempt is current, and still permitted by the rights that it was started with. */
  private async standing(
    manager: EntityManager,
    table: ContentTable,
    job: ContentJob,
  ): Promise<'current' | 'superseded' | 'withdrawn'> {
    const { recordingId, attempt, owner, unconditional } = job;
    const found = await manager.sql<object[]>`
      SELECT revision FROM ${() => table}
      WHERE recording_id = ${recordingId} AND attempt_id = ${attempt} AND status = 'processing'`;
    if (found.length === 0) return 'superseded';
    const { userId } = owner;
    if (userId === null || unconditional) return 'current';
    const mayContinue = await this.access.mayContinue(manager, recordingId, userId, REQUIRED[table]);
    return mayContinue ? 'current' : 'withdrawn';
  }
}
