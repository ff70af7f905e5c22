import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { conflict, DomainError } from '../../../contract/domain-error.js';
import { Clock } from '../../../platform/clock/clock.js';
import { isUuid } from '../../../platform/ids.js';
import { AppLogger } from '../../../platform/logging/app-logger.js';
import { ObjectStore } from '../../../platform/storage/object-store.js';
import { isPlayable, type RecordingStatus } from '../../../policy/recording-status.js';
import { Recording } from '../../recordings/access/entities/recording.entity.js';
import { Upload } from '../../uploads/entities/upload.entity.js';
import { MediaService } from '../../media/media.service.js';
import { RetiredMediaService } from '../../media/retired-media.service.js';
import {
  type EventChanges,
  RecordingStatusService,
} from '../../recordings/access/recording-status.service.js';
import { StoredUploadsService } from '../../uploads/stored-uploads.service.js';
import { UploadEndingService } from '../../uploads/upload-ending.service.js';
import { PipelineService } from '../pipeline.service.js';
import { PACKAGED, RECEIVED, SupersededError } from '../public/steps.js';
import {
  type LocalPackage,
  PackageFilesService,
  packageKeyOf,
  type PackagingJob,
  sourceKeyOf,
} from './package-files.service.js';
import { findStored, isCurrentPackaging, type PackagingFacts } from './packaging.queries.js';
import { roundToMilliseconds } from '../../../lib/durations.js';
import type { InspectedMedia } from '../../../lib/media-engine/process/packager-messages.js';
import type { LocalFile } from './scratch.service.js';
import { howToAddMedia } from '../../../policy/advice.js';

const GIVEN_UP = 'The recording could not be processed; trying again may help.';
const NO_SOURCE = { sourceKey: null, sourceType: null, sourceSha256: null };
const NOT_CONVERTED = 'The recording plays only as it was uploaded, because it could not be converted';

