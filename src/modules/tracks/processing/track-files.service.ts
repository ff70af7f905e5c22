import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
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
import { UploadsService } from '../../uploads/uploads.service.js';
import { isCurrentTrack, type TrackJob } from './track-work.queries.js';

const FILES_AT_ONCE = 4;

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
    const files = await this.scratch.files(folder);
    while (files.length > 0) {
      signal.throwIfAborted();
      const batch = files.splice(0, FILES_AT_ONCE);
      await Promise.all(
        batch.map((file) => this.objects.putFile(`${packageKey}/${file}`, join(folder, file))),
      );
    }
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

  /** Changes tracks in the transaction that ends an attempt, with the row of the recording locked. */
  async change(job: TrackJob, work: (manager: EntityManager) => Promise<void>): Promise<void> {
    const { recordingId: id, attempt, facts } = job;
    await this.dataSource.transaction(async (manager) => {
      const locked = await this.statuses.lockOwned(manager, facts.recordingId);
      if (locked === null || !(await isCurrentTrack(manager, id, attempt))) throw new SupersededError();
      await work(manager);
      const { recordingId, sentBy, origin } = facts;
      // The recording has been transcribed from its media, with the same voices.
      if (origin === 'media') return;
      await this.pipeline.follow(manager, 'tracksChanged', { recordingId, owner: locked.owner, sentBy });
    });
  }

  /** Ends the processing of a track that failed, whatever its attempt. */
  async end(id: string, work: (manager: EntityManager) => Promise<void>): Promise<void> {
    const recordingId = await this.uploads.recordingOf(id);
    await this.dataSource.transaction(async (manager) => {
      const locked = await this.statuses.lockOwned(manager, recordingId);
      if (locked === null) return;
      await work(manager);
      await this.pipeline.follow(manager, 'tracksChanged', {
        recordingId,
        owner: locked.owner,
        sentBy: null,
      });
    });
  }
}

/** `seconds` as they are stored. */
const roundToMilliseconds = (seconds: number): number => Math.round(seconds * 1000) / 1000;
