import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { DomainError } from '../../../contract/domain-error.js';
import { Upload } from '../../uploads/entities/upload.entity.js';
import type { MutedRange } from '../../../lib/media-engine/audio/mute.js';
import { packageMedia } from '../../../lib/media-engine/media-engine.js';
import type { InspectedMedia } from '../../../lib/media-engine/process/packager-messages.js';
import { SETTINGS, type Settings } from '../../../platform/config/settings.js';
import { newId } from '../../../platform/ids.js';
import { noteSpeed } from '../../../platform/telemetry/metrics.js';
import { observed } from '../../../platform/telemetry/observed.js';
import { isPlayable } from '../../../policy/recording-status.js';
import {
  type Attempt,
  PACKAGED,
  RECEIVED,
  type Step,
  type StepName,
  SupersededError,
} from '../public/steps.js';
import { StepJobsService } from '../step-jobs.service.js';
import type { PackagingJob } from './package-files.service.js';
import {
  beginPackaging,
  findStored,
  isCurrentPackaging,
  type PackagingFacts,
  storeProgress,
} from './packaging.queries.js';
import { PackagingService } from './packaging.service.js';
import { type LocalFile, ScratchService, type StoredBytes } from './scratch.service.js';

type PackagingAttempt = Attempt<PackagingJob>;

/** Packages a recording and stores it. What has to be encoded is left to `convert`, so that no upload waits for it. */
@Injectable()
export class PackagingStep implements Step<Pick<PackagingJob, 'recordingId'>, PackagingJob>, OnModuleInit {
  constructor(
    private readonly dataSource: DataSource,
    private readonly steps: StepJobsService,
    @Inject(SETTINGS) private readonly settings: Settings,
    private readonly scratch: ScratchService,
    private readonly packaging: PackagingService,
  ) {}

  onModuleInit(): void {
    this.steps.handle('package', this);
    this.steps.handle('convert', this);
  }

  async begin({ recordingId }: Pick<PackagingJob, 'recordingId'>): Promise<PackagingJob | null> {
    const id = newId();
    const facts = await beginPackaging(this.dataSource.manager, recordingId, id);
    return facts && hasWork(facts) ? { recordingId, id, facts } : null;
  }

  async run(attempt: PackagingAttempt): Promise<void> {
    await this.scratch.within(attempt.job.id, (folder) => this.work(attempt, folder));
  }

  async isCurrent({ job, progress }: PackagingAttempt): Promise<boolean> {
    const { recordingId, facts } = job;
    const { manager } = this.dataSource;
    // Imported media plays already, and its progress is not that of its conversion.
    const isUpload = !isPlayable(facts.status) || facts.parts.length > 0;
    if (progress === null || !isUpload) return isCurrentPackaging(manager, job);
    if (await storeProgress(manager, job, progress)) return true;
    const isCurrent = await isCurrentPackaging(manager, job);
    if (isCurrent) await manager.update(Upload, { recordingId, added: true }, { progress });
    return isCurrent;
  }

  /** What is under legal hold keeps its media. */
  refusalOf(error: unknown): string | null {
    return error instanceof DomainError && error.code === 'CONFLICT' ? error.message : null;
  }

  fail({ job }: PackagingAttempt, refusal: string): Promise<void> {
    return this.packaging.fail(job.recordingId, refusal, job.id);
  }

  again(attempt: PackagingAttempt): Promise<void> {
    return this.enqueue(attempt.step, attempt);
  }

  giveUp(recordingId: string): Promise<void> {
    return this.packaging.fail(recordingId, null);
  }

