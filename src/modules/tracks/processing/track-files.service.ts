import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { roundToMilliseconds } from '../../../lib/durations.js';
import type { TrackPackage } from '../../../lib/media-engine/process/packager-messages.js';
import { ObjectStore } from '../../../platform/storage/object-store.js';
import { Track } from '../../media/entities/track.entity.js';
import { MediaService } from '../../media/media.service.js';
import { objectsOfTrack } from '../../media/public/media-objects.js';
import { ScratchService, type LocalFile } from '../../pipeline/packaging/scratch.service.js';
import { PipelineService } from '../../pipeline/pipeline.service.js';
import { SupersededError } from '../../pipeline/public/steps.js';
import { RecordingStatusService } from '../../recordings/access/recording-status.service.js';
import { StoredUploadsService } from '../../uploads/stored-uploads.service.js';
import { UploadEndingService } from '../../uploads/upload-ending.service.js';
import { UploadsService } from '../../uploads/uploads.service.js';
import { isCurrentTrack, type TrackFacts, type TrackJob } from './track-work.queries.js';

type Change = (manager: EntityManager) => Promise<void>;

/** Stores what was made of a track, and ends its processing. */
@Injectable()
export class TrackFilesService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly objects: ObjectStore,
    private readonly scratch: ScratchService,
    private readonly media: MediaService,
    private readonly pipeline: PipelineService,
    private readonly statuses: RecordingStatusService,
    private readonly uploads: UploadsService,
    private readonly stored: StoredUploadsService,
    private readonly endings: UploadEndingService,
  ) {}

  /** Stores and publishes a package. Throws `SupersededError` if the attempt is not current; objects without a row are collected. */
  async publish(
    job: TrackJob,
    source: LocalFile,
    { made, folder }: { readonly made: TrackPackage; readonly folder: string },
    signal: AbortSignal,
  ): Promise<void> {
    const { recordingId: id, attempt, facts } = job;
    const packageKey = objectsOfTrack(facts.recordingId, id) + attempt;
    await this.media.scheduleGarbageCollection(this.dataSource.manager, facts.recordingId);
    const isNew = facts.parts.length > 0;
    const newKey = `${packageKey}/source`;
    const sourceKey = isNew ? newKey : facts.sourceKey;
    if (isNew) await this.objects.putFile(newKey, source.path);
    await this.scratch.store(folder, packageKey, signal);
    await this.change(job, async (manager) => {
      await manager.update(
        Track,
        { id },
        {
          packageKey,
          sourceKey,
          sourceType: made.sourceType,
          sourceSha256: source.sha256,
          offset: roundToMilliseconds(made.offset),
          alignment: made.alignment,
          duration: roundToMilliseconds(made.duration),
          audioPlaylist: made.audioPlaylist,
          picturePlaylist: made.video?.playlist ?? null,
          notice: made.notice,
          attemptId: null,
        },
      );
      await this.stored.take(manager, id, true);
    });
  }

  /** Changes tracks in the transaction that ends an attempt. Throws `SupersededError` if it is not current. */
  async change({ recordingId: id, attempt, facts }: TrackJob, work: Change): Promise<void> {
    await this.whileLocked(facts, async (manager) => {
      if (!(await isCurrentTrack(manager, id, attempt))) throw new SupersededError();
      await work(manager);
    });
  }

  /** Ends the processing of a track that failed, whatever its attempt; the others go on without it. */
  async fail(id: string, reason: string): Promise<void> {
    const recordingId = await this.uploads.recordingOf(id);
    await this.whileLocked({ recordingId }, (manager) => this.endings.failAdded(manager, id, reason));
  }

  /** With the row of the recording locked; nothing happens if it has been deleted. */
  private async whileLocked(
    { recordingId, sentBy = null, origin }: Pick<TrackFacts, 'recordingId'> & Partial<TrackFacts>,
    work: Change,
  ): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      const locked = await this.statuses.lockOwned(manager, recordingId);
      if (locked === null) return;
      await work(manager);
      // The recording has been transcribed from its media, with the same voices.
      if (origin === 'media') return;
      await this.pipeline.follow(manager, 'tracksChanged', { recordingId, owner: locked.owner, sentBy });
    });
  }
}
