import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '../../../platform/clock/clock.js';
import type { JobOwner } from '../../../platform/jobs/fair-share.js';
import type { RecordingStatus } from '../../../policy/recording-status.js';
import { MediaService } from '../../media/media.service.js';
import { RetiredMediaService } from '../../media/retired-media.service.js';
import { Recording } from '../../recordings/access/entities/recording.entity.js';
import {
  RecordingStatusService,
  type EventChanges,
} from '../../recordings/access/recording-status.service.js';
import { PipelineService } from '../pipeline.service.js';
import { Upload } from '../../uploads/entities/upload.entity.js';
import { UploadEndingService } from '../../uploads/upload-ending.service.js';
import { findSender, isReplacing, takeParts } from './packaging.queries.js';

/** The end of packaging new media for a recording that exists already. To be called with the recording's row locked. */
@Injectable()
export class PackagingReplacementService {
  constructor(
    private readonly statuses: RecordingStatusService,
    private readonly media: MediaService,
    private readonly retired: RetiredMediaService,
    private readonly endings: UploadEndingService,
    private readonly pipeline: PipelineService,
    private readonly clock: Clock,
  ) {}

  /** Switches the recording to its new media, which is complete and in its permanent place. */
  async publish(
    manager: EntityManager,
    recordingId: string,
    status: RecordingStatus,
    changes: EventChanges,
  ): Promise<void> {
    const sentBy = await findSender(manager, recordingId);
    await this.retired.retire(manager, recordingId);
    await this.statuses.apply(manager, recordingId, status, 'replaced', {
      sourceKey: null,
      sourceType: null,
      sourceSha256: null,
      ...changes,
      progress: 1,
      packagingId: null,
    });
    await manager.update(Recording, { id: recordingId }, { updatedAt: this.clock.now() });
    // From now on only the new media counts towards the quota.
    await manager.update(Upload, { recordingId, added: true }, { keptBytes: 0 });
    await this.media.discard(manager, await takeParts(manager, recordingId, true));
    await this.media.scheduleGarbageCollection(manager, recordingId);
    await this.pipeline.follow(manager, 'replaced', { recordingId, sentBy });
  }

  /** Gives up on new media; returns false if there is none. The recording stays as it was. */
  async fail(
    manager: EntityManager,
    recordingId: string,
    owner: JobOwner,
    statusReason: string,
  ): Promise<boolean> {
    if (!(await isReplacing(manager, recordingId))) return false;
    await this.endings.failAdded(manager, recordingId, statusReason);
    await this.media.scheduleGarbageCollection(manager, recordingId);
    await this.pipeline.follow(manager, 'kept', { recordingId, owner });
    return true;
  }
}
