import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { Clock } from '../../../platform/clock/clock.js';
import type { JobOwner } from '../../../platform/jobs/fair-share.js';
import type { JobOptions } from '../../../platform/jobs/enqueue.queries.js';
import { SEALED_TEXTS } from '../../../platform/sealing/sealed-texts.js';
import { Sealer } from '../../../platform/sealing/sealer.js';
import { StepJobsService } from '../../pipeline/step-jobs.service.js';
import { RecordingStatusService } from '../../recordings/access/recording-status.service.js';
import { findRecordingOf } from '../uploads.queries.js';
import { UploadSource } from '../entities/upload.entity.js';

const { contextOf } = SEALED_TEXTS.uploadSources;

/** All fetches from slow sources together hold at most half of the slots. */
const SLOW = 'slow-sources';

export interface FetchJob {
  readonly recordingId: string;
  /** How many slices of time it has had since its source turned out to be slow; absent if it did not. */
  readonly slowSlices?: number;
}

export interface NextAttempt {
  readonly failures: number;
  readonly priority: number;
  readonly runAt?: Date;
}

/** The URLs that open uploads are fetched from, and the jobs that fetch them. */
@Injectable()
export class UploadSourcesService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly steps: StepJobsService,
    private readonly statuses: RecordingStatusService,
    private readonly sealer: Sealer,
    private readonly clock: Clock,
  ) {}

  /** Adds the source of an upload, in the transaction that creates it. */
  async add(manager: EntityManager, recordingId: string, url: string, owner: JobOwner): Promise<void> {
    const { sealed: urlSealed, keyId: sealingKeyId } = this.sealer.seal(url, contextOf(recordingId));
    const createdAt = this.clock.now();
    await manager.getRepository(UploadSource).insert({ recordingId, urlSealed, sealingKeyId, createdAt });
    await this.enqueue(manager, { recordingId }, { owner, afterOwn: true });
  }

  /** Decrypts the URL; throws a `SealError` if its key is missing. */
  reveal({ recordingId, urlSealed, sealingKeyId }: UploadSource): string {
    return this.sealer.unseal({ sealed: urlSealed, keyId: sealingKeyId }, contextOf(recordingId));
  }

  /** Notes failures and schedules the next attempt, in one transaction. */
  async retry(job: FetchJob, { failures, ...options }: NextAttempt): Promise<void> {
    const { recordingId } = job;
    await this.dataSource.transaction(async (manager) => {
      const recording = await this.statuses.lockOwned(manager, await findRecordingOf(manager, recordingId));
      if (!recording) return;
      await manager.getRepository(UploadSource).update({ recordingId }, { failures });
      await this.enqueue(manager, job, { owner: recording.owner, ...options });
    });
  }

  private async enqueue(manager: EntityManager, job: FetchJob, options: JobOptions<FetchJob>): Promise<void> {
    await this.steps.enqueue(manager, 'receive', job, {
      ...(job.slowSlices !== undefined && { group: SLOW }),
      ...options,
    });
  }
}
