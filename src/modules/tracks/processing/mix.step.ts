import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { mixTracks } from '../../../lib/media-engine/media-engine.js';
import { SETTINGS, type Settings } from '../../../platform/config/settings.js';
import { observed } from '../../../platform/telemetry/observed.js';
import { RetiredMediaService } from '../../media/retired-media.service.js';
import { findHeardTracks, findNextUse, type HeardTrack } from '../../media/public/heard-tracks.queries.js';
import { ScratchService } from '../../pipeline/packaging/scratch.service.js';
import { PipelineService } from '../../pipeline/pipeline.service.js';
import { type Attempt, type Step, SupersededError } from '../../pipeline/public/steps.js';
import { StepJobsService } from '../../pipeline/step-jobs.service.js';
import { RecordingStatusService } from '../../recordings/access/recording-status.service.js';
import { Recording } from '../../recordings/access/entities/recording.entity.js';
import { StoredUploadsService } from '../../uploads/stored-uploads.service.js';
import { ArchivedTracksService } from './archived-tracks.service.js';

interface MixJob {
  readonly recordingId: string;
  readonly tracks: readonly HeardTrack[];
}

/** Makes the media of a recording that has no other: everyone together. It is packaged as if it had been uploaded. Without it, the tracks can be played all the same. */
@Injectable()
export class MixStep implements Step<Pick<MixJob, 'recordingId'>, MixJob>, OnModuleInit {
  constructor(
    private readonly dataSource: DataSource,
    private readonly steps: StepJobsService,
    private readonly scratch: ScratchService,
    private readonly archives: ArchivedTracksService,
    private readonly retired: RetiredMediaService,
    private readonly statuses: RecordingStatusService,
    private readonly stored: StoredUploadsService,
    private readonly pipeline: PipelineService,
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
    await this.scratch.withinOwn(async (scratch) => {
      const pathOf = ({ id }: HeardTrack): string => join(scratch, id);
      for (const track of tracks)
        await this.scratch.assemble([{ key: track.sourceKey }], pathOf(track), signal);
      const shown =
        tracks.find(({ kind }) => kind === 'screen') ?? tracks.find(({ kind }) => kind === 'video');
      const files = shown ? [shown, ...tracks] : tracks;
      const [source = '', ...others] = files.map(pathOf);
      const offsets = files.map(({ offset }) => offset ?? 0);
      const folder = join(scratch, 'mix');
      await mkdir(folder);
      const { ffmpegPath: ffmpeg } = this.settings;
      const request = { source, others, offsets, hasPicture: shown !== undefined, folder, ffmpeg };
      const { path } = await observed('process', 'mix', () =>
        mixTracks(request, { signal, onProgress: () => undefined }),
      );
      await this.publish(recordingId, path);
    });
  }

  async isCurrent({ job }: Attempt<MixJob>): Promise<boolean> {
    return (await findNextUse(this.dataSource.manager, job.recordingId)) === 'mix';
  }

  again({ job: { recordingId } }: Attempt<MixJob>): Promise<void> {
    return this.dataSource.transaction(async (manager) => {
      const locked = await this.statuses.lockOwned(manager, recordingId);
      if (locked) await this.steps.enqueue(manager, 'mix', { recordingId }, { owner: locked.owner });
    });
  }

  /** The mix in this file becomes the media; without tracks, there is none. */
  private async publish(recordingId: string, path: string | null): Promise<void> {
    const mix = path === null ? null : await this.archives.store(recordingId, { path, name: '' });
    await this.dataSource.transaction(async (manager) => {
      const locked = await this.statuses.lockOwned(manager, recordingId);
      if (locked === null || (await findNextUse(manager, recordingId)) !== 'mix') throw new SupersededError();
      const { owner, mediaKey } = locked;
      if (mix === null) return mediaKey === null ? undefined : this.retired.removeAll(manager, recordingId);
      await manager.update(Recording, { id: recordingId }, { mediaMixed: true });
      const upload = { recordingId, trackOf: null, userId: owner.userId, mediaType: 'video/mp4' };
      await this.stored.add(manager, upload, { ...mix, owner });
      await this.pipeline.follow(manager, 'received', { recordingId, owner });
    });
  }
}