/** What packaging makes of a recording. Publishing throws `SupersededError` if this attempt is not current. */
@Injectable()
export class PackagingService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly files: PackageFilesService,
    private readonly pipeline: PipelineService,
    private readonly statuses: RecordingStatusService,
    private readonly objects: ObjectStore,
    private readonly media: MediaService,
    private readonly retired: RetiredMediaService,
    private readonly endings: UploadEndingService,
    private readonly stored: StoredUploadsService,
    private readonly clock: Clock,
    private readonly logger: AppLogger,
  ) {}

  /** Publishes the source of a new upload while it is converted, and returns the changed facts. It may fail. */
  async publishSource(job: PackagingJob, source: LocalFile, found: InspectedMedia): Promise<PackagingFacts> {
    const { recordingId, facts } = job;
    try {
      const mediaKey = await this.files.storeSource(job, source);
      const changes = {
        mediaKey,
        mediaType: found.sourceType,
        mediaSha256: source.sha256,
        duration: found.duration === null ? null : roundToMilliseconds(found.duration),
        startedAt: facts.startedAt ?? found.startedAt,
      };
      const publishing = this.dataSource.transaction(async (manager) => {
        const status = await this.requireCurrent(manager, job);
        if (!(await this.statuses.apply(manager, recordingId, status, 'playable', changes)))
          throw new SupersededError();
        await this.pipeline.follow(manager, 'playable', { recordingId });
      });
      await publishing.catch(async (error: unknown) => {
        if (error instanceof SupersededError) await this.objects.delete([mediaKey]);
        throw error;
      });
      return { ...facts, ...changes };
    } catch (error) {
      if (!(error instanceof SupersededError))
        this.logger.warn({ recordingId, err: error }, 'packaging: could not publish the source early');
      return facts;
    }
  }

  /** Stores and publishes a package, and completes the recording. */
  async publish(
    job: PackagingJob,
    source: LocalFile,
    made: LocalPackage,
    signal: AbortSignal,
  ): Promise<void> {
    const changes = await this.files.storePackage(job, source, made, signal);
    const migrates = await this.publishPackage(job, changes, made.made.voices).catch(
      async (error: unknown) => {
        if (error instanceof SupersededError || error instanceof DomainError) await this.files.drop(job);
        throw error;
      },
    );
    if (migrates) await this.migrate({ ...job, facts: { ...job.facts, ...changes } }, () => source);
  }

  /** Moves the original upload to its permanent key, unless it is there; its parts are then no longer needed. */
  async migrate(job: PackagingJob, fetch: () => LocalFile | Promise<LocalFile>): Promise<void> {
    const { mediaKey, sourceKey, packageKey, statusReason, parts } = job.facts;
    const target = packageKey ?? packageKeyOf(job);
    const moves = parts.length > 0 && mediaKey !== sourceKeyOf(target) && sourceKey === null;
    const moved = moves ? { sourceKey: await this.files.storeSource(job, await fetch(), target) } : {};
    await this.dataSource.transaction(async (manager) => {
      const status = await this.requireCurrent(manager, job);
      await this.complete(manager, job.recordingId, status, { ...moved, statusReason });
    });
  }

  /**
   * Ends packaging without a package: in `ERROR`, or complete with a reason if the source is published. `refusal`: why
   * trying again is pointless; null if it is not. With `attempt`, only if that attempt is current.
   */
  async fail(recordingId: string, refusal: string | null, attempt?: string): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      const locked = await this.statuses.lockOwned(manager, recordingId);
      if (locked === null) return;
      const { status, owner } = locked;
      if (attempt !== undefined && !(await isCurrentPackaging(manager, { recordingId, id: attempt }))) return;
      const stored = await findStored(manager, recordingId);
      if (stored.replacing) {
        await this.endings.failAdded(manager, recordingId, refusal ?? GIVEN_UP);
        await this.media.scheduleGarbageCollection(manager, recordingId);
        return this.pipeline.follow(manager, 'kept', { recordingId, owner });
      }
      if (status === 'MIGRATING' && stored.sourceOnly) {
        const statusReason = NOT_CONVERTED + (refusal === null ? '; trying again may help.' : `: ${refusal}`);
        return this.complete(manager, recordingId, status, { statusReason });
      }
      const changes = { statusReason: refusal ?? GIVEN_UP };
      await this.pipeline.follow(manager, 'discarded', { recordingId });
      const failed = await this.statuses.apply(manager, recordingId, status, 'failed', changes);
      if (!failed) this.logger.error({ recordingId, status }, 'packaging abandoned');
    });
  }

  /** Retries, for an operator, what failed, never reached long-term storage, or was not converted. */
  async retry(recordingId: string): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      const locked = isUuid(recordingId) ? await this.statuses.lockOwned(manager, recordingId) : null;
      if (locked === null) throw new DomainError('RECORDING_NOT_FOUND');
      const { status, owner } = locked;
      const stored = await findStored(manager, recordingId);
      if (!stored.media)
        throw conflict(
          `No media of this recording is stored, so there is nothing to retry. ${howToAddMedia(status)}`,
        );
      const changes = { progress: stored.package && status === 'MIGRATING' ? PACKAGED : RECEIVED };
      // One that plays only as it was uploaded stays complete meanwhile.
      const isUnconverted = status === 'COMPLETED' && !stored.package;
      if (!isUnconverted && !(await this.statuses.apply(manager, recordingId, status, 'retried', changes)))
        throw conflict(
          `Only recordings in ERROR or MIGRATING, or without HLS, can be retried; this one is in ${status}.`,
        );
      // Ends the upload at the bytes received so far.
      const closed = { size: () => 'received', closedAt: () => 'coalesce(closed_at, now())' };
      await manager.update(Upload, { recordingId, added: false }, closed);
      await this.pipeline.follow(manager, 'retried', { recordingId, owner });
    });
  }

  /** Makes the package playable, atomically. Returns whether anything is left to move. */
  private async publishPackage(job: PackagingJob, changes: EventChanges, voices: number): Promise<boolean> {
    const { recordingId, facts } = job;
    return this.dataSource.transaction(async (manager) => {
      const status = await this.requireCurrent(manager, job);
      if (voices > 1 && !facts.silences)
        await this.pipeline.follow(manager, 'voicesFound', { recordingId, owner: facts.owner });
      if (facts.replaces) {
        await this.replace(manager, recordingId, status, changes);
        return false;
      }
      if (facts.silences) {
        await this.retired.retire(manager, recordingId, 0);
        // They have what was said, too.
        await this.retired.removeTracks(manager, { recordingId });
      }
      // An imported recording already has its status.
      const keepsStatus = facts.parts.length === 0 && isPlayable(status);
      const events = { ...changes, progress: PACKAGED };
      if (!keepsStatus && (await this.statuses.apply(manager, recordingId, status, 'packaged', events)))
        return true;
      const noSource = facts.silences ? NO_SOURCE : {};
      await this.statuses.change(manager, recordingId, { ...noSource, ...changes, packagingId: null });
      await this.media.scheduleGarbageCollection(manager, recordingId);
      await this.pipeline.follow(manager, 'packaged', { recordingId });
      return false;
    });
  }

  /** Switches a recording to its new media, which is complete and in its permanent place. */
  private async replace(
    manager: EntityManager,
    recordingId: string,
    status: RecordingStatus,
    changes: EventChanges,
  ): Promise<void> {
    await this.retired.retire(manager, recordingId);
    await this.retired.removeTracks(manager, { recordingId, origin: 'media' });
    const events = { ...NO_SOURCE, ...changes, progress: 1, packagingId: null };
    await this.statuses.apply(manager, recordingId, status, 'replaced', events);
    await manager.update(Recording, { id: recordingId }, { updatedAt: this.clock.now() });
    // From now on only the new media counts towards the quota.
    await manager.update(Upload, { recordingId, added: true }, { keptBytes: 0 });
    const sentBy = await this.stored.take(manager, recordingId, true);
    await this.media.scheduleGarbageCollection(manager, recordingId);
    await this.pipeline.follow(manager, 'replaced', { recordingId, sentBy });
  }

  /** Completes the recording, whose row is locked: nothing else will be stored. */
  private async complete(
    manager: EntityManager,
    recordingId: string,
    status: RecordingStatus,
    changes: EventChanges,
  ): Promise<void> {
    await this.stored.take(manager, recordingId, false);
    const events = { ...changes, progress: 1, packagingId: null };
    await this.statuses.apply(manager, recordingId, status, 'stored', events);
    await this.media.scheduleGarbageCollection(manager, recordingId);
    await this.pipeline.follow(manager, 'stored', { recordingId });
  }

  private async requireCurrent(manager: EntityManager, job: PackagingJob): Promise<RecordingStatus> {
    const locked = await this.statuses.lockOwned(manager, job.recordingId);
    if (locked === null || !(await isCurrentPackaging(manager, job))) throw new SupersededError();
    return locked.status;
  }
}
