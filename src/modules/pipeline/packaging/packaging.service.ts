import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { DomainError } from '../../../contract/domain-error.js';
import { isUuid } from '../../../platform/ids.js';
import { PipelineService } from '../pipeline.service.js';
import { PACKAGED, RECEIVED } from '../public/steps.js';
import { RecordingStatusService } from '../../recordings/access/recording-status.service.js';
import { closeUpload, findStored } from './packaging.queries.js';

/** Packaging operations for operators. */
@Injectable()
export class PackagingService {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly pipeline: PipelineService,
    private readonly statuses: RecordingStatusService,
  ) {}

  /** Retries a recording whose packaging failed, that never reached long-term storage, or that could not be converted. */
  async retry(recordingId: string): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      const locked = isUuid(recordingId) ? await this.statuses.lockOwned(manager, recordingId) : null;
      if (locked === null) throw new DomainError('RECORDING_NOT_FOUND');
      const { status, owner } = locked;
      const stored = await findStored(manager, recordingId);
      if (!stored.media) {
        throw new DomainError(
          'CONFLICT',
          'No media of this recording is stored, so there is nothing to retry.',
        );
      }
      const changes = { progress: stored.package && status === 'MIGRATING' ? PACKAGED : RECEIVED };
      // One that plays only as it was uploaded stays complete meanwhile.
      const isUnconverted = status === 'COMPLETED' && !stored.package;
      if (!isUnconverted && !(await this.statuses.apply(manager, recordingId, status, 'retried', changes))) {
        throw new DomainError(
          'CONFLICT',
          `Only recordings in ERROR or MIGRATING, or without HLS, can be retried; this one is in ${status}.`,
        );
      }
      await closeUpload(manager, recordingId);
      await this.pipeline.follow(manager, 'retried', { recordingId, owner });
    });
  }
}
