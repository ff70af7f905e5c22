import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager, type FindOptionsWhere } from 'typeorm';
import { DomainError } from '../../contract/domain-error.js';
import { DiskSpace } from '../../platform/storage/disk-space.js';
import { Clock } from '../../platform/clock/clock.js';
import { transactionBy } from '../../platform/database/transaction-by.js';
import type { Precondition } from '../../platform/http/replies/revisions.js';
import { FairQueue } from '../../platform/work/fair-queue.js';
import { changedBy, type Caller } from '../../policy/caller.js';
import type { Feature } from '../../policy/plans.js';
import { RecordingAccessService } from '../recordings/access/recording-access.service.js';
import {
  beginAttempt,
  dropTranscript,
  failAttempt,
  isCurrentAttempt,
  lockRecording,
  markLive,
  noteChange,
} from './content.queries.js';
import { RefusedError, type Step, SupersededError } from './public/steps.js';
import type { ContentJob, ContentTable } from './public/content.js';

/** What a recording's members and its organization must still have while the job runs. */
const REQUIRED: Readonly<Record<ContentTable, Feature>> = {
  transcripts: 'transcription',
  summaries: 'summaries',
};

interface ContentToChange<Content> {
  readonly type: new () => Content;
  readonly recordingId: string;
  readonly condition: Precondition;
}

/** `statusReason`. */
const WITHDRAWN =
  'Ended because neither the member who requested it nor the owner of the recording is allowed to do this any more.';

/** The status of transcripts and summaries, of which at most one attempt each is current; others are superseded. */
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
    private readonly disk: DiskSpace,
  ) {}

  /** Runs a caller's imports one at a time, as each is held in memory. 503 `SERVICE_UNAVAILABLE` if too many wait, or the disk is full. */
  async queueImport<T>(caller: string, work: () => Promise<T>): Promise<T> {
    await this.disk.requireRoom();
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
   * Changes the transcript or the summary of a recording that the caller has opened for it, in a transaction of theirs
   * with the recording locked. `work` gets what there is; 412 `PRECONDITION_FAILED` unless `condition` holds for it.
   */
  change<Content extends { recordingId: string; revision: number }, Result>(
    caller: Caller,
    { type, recordingId, condition }: ContentToChange<Content>,
    work: (manager: EntityManager, existing: Content | null) => Promise<Result>,
  ): Promise<Result> {
    return transactionBy(this.dataSource, changedBy(caller), async (manager) => {
      await this.lock(manager, recordingId);
      const where = { recordingId } as FindOptionsWhere<Content>;
      const existing = await manager.findOneBy(type, where);
      condition.require(existing?.revision ?? 0);
      return work(manager, existing);
    });
  }

  /**
   * Makes the attempt of a job the current one, in the transaction that enqueues it. Returns false if one is in
   * progress or, with `first`, if the recording has a row in whatever status.
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

  /** Returns whether an attempt is current. Ends it if the rights that it was started with have been withdrawn. */
  async isCurrent(table: ContentTable, job: ContentJob): Promise<boolean> {
    const { manager } = this.dataSource;
    if (!(await isCurrentAttempt(manager, table, job))) return false;
    if (await this.isPermitted(manager, table, job)) return true;
    await this.fail(table, job, WITHDRAWN);
    return false;
  }

  /**
   * Must be called in the transaction that writes the result. Throws `SupersededError`, or `RefusedError` if the rights
   * that the attempt was started with have been withdrawn.
   */
  async requireCurrent(manager: EntityManager, table: ContentTable, job: ContentJob): Promise<void> {
    const isThere = await noteChange(manager, job.recordingId, this.clock.now());
    if (!isThere || !(await isCurrentAttempt(manager, table, job))) throw new SupersededError();
    if (!(await this.isPermitted(manager, table, job))) throw new RefusedError(WITHDRAWN);
  }

  /** Fails the current attempt; with `attempt`, only if it is that one. Earlier content stays, beside the reason. */
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

  /** Removes the transcript of a recording. The words that a search finds are left to the caller. */
  async removeTranscript(manager: EntityManager, recordingId: string): Promise<void> {
    await this.lock(manager, recordingId);
    await dropTranscript(manager, recordingId);
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
