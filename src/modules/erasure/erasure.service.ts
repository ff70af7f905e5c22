import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { ReplyChecks } from '../../platform/idempotency/reply-checks.service.js';
import { JobsService } from '../../platform/jobs/jobs.service.js';
import {
  BATCH,
  erase,
  eraseAtOnce,
  ERASURES,
  findScopes,
  isAnyDeletedSince,
  type Deleted,
  type ErasureJob,
} from './erasure.queries.js';
import type { Subject } from './personal-data.js';

const JOB = 'erasure';

/** After other jobs: sweeping a vocabulary takes long, and nobody can read what it deletes. */
const SWEEP_PRIORITY = 100;

/** Erases what deleted users, members, recordings and organizations have left in other rows: see `PERSONAL_DATA`. */
@Injectable()
export class ErasureService implements OnModuleInit {
  constructor(
    private readonly dataSource: DataSource,
    private readonly jobs: JobsService,
    private readonly replies: ReplyChecks,
  ) {}

  onModuleInit(): void {
    this.jobs.handle<ErasureJob>(JOB, (job, stop) => this.run(job, stop));
    this.replies.withholdIf((subjects) => isAnyDeletedSince(this.dataSource.manager, subjects));
  }

  /**
   * Must be called in the transaction of the deletion, when nobody can write about the subject any more. A job follows.
   */
  async begin(manager: EntityManager, deleted: Deleted): Promise<void> {
    for (const erasure of erasuresOf(deleted.of, 'transaction')) await eraseAtOnce(manager, erasure, deleted);
    if (deleted.of === 'recording')
      await this.sweepWords(manager, await findScopes(manager, deleted.recordingIds));
    else if (erasuresOf(deleted.of, 'job').length > 0) {
      const { email: _, ...job } = { email: null, ...deleted };
      await this.jobs.enqueue<ErasureJob>(manager, JOB, [job]);
    }
  }

  /**
   * Removes words that no text has any more from the vocabularies of these owners or organizations: in one job each, for
   * all that is deleted while it waits.
   */
  async sweepWords(manager: EntityManager, scopes: readonly string[]): Promise<void> {
    if (scopes.length === 0) return;
    const jobs = scopes.map((scopeId): ErasureJob => ({ of: 'recording', scopeId }));
    const key = ({ scopeId }: ErasureJob): string => `${JOB}:${scopeId}`;
    await this.jobs.enqueue(manager, JOB, jobs, { key, priority: SWEEP_PRIORITY });
  }

  /** Erases in batches what is left to jobs. */
  async run(job: ErasureJob, stop?: AbortSignal): Promise<void> {
    for (const erasure of erasuresOf(job.of, 'job')) {
      for (let erased = BATCH; erased >= BATCH;) {
        stop?.throwIfAborted();
        erased = await erase(this.dataSource.manager, erasure, job);
      }
    }
  }
}

const erasuresOf = (subject: Subject, time: 'transaction' | 'job') =>
  ERASURES.filter(({ of, when }) => of === subject && when === time);
