import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { extractAudio, packageTrack } from '../../../lib/media-engine/media-engine.js';
import { UnplayableMediaError } from '../../../lib/media-engine/media.errors.js';
import { SETTINGS, type Settings } from '../../../platform/config/settings.js';
import { newId } from '../../../platform/ids.js';
import { observed } from '../../../platform/telemetry/observed.js';
import { ScratchService, type LocalFile } from '../../pipeline/packaging/scratch.service.js';
import type { Attempt, Step } from '../../pipeline/public/steps.js';
import { StepJobsService } from '../../pipeline/step-jobs.service.js';
import { ServiceError } from '../../../platform/errors/service-error.js';
import { ArchivedTracksService, ARCHIVE_TYPE } from './archived-tracks.service.js';
import { TrackFilesService } from './track-files.service.js';
import { beginTrack, storeTrackProgress, type TrackJob } from './track-work.queries.js';

const GIVEN_UP = 'The track could not be processed. Uploading it again may help.';

type TrackAttempt = Attempt<TrackJob>;

/** Processes the file of a track: finds out where it begins, and makes what players need. */
@Injectable()
export class TrackStep implements Step<Pick<TrackJob, 'recordingId'>, TrackJob>, OnModuleInit {
  constructor(
    private readonly dataSource: DataSource,
    private readonly steps: StepJobsService,
    private readonly scratch: ScratchService,
    private readonly files: TrackFilesService,
    private readonly archives: ArchivedTracksService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  onModuleInit(): void {
    this.steps.handle('track', this);
  }

  async begin({ recordingId }: Pick<TrackJob, 'recordingId'>): Promise<TrackJob | null> {
    const attempt = newId();
    const facts = await beginTrack(this.dataSource.manager, recordingId, attempt);
    return facts && { recordingId, attempt, facts };
  }

  async run(attempt: TrackAttempt): Promise<void> {
    await this.scratch.within(attempt.job.attempt, (folder) => this.work(attempt, folder));
  }

  isCurrent({ job, progress }: TrackAttempt): Promise<boolean> {
    return storeTrackProgress(this.dataSource.manager, job.recordingId, job.attempt, progress);
  }

  /** The quota may have no room for what an archive contains. */
  refusalOf(error: unknown): string | null {
    return error instanceof ServiceError && error.status < 500 ? error.message : null;
  }

  fail({ job }: TrackAttempt, reason: string): Promise<void> {
    return this.files.fail(job.recordingId, reason);
  }

  again({ job, chosen }: TrackAttempt): Promise<void> {
    const { recordingId, facts: owner } = job;
    return this.steps.enqueue(
      this.dataSource.manager,
      'track',
      { recordingId },
      { owner, priority: chosen.priority },
    );
  }

  giveUp(recordingId: string): Promise<void> {
    return this.files.fail(recordingId, GIVEN_UP);
  }

  private async work(attempt: TrackAttempt, folder: string): Promise<void> {
    const { job, signal } = attempt;
    const { facts } = job;
    const keys = facts.parts.length > 0 ? facts.parts : [facts.sourceKey ?? ''];
    const stored = keys.map((key) => ({ key }));
    const source = await this.scratch.assemble(stored, join(folder, 'source'), signal);
    if (facts.mediaType === ARCHIVE_TYPE) return this.archives.unpack(attempt, source, folder);
    if (facts.parts.length > 0 && facts.origin !== 'media') {
      const parts = await this.archives.voicesIn(source.path, folder, signal);
      if (parts.length > 1) return this.archives.replace(job, parts);
    }
    await this.package(attempt, source, folder);
  }

  private async package(attempt: TrackAttempt, source: LocalFile, scratch: string): Promise<void> {
    const { job, signal } = attempt;
    const { facts } = job;
    const folder = join(scratch, 'package');
    await mkdir(folder);
    const { givenOffset: offset, mixKey, startedAt } = facts;
    const request = {
      source: source.path,
      others: offset === null && mixKey !== null ? await this.mixOf(mixKey, scratch, signal) : [],
      folder,
      ffmpeg: this.settings.ffmpegPath,
      offset,
      recordingStartedAt: startedAt?.toISOString() ?? null,
    };
    const onProgress = (done: number): void => void (attempt.progress = done);
    const made = await observed('process', 'package_track', () =>
      packageTrack(request, { signal, onProgress }),
    );
    await this.files.publish(job, source, { made, folder }, signal);
  }

  /** A file with everyone in the recording, to find the track in; none if nobody can be heard. */
  private async mixOf(key: string, scratch: string, signal: AbortSignal): Promise<string[]> {
    const folder = join(scratch, 'mix');
    await mkdir(folder);
    const { path: source } = await this.scratch.assemble([{ key }], join(scratch, 'recording'), signal);
    try {
      const request = { source, folder, ffmpeg: this.settings.ffmpegPath };
      return [(await extractAudio(request, { signal, onProgress: () => undefined })).path];
    } catch (error) {
      if (error instanceof UnplayableMediaError) return [];
      throw error;
    }
  }
}
