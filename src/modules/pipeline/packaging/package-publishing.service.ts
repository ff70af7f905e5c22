import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource, EntityManager } from 'typeorm';
import { SupersededError } from '../public/attempt.js';
import { AppLogger } from '../../../platform/logging/app-logger.js';
import { ObjectStore } from '../../../platform/storage/object-store.js';
import { isPlayable, type RecordingStatus } from '../../../policy/recording-status.js';
import { MediaService } from '../../media/media.service.js';
import { objectsOf } from '../../media/public/media-keys.js';
import { PACKAGED } from '../public/steps.js';
import { Recording } from '../../recordings/access/entities/recording.entity.js';
import {
  RecordingStatusService,
  type EventChanges,
} from '../../recordings/access/recording-status.service.js';
import { PipelineService } from '../pipeline.service.js';
import type { InspectedMedia, MediaPackage } from '../../../lib/media-engine/process/packager-messages.js';
import { PackagingReplacementService } from './packaging-replacement.service.js';
import { isCurrentPackaging, isSourceOnly, takeParts, type PackagingFacts } from './packaging.queries.js';
import { ScratchService, type LocalFile } from './scratch.service.js';

const GIVEN_UP = 'The recording could not be processed; trying again may help.';
const NOT_CONVERTED = 'The recording plays only as it was uploaded, because it could not be converted';
const FILES_AT_ONCE = 4;

/** The job of one attempt. */
export interface PackagingJob {
  readonly recordingId: string;
  /** Of the attempt. */
  readonly id: string;
  readonly facts: PackagingFacts;
}

/** A package in a local folder. */
export interface LocalPackage {
  readonly made: MediaPackage;
  readonly folder: string;
}

/**
 * Makes the results of packaging playable. Every attempt writes below its own key, and only the current one is published, each
 * time in one transaction. All methods throw `SupersededError` if the recording has been deleted or another attempt is current.
 */
