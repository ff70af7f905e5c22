import { mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { mixTracks } from '../../../lib/media-engine/media-engine.js';
import { SETTINGS, type Settings } from '../../../platform/config/settings.js';
import { AppLogger } from '../../../platform/logging/app-logger.js';
import { newId } from '../../../platform/ids.js';
import { ObjectStore } from '../../../platform/storage/object-store.js';
import { observed } from '../../../platform/telemetry/observed.js';
import { MediaService } from '../../media/media.service.js';
import { RetiredMediaService } from '../../media/retired-media.service.js';
import { partsOf } from '../../media/public/media-objects.js';
import { findHeardTracks, findNextUse, type HeardTrack } from '../../media/public/heard-tracks.queries.js';
import { ScratchService } from '../../pipeline/packaging/scratch.service.js';
import { PipelineService } from '../../pipeline/pipeline.service.js';
import { type Attempt, type Step, SupersededError } from '../../pipeline/public/steps.js';
import { StepJobsService } from '../../pipeline/step-jobs.service.js';
import { RecordingStatusService } from '../../recordings/access/recording-status.service.js';
import { Recording } from '../../recordings/access/entities/recording.entity.js';
import { StoredUploadsService } from '../../uploads/stored-uploads.service.js';

interface MixJob {
  readonly recordingId: string;
  readonly tracks: readonly HeardTrack[];
}

/** Makes the media of a recording that has no other: everyone together. It is packaged as if it had been uploaded. */
@Injectable()
export class MixStep implements Step<Pick<MixJob, 'recordingId'>, MixJob>, OnModuleInit {
  constructor(
    private readonly dataSource: DataSource,
    private readonly steps: StepJobsService,
    private readonly scratch: ScratchService,
    private readonly objects: ObjectStore,
    private readonly media: MediaService,
    private readonly retired: RetiredMediaService,
    private readonly statuses: RecordingStatusService,
    private readonly stored: StoredUploadsService,
    private readonly pipeline: PipelineService,
    private readonly logger: AppLogger,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  onModuleInit(): void {
    this.steps.handle('mix', this);
  }

  async begin({ recordingId }: Pick<MixJob, 'recordingId'>): Promise<MixJob | null> {
    const { manager } = this.dataSource;
    if ((await findNextUse(manager, recordingId)) !== 'mix') return null;
    return { recordingId, tracks: await findHeardTracks(manager, recordingId) };
  }

  async run({ job, signal }: Attempt<MixJob>): Promise<void> {
    const { recordingId, tracks } = job;
    if (tracks.length === 0) return this.publish(recordingId, null);
    await this.scratch.within(newId(), async (scratch) => {
      const local = new Map<HeardTrack, { path: string; offset: number }>();
      for (const track of tracks) {
        const { path } = await this.scratch.assemble(
          [{ key: track.sourceKey }],
          join(scratch, track.id),
          signal,
        );
        local.set(track, { path, offset: track.offset ?? 0 });
      }
      const shown =
        tracks.find(({ kind }) => kind === 'screen') ?? tracks.find(({ kind }) => kind === 'video');
      const folder = join(scratch, 'mix');
      await mkdir(folder);
      const request = {
        tracks: [...local.values()],
        picture: (shown && local.get(shown)) ?? null,
        folder,
        ffmpeg: this.settings.ffmpegPath,
      };
      const { path } = await observed('process', 'mix', () =>
        mixTracks(request, { signal, onProgress: () => undefined }),
      );
      await this.publish(recordingId, path);
    });
  }

  async isCurrent({ job }: Attempt<MixJob>): Promise<boolean> {
    return (await findNextUse(this.dataSource.manager, job.recordingId)) === 'mix';
  }

  /** The tracks themselves can be played all the same. */
  async fail({ job }: Attempt<MixJob>, reason: string): Promise<void> {
    this.logger.warn({ recordingId: job.recordingId, reason }, 'mixes: the tracks could not be mixed');
  }

  again({ job: { recordingId } }: Attempt<MixJob>): Promise<void> {
    return this.dataSource.transaction(async (manager) => {
      const locked = await this.statuses.lockOwned(manager, recordingId);
      if (locked) await this.steps.enqueue(manager, 'mix', { recordingId }, { owner: locked.owner });
    });
  }

  async giveUp(recordingId: string): Promise<void> {
    this.logger.error({ recordingId }, 'mixes: given up');
  }

  /** The mix in this file becomes the media; without tracks, there is none. */
  private async publish(recordingId: string, path: string | null): Promise<void> {
    await this.media.scheduleGarbageCollection(this.dataSource.manager, recordingId);
    const key = partsOf(recordingId) + newId();
    if (path !== null) await this.objects.putFile(key, path);
    const size = path === null ? 0 : (await stat(path)).size;
    await this.dataSource.transaction(async (manager) => {
      const locked = await this.statuses.lockOwned(manager, recordingId);
      if (locked === null || (await findNextUse(manager, recordingId)) !== 'mix') throw new SupersededError();
      const { owner, mediaKey } = locked;
      if (path === null) return mediaKey === null ? undefined : this.retired.removeAll(manager, recordingId);
      await manager.update(Recording, { id: recordingId }, { mediaMixed: true });
      const upload = { recordingId, trackOf: null, userId: owner.userId, mediaType: 'video/mp4' };
      await this.stored.add(manager, upload, { key, size, owner });
      await this.pipeline.follow(manager, 'received', { recordingId, owner });
    });
  }
}
