import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { DomainError } from '../../contract/domain-error.js';
import { Clock } from '../../platform/clock/clock.js';
import { FairQueue } from '../../platform/work/fair-queue.js';
import type { Feature } from '../../policy/plans.js';
import { RecordingAccessService } from '../recordings/access/recording-access.service.js';
import {
  beginAttempt,
  failAttempt,
  isCurrentAttempt,
  lockRecording,
  markLive,
  noteChange,
} from './content.queries.js';
import { RefusedError, SupersededError, type Step } from './public/attempt.js';
import type { ContentJob, ContentTable } from './public/content.js';

/** What a recording's members and its organization must still have while the job runs. */
const REQUIRED: Readonly<Record<ContentTable, Feature>> = {
  transcripts: 'transcription',
  summaries: 'summaries',
};

/** `statusReason`. */
const WITHDRAWN =
  'Ended because neither the member who requested it nor the owner of the recording is allowed to do this any more.';

/**
 * The status of transcripts and summaries. At most one attempt to generate one is current: an import or a new attempt
 * supersedes it, and its result is discarded.
 */
@Injectable()
export class ContentService {
  /** Imports of content, by user. */
  private readonly imports = new FairQueue({
    atOnce: Infinity,
    atOnceEach: 1,
    waiting: 1_000,
    waitingEach: 20,
  });

  constructor(
    private readonly dataSource: DataSource,
    private readonly access: RecordingAccessService,
    private readonly clock: Clock,
  ) {}

  /**
   * Runs the imports of one caller one at a time, because each is held in memory and keeps PostgreSQL busy indexing its
   * text. Throws 503 `SERVICE_UNAVAILABLE` when too many of them are waiting.
   */
  queueImport<T>(caller: string, work: () => Promise<T>): Promise<T> {
    return this.imports.run(caller, work);
  }

  /**
   * Must begin every transaction that changes content. Serializes those of one recording, so that each sees what the
   * previous one wrote and no two can deadlock. Content is part of the recording: its `updatedAt` changes too.
   */
  async lock(manager: EntityManager, recordingId: string): Promise<void> {
    // Deleted by another request since the access decision.
    if (!(await noteChange(manager, recordingId, this.clock.now())))
      throw new DomainError('RECORDING_NOT_FOUND');
  }

  /**
   * Makes the attempt of a job the current one, in the transaction that enqueues the job. Returns false if an attempt
   * is already in progress; with `first`, also if the recording has a row already, in whatever status.
   */
  async begin(
    manager: EntityManager,
    table: ContentTable,
    job: Pick<ContentJob, 'recordingId' | 'attempt'>,
    first = false,
  ): Promise<boolean> {
    await this.lock(manager, job.recordingId);
    return beginAttempt(manager, table, job, first);
  }

  /** The same for an attempt that listens to a meeting in progress, which can only be the first. */
  async beginLive(
    manager: EntityManager,
    job: Pick<ContentJob, 'recordingId' | 'attempt'>,
  ): Promise<boolean> {
    const begun = await this.begin(manager, 'transcripts', job, true);
    if (begun) await markLive(manager, job.recordingId);
    return begun;
  }

  /**
   * Returns whether the attempt of a job is current. Ends it if the rights that it was started with have been
   * withdrawn.
   */
  async isCurrent(table: ContentTable, job: ContentJob): Promise<boolean> {
    const { manager } = this.dataSource;
    if (!(await isCurrentAttempt(manager, table, job))) return false;
    if (await this.isPermitted(manager, table, job)) return true;
    await this.fail(table, job, WITHDRAWN);
    return false;
  }

  /**
   * Call in the transaction that writes the result. Throws `SupersededError` if the attempt is no longer current, and
   * `RefusedError` if the rights that it was started with have been withdrawn.
   */
  async requireCurrent(manager: EntityManager, table: ContentTable, job: ContentJob): Promise<void> {
    const isThere = await noteChange(manager, job.recordingId, this.clock.now());
    if (!isThere || !(await isCurrentAttempt(manager, table, job))) throw new SupersededError();
    if (!(await this.isPermitted(manager, table, job))) throw new RefusedError(WITHDRAWN);
  }

  /**
   * Fails the current attempt; with `attempt`, only if that one is current. Earlier content stays, with the reason
   * beside it.
   */
  async fail(
    table: ContentTable,
    job: { readonly recordingId: string; readonly attempt?: string },
    reason: string,
  ): Promise<void> {
    const { recordingId } = job;
    await this.dataSource.transaction(async (manager) => {
      await lockRecording(manager, recordingId);
      const failed = await failAttempt(manager, table, job, reason);
      if (failed) await noteChange(manager, recordingId, this.clock.now());
    });
  }

  /** What the steps that generate content have in common. `givenUp`: the `statusReason` after the last attempt. */
  stepOf<Job extends ContentJob>(table: ContentTable, givenUp: string): Omit<Step<Job>, 'run' | 'again'> {
    return {
      begin: async (job) => ((await this.isCurrent(table, job)) ? job : null),
      isCurrent: ({ job }) => this.isCurrent(table, job),
      fail: ({ job }, reason) => this.fail(table, job, reason),
      giveUp: (recordingId) => this.fail(table, { recordingId }, givenUp),
    };
  }

  /** Whether the rights that an attempt was started with are still there. */
  private async isPermitted(manager: EntityManager, table: ContentTable, job: ContentJob): Promise<boolean> {
    const { recordingId, owner, unconditional } = job;
    if (owner.userId === null || unconditional) return true;
    return this.access.mayContinue(manager, recordingId, owner.userId, REQUIRED[table]);
  }
}