@Injectable()
export class PackagePublishingService {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly replacements: PackagingReplacementService,
    private readonly statuses: RecordingStatusService,
    private readonly scratch: ScratchService,
    private readonly objects: ObjectStore,
    private readonly media: MediaService,
    private readonly pipeline: PipelineService,
    private readonly logger: AppLogger,
  ) {}

  /** Publishes the source of a new upload while it is being converted; returns the changed facts. */
  async publishSource(
    { id, facts }: PackagingJob,
    source: LocalFile,
    found: InspectedMedia,
  ): Promise<PackagingFacts> {
    const mediaKey = sourceKeyOf(objectsOf(facts.id) + id);
    await this.objects.putFile(mediaKey, source.path);
    const changes = {
      mediaKey,
      mediaType: found.sourceType,
      mediaSha256: source.sha256,
      duration: found.duration === null ? null : rounded(found.duration),
      startedAt: facts.startedAt ?? found.startedAt,
    };
    try {
      await this.dataSource.transaction(async (manager) => {
        const status = await this.requireCurrent(manager, facts.id, id);
        if (!(await this.statuses.apply(manager, facts.id, status, 'playable', changes)))
          throw new SupersededError();
        await this.pipeline.follow(manager, 'playable', { recordingId: facts.id });
      });
    } catch (error) {
      if (error instanceof SupersededError) await this.objects.delete([mediaKey]);
      throw error;
    }
    return { ...facts, ...changes };
  }

  /** Stores and publishes a package, and completes the recording. */
  async publish(
    job: PackagingJob,
    source: LocalFile,
    made: LocalPackage,
    signal: AbortSignal,
  ): Promise<void> {
    const changes = await this.store(job, source, made, signal).catch(async (error: unknown) => {
      await this.dropPackage(job);
      throw error;
    });
    const migrates = await this.publishPackage(job, changes).catch(async (error: unknown) => {
      if (error instanceof SupersededError) await this.dropPackage(job);
      throw error;
    });
    if (migrates) await this.migrate({ ...job, facts: { ...job.facts, ...changes } }, () => source);
  }

  /** Moves the original upload to its permanent key, unless it is there already; its parts are then no longer needed. */
  async migrate({ id, facts }: PackagingJob, fetch: () => LocalFile | Promise<LocalFile>): Promise<void> {
    const { mediaKey, sourceKey, packageKey, statusReason } = facts;
    const target = sourceKeyOf(packageKey ?? objectsOf(facts.id) + id);
    const moves = facts.parts.length > 0 && mediaKey !== target && sourceKey === null;
    if (moves) await this.objects.putFile(target, (await fetch()).path);
    await this.dataSource.transaction(async (manager) => {
      const status = await this.requireCurrent(manager, facts.id, id);
      const moved = moves ? { sourceKey: target } : {};
      await this.complete(manager, facts.id, status, { ...moved, statusReason });
    });
  }

  /**
   * Ends packaging without a package: in `ERROR`, or complete with a reason if the source is published already. `refusal` is why
   * trying again is pointless; null: it is not. With `attempt`, only if that attempt is current.
   */
  async fail(recordingId: string, refusal: string | null, attempt?: string): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      const locked = await this.statuses.lockOwned(manager, recordingId);
      if (locked === null) return;
      const { status, owner } = locked;
      if (attempt !== undefined && !(await isCurrentPackaging(manager, recordingId, attempt))) return;
      if (await this.replacements.fail(manager, recordingId, owner, refusal ?? GIVEN_UP)) return;
      if (status === 'MIGRATING' && (await isSourceOnly(manager, recordingId))) {
        const statusReason = NOT_CONVERTED + (refusal === null ? '; trying again may help.' : `: ${refusal}`);
        return this.complete(manager, recordingId, status, { statusReason });
      }
      const changes = { statusReason: refusal ?? GIVEN_UP };
      const failed = await this.statuses.apply(manager, recordingId, status, 'failed', changes);
      if (!failed) this.logger.error({ recordingId, status }, 'packaging abandoned');
    });
  }

  /** Puts everything that players need into the store, below this attempt's key. */
  private async store(
    { id, facts }: PackagingJob,
    source: LocalFile,
    { made, folder }: LocalPackage,
    signal: AbortSignal,
  ): Promise<EventChanges> {
    const packageKey = objectsOf(facts.id) + id;
    const files = await this.scratch.files(folder);
    while (files.length > 0) {
      signal.throwIfAborted();
      const batch = files.splice(0, FILES_AT_ONCE);
      await Promise.all(
        batch.map((file) => this.objects.putFile(`${packageKey}/${file}`, join(folder, file))),
      );
    }
    const startedAt = facts.startedAt ?? made.startedAt;
    const common = {
      packageKey,
      statusReason: made.notice,
      duration: rounded(made.duration),
      startedAt,
      endedAt: facts.endedAt ?? (startedAt && new Date(startedAt.getTime() + made.duration * 1000)),
    };
    if (made.video) {
      const { path, type } = made.video;
      const mediaSha256 = await this.scratch.sha256(join(folder, path));
      const converted = { mediaKey: `${packageKey}/${path}`, mediaType: type, mediaSha256 };
      if (facts.replaces) {
        const sourceKey = sourceKeyOf(packageKey);
        await this.objects.putFile(sourceKey, source.path);
        const { sourceType } = made;
        return { ...common, ...converted, sourceKey, sourceType, sourceSha256: source.sha256 };
      }
      if (facts.sourceKey !== null) return { ...common, ...converted };
      // An original that has been playable is kept where it is, and keeps the type it was served with.
      const { mediaKey: sourceKey, mediaType } = facts;
      const sourceType = mediaType ?? made.sourceType;
      return { ...common, ...converted, sourceKey, sourceType, sourceSha256: source.sha256 };
    }
    if (facts.parts.length === 0 || facts.mediaKey !== null) return common;
    const mediaKey = sourceKeyOf(packageKey);
    await this.objects.putFile(mediaKey, source.path);
    return { ...common, mediaKey, mediaType: made.sourceType, mediaSha256: source.sha256 };
  }

  /** Makes the package playable, atomically. Returns whether anything is left to move. */
  private async publishPackage({ id, facts }: PackagingJob, changes: EventChanges): Promise<boolean> {
    return this.dataSource.transaction(async (manager) => {
      const status = await this.requireCurrent(manager, facts.id, id);
      if (facts.replaces) {
        await this.replacements.publish(manager, facts.id, status, changes);
        return false;
      }
      // An imported recording already has its status.
      const keepsStatus = facts.parts.length === 0 && isPlayable(status);
      const events = { ...changes, progress: PACKAGED };
      if (!keepsStatus && (await this.statuses.apply(manager, facts.id, status, 'packaged', events)))
        return true;
      await manager.update(Recording, { id: facts.id }, { ...changes, packagingId: null });
      await this.media.scheduleGarbageCollection(manager, facts.id);
      await this.pipeline.follow(manager, 'packaged', { recordingId: facts.id });
      return false;
    });
  }

  /** To be called with the row locked: nothing else will be stored. */
  private async complete(
    manager: EntityManager,
    recordingId: string,
    status: RecordingStatus,
    changes: EventChanges,
  ): Promise<void> {
    const keys = await takeParts(manager, recordingId);
    const events = { ...changes, progress: 1, packagingId: null };
    await this.statuses.apply(manager, recordingId, status, 'stored', events);
    await this.media.discard(manager, keys);
    await this.media.scheduleGarbageCollection(manager, recordingId);
    await this.pipeline.follow(manager, 'stored', { recordingId });
  }

  /** Locks the recording. */
  private async requireCurrent(
    manager: EntityManager,
    recordingId: string,
    attempt: string,
  ): Promise<RecordingStatus> {
    const locked = await this.statuses.lockOwned(manager, recordingId);
    const isCurrent = await isCurrentPackaging(manager, recordingId, attempt);
    if (locked === null || !isCurrent) throw new SupersededError();
    return locked.status;
  }

  /** Removes what the attempt has stored, except the source if it is being played. */
  private async dropPackage({ id, facts }: PackagingJob): Promise<void> {
    const keys: string[] = [];
    for await (const { key } of this.objects.list(`${objectsOf(facts.id)}${id}/`))
      if (key !== facts.mediaKey) keys.push(key);
    await this.objects.delete(keys);
  }
}

const sourceKeyOf = (packageKey: string): string => `${packageKey}/source`;

/** Whole milliseconds. */
const rounded = (seconds: number): number => Math.round(seconds * 1000) / 1000;