  /**
   * Replaces the media of a recording, its original included, by media in which these ranges are silent. What is
   * replaced is not kept for those who are playing it. Returns false if there is nothing to hear. Throws
   * `UnplayableMediaError` if it cannot be done, and 409 `CONFLICT` under legal hold; any other error is worth a retry,
   * as while the recording is processed.
   */
  async silence(recordingId: string, mute: readonly MutedRange[], signal: AbortSignal): Promise<boolean> {
    const { manager } = this.dataSource;
    const id = newId();
    const facts = await beginPackaging(manager, recordingId, id, true);
    if (!facts) {
      if (!(await findStored(manager, recordingId)).media) return false;
      throw new Error('The recording is being processed');
    }
    return this.scratch.within(id, async (scratch) => {
      const source = await this.scratch.assemble(sourcesOf(facts), join(scratch, 'source'), signal);
      const folder = join(scratch, 'package');
      await mkdir(folder);
      const request = { source: source.path, folder, mute, ffmpeg: this.settings.ffmpegPath };
      const made = await packageMedia(request, { signal, onProgress: () => undefined });
      if (made.video === null) return false;
      await this.packaging.publish({ recordingId, id, facts }, source, { made, folder }, signal);
      return true;
    });
  }

  private async work(attempt: PackagingAttempt, scratch: string): Promise<void> {
    const { job, signal } = attempt;
    const fetch = (): Promise<LocalFile> =>
      this.scratch.assemble(sourcesOf(job.facts), join(scratch, 'source'), signal);
    if (isMigrating(job.facts)) return this.packaging.migrate(job, fetch);
    const source = await fetch();
    const folder = join(scratch, 'package');
    await mkdir(folder);
    const { made, facts } = await this.package(attempt, source, folder);
    if (made) return this.packaging.publish({ ...job, facts }, source, { made, folder }, signal);
    // The job that has superseded this one must remain.
    if (!(await isCurrentPackaging(this.dataSource.manager, job))) throw new SupersededError();
    await this.enqueue('convert', attempt);
  }

  /** Also publishes the source, if it plays. `made`: null if it takes an encoder, which is left to `convert`. */
  private async package(attempt: PackagingAttempt, source: LocalFile, folder: string) {
    const { job, signal } = attempt;
    const left = new AbortController();
    let current = Promise.resolve(job.facts);
    const onInspected = (found: InspectedMedia): void => {
      if (found.playable && isNewUpload(job.facts))
        current = this.packaging.publishSource(job, source, found);
      if (found.encodes && attempt.step === 'package') left.abort();
    };
    const onProgress = (fraction: number): void => {
      attempt.progress = RECEIVED + (PACKAGED - RECEIVED) * fraction;
    };
    const options = { signal: AbortSignal.any([signal, left.signal]), onProgress, onInspected };
    const begun = performance.now();
    const work = () =>
      packageMedia({ source: source.path, folder, ffmpeg: this.settings.ffmpegPath }, options).catch(
        (error: unknown) => {
          if (!left.signal.aborted || signal.aborted) throw error;
          return null;
        },
      );
    try {
      const made = await observed('process', attempt.step, work);
      if (made) noteSpeed('packaging', made.duration, begun);
      return { made, facts: await current };
    } finally {
      // A failure ends differently if the source has been published.
      await current;
    }
  }

  /** Enqueues a job with the priority of the one that is running. */
  private enqueue(step: StepName, { job, chosen }: PackagingAttempt): Promise<void> {
    const { recordingId, facts } = job;
    const options = { owner: facts.owner, priority: chosen.priority };
    return this.steps.enqueue(this.dataSource.manager, step, { recordingId }, options);
  }
}

/** The objects that the media is assembled from. */
function sourcesOf({ parts, sourceKey, mediaKey }: PackagingFacts): StoredBytes[] {
  const stored = parts.length > 0 ? parts : [sourceKey ?? mediaKey];
  return stored.flatMap((key) => (key === null ? [] : [{ key }]));
}

/** Nothing of the recording can be played yet. */
const isNewUpload = ({ parts, mediaKey, replaces }: PackagingFacts): boolean =>
  parts.length > 0 && mediaKey === null && !replaces;

/** Its package was published by an earlier attempt that got no further. */
const isMigrating = ({ status, packageKey }: PackagingFacts): boolean =>
  status === 'MIGRATING' && packageKey !== null;

function hasWork(facts: PackagingFacts): boolean {
  if (facts.replaces) return facts.parts.length > 0;
  if (isMigrating(facts)) return true;
  if (sourcesOf(facts).length === 0) return false;
  return facts.status === 'PROCESSING' || (isPlayable(facts.status) && facts.packageKey === null);
}
