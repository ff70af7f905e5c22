import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { newId } from '../../../platform/ids.js';
import { runAttempt, SupersededError } from '../../../platform/jobs/attempt.js';
import { JobsService } from '../../../platform/jobs/jobs.service.js';
import { AppLogger } from '../../../platform/logging/app-logger.js';
import { isPlayable } from '../../../policy/recording-status.js';
import {
  CONVERT_JOB,
  PACKAGE_JOB,
  PACKAGED,
  PackagingQueueService,
  RECEIVED,
  recordingOfJob,
  type PackagingJob,
} from '../packaging-queue.service.js';
import { PackagePublishingService, type PublishingAttempt } from './package-publishing.service.js';
import { Packager } from './packager.js';
import type { InspectedMedia, MediaPackage } from './process/packager-messages.js';
import { PackagingRepository, type PackagingFacts } from './packaging.repository.js';
import { ScratchService, type LocalFile } from './scratch.service.js';
import { UnplayableMediaError } from '../../../lib/media-engine/unplayable-media.error.js';

/** One attempt at one recording. */
interface PackagingAttempt extends PublishingAttempt {
  readonly job: PackagingJob;
  /** Of the job. */
  readonly priority: number;
  readonly folder: string;
  readonly onProgress: (fraction: number) => void;
}

/** A package, or null if it takes an encoder that this job leaves to the other one. */
interface Packaged {
  readonly made: MediaPackage | null;
  readonly facts: PackagingFacts;
}

/**
 * The jobs that package a recording and move it to long-term storage. What has to be encoded gets a job of its own, so that
 * an upload never waits for the conversion of another one to become playable.
 */
@Injectable()
export class PackagingWorkService implements OnModuleInit {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly jobs: JobsService,
    private readonly queue: PackagingQueueService,
    private readonly repository: PackagingRepository,
    private readonly packager: Packager,
    private readonly scratch: ScratchService,
    private readonly publishing: PackagePublishingService,
    private readonly logger: AppLogger,
  ) {}

  onModuleInit(): void {
    const lanes = { [PACKAGE_JOB]: 'intake', [CONVERT_JOB]: 'default' } as const;
    for (const job of [PACKAGE_JOB, CONVERT_JOB] as const) {
      this.jobs.handle<{ recordingId: string }>(
        job,
        ({ recordingId }, stop, { priority }) => this.run(job, recordingId, stop, priority),
        { lane: lanes[job], onExhausted: (key) => this.publishing.fail(recordingOfJob(key), null) },
      );
    }
  }

  private async run(
    job: PackagingJob,
    recordingId: string,
    stop: AbortSignal,
    priority: number,
  ): Promise<void> {
    const id = newId();
    const facts = await this.repository.begin(recordingId, id);
    if (!facts || !hasWork(facts)) return;
    // Imported media plays already, and its progress is not that of its conversion.
    const showsProgress = !isPlayable(facts.status) || facts.parts.length > 0;
    await runAttempt(
      {
        name: 'packaging',
        ids: { recordingId },
        isCurrent: (progress) => this.repository.progress(recordingId, id, showsProgress ? progress : null),
        work: ({ signal, report }) =>
          this.scratch.within(id, (folder) =>
            this.work({
              id,
              job,
              priority,
              facts,
              folder,
              signal,
              onProgress: (fraction) => report(RECEIVED + (PACKAGED - RECEIVED) * fraction),
            }),
          ),
        refusal: (error) => (error instanceof UnplayableMediaError ? error.message : null),
        fail: (refusal) => this.publishing.fail(recordingId, refusal, id),
        again: () => this.queue.add(this.dataSource.manager, job, recordingId, facts.owner, priority),
      },
      stop,
      this.logger,
    );
  }

  private async work(attempt: PackagingAttempt): Promise<void> {
    if (isMigrating(attempt.facts)) return this.publishing.migrate(attempt, () => this.fetch(attempt));
    const source = await this.fetch(attempt);
    const folder = join(attempt.folder, 'package');
    await mkdir(folder);
    const { made, facts } = await this.package(attempt, source, folder);
    if (made) return this.publishing.publish({ ...attempt, facts }, source, { made, folder });
    const { manager } = this.dataSource;
    // The job that has superseded this one must remain.
    if (!(await this.repository.isCurrent(facts.id, attempt.id))) throw new SupersededError();
    await this.queue.add(manager, CONVERT_JOB, facts.id, facts.owner, attempt.priority);
  }

  /** Also publishes the source, if it can be played meanwhile. */
  private async package(attempt: PackagingAttempt, source: LocalFile, folder: string): Promise<Packaged> {
    const { facts, signal, onProgress } = attempt;
    const left = new AbortController();
    let current = Promise.resolve(facts);
    const onInspected = (found: InspectedMedia): void => {
      if (found.playable && isNewUpload(facts)) current = this.publishSource(attempt, source, found);
      if (found.encodes && attempt.job === PACKAGE_JOB) left.abort();
    };
    try {
      const options = { signal: AbortSignal.any([signal, left.signal]), onProgress, onInspected };
      const made = await this.packager.package({ source: source.path, folder }, options);
      return { made, facts: await current };
    } catch (error) {
      if (!left.signal.aborted || signal.aborted) throw error;
      return { made: null, facts: await current };
    } finally {
      // A failure ends differently if the source has been published.
      await current;
    }
  }

  /** If it fails, the recording is playable only once it is converted. */
  private async publishSource(
    attempt: PackagingAttempt,
    source: LocalFile,
    found: InspectedMedia,
  ): Promise<PackagingFacts> {
    try {
      return await this.publishing.publishSource(attempt, source, found);
    } catch (error) {
      const { id: recordingId } = attempt.facts;
      if (!(error instanceof SupersededError))
        this.logger.warn({ recordingId, err: error }, 'packaging: could not publish the source early');
      return attempt.facts;
    }
  }

  private fetch({ facts, folder, signal }: PackagingAttempt): Promise<LocalFile> {
    return this.scratch.assemble(sourceKeys(facts), join(folder, 'source'), signal);
  }
}

/** The objects that the media is assembled from. */
function sourceKeys({ parts, sourceKey, mediaKey }: PackagingFacts): string[] {
  if (parts.length > 0) return parts.map(({ key }) => key);
  const key = sourceKey ?? mediaKey;
  return key === null ? [] : [key];
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
  if (sourceKeys(facts).length === 0) return false;
  return facts.status === 'PROCESSING' || (isPlayable(facts.status) && facts.packageKey === null);
}
