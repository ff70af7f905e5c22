import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource, EntityManager } from 'typeorm';
import { DomainError } from '../../platform/errors/domain-error.js';
import { isUuid } from '../../platform/ids.js';
import type { JobOwner } from '../../platform/jobs/fair-share.js';
import { JobsService } from '../../platform/jobs/jobs.service.js';
import { RecordingStatusService } from '../recordings/recording-status.service.js';
import { PackagingRepository } from './packaging.repository.js';

export const PACKAGE_JOB = 'packaging.package';
/** Waits of 3, 7, 20, 55 and 148 seconds lie between the attempts. */
const MAX_ATTEMPTS = 6;
const LATER = 10;

/** `progress` when all bytes are here; packaging takes it from there. */
export const RECEIVED = 0.5;
/** `progress` when the recording plays. */
export const PACKAGED = 0.95;

/** Sets packaging going; the work itself is done by whichever worker is free. */
@Injectable()
export class PackagingService {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly jobs: JobsService,
    private readonly statuses: RecordingStatusService,
    private readonly repository: PackagingRepository,
  ) {}

  /**
   * In the transaction that makes the media complete. A job that waits already is not doubled. What nobody waits for, such
   * as an import that plays already, goes behind what somebody has just sent.
   */
  async enqueue(
    manager: EntityManager,
    recordingId: string,
    owner: JobOwner,
    { later = false }: { later?: boolean } = {},
  ): Promise<void> {
    const priority = later ? LATER : 0;
    const options = { key: jobKey(recordingId), maxAttempts: MAX_ATTEMPTS, priority, owner };
    await this.jobs.enqueue(manager, PACKAGE_JOB, [{ recordingId }], options);
  }

  /** Another try for a recording whose packaging failed, or that never got to long-term storage. */
  async retry(recordingId: string): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      const locked = isUuid(recordingId) ? await this.statuses.lockOwned(manager, recordingId) : null;
      if (locked === null) throw new DomainError('RECORDING_NOT_FOUND');
      const { status, owner } = locked;
      if (!(await this.repository.hasMedia(manager, recordingId))) {
        throw new DomainError(
          'CONFLICT',
          'Nothing of this recording was stored, so there is nothing to retry.',
        );
      }
      const changes = { progress: status === 'MIGRATING' ? PACKAGED : RECEIVED };
      if (!(await this.statuses.happened(manager, recordingId, status, 'retried', changes))) {
        throw new DomainError(
          'CONFLICT',
          `A recording in ${status} cannot be retried, only one in ERROR or MIGRATING.`,
        );
      }
      await this.repository.closeUpload(manager, recordingId);
      await this.enqueue(manager, recordingId, owner);
    });
  }
}

export const jobKey = (recordingId: string): string => `package:${recordingId}`;
export const recordingOfJob = (key: string): string => key.slice('package:'.length);
