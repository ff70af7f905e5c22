import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource, EntityManager } from 'typeorm';
import { newId } from '../../platform/ids.js';
import { JobsService } from '../../platform/jobs/jobs.service.js';
import { AppLogger } from '../../platform/logging/app-logger.js';
import { ObjectStore } from '../../platform/storage/object-store.js';
import { isPlayable, type RecordingStatus } from '../../policy/recording-status.js';
import { MediaService, objectsOf } from '../media/media.service.js';
import {
  PACKAGE_JOB,
  PACKAGED,
  PackagingQueueService,
  RECEIVED,
  recordingOfJob,
} from '../packaging-queue/packaging-queue.service.js';
import { Recording } from '../recording-access/entities/recording.entity.js';
import { RecordingStatusService, type EventChanges } from '../recording-access/recording-status.service.js';
import { TranscriptionQueueService } from '../transcription-queue/transcription-queue.service.js';
import { runAttempt, SupersededError } from '../../platform/jobs/attempt.js';
import { Packager, type MediaPackage } from './packager.js';
import { UnplayableMediaError } from './unplayable-media.error.js';
import { PackagingRepository, type PackagingFacts } from './packaging.repository.js';
import { ScratchService, type LocalFile } from './scratch.service.js';

const GIVEN_UP = 'The recording could not be processed; trying again may help.';
const FILES_AT_ONCE = 4;

/** One attempt at one recording. */
interface PackagingAttempt {
  readonly id: string;
  readonly facts: PackagingFacts;
  readonly folder: string;
  readonly signal: AbortSignal;
  readonly onProgress: (fraction: number) => void;
}

/**
 * The job that packages a recording and moves it to long-term storage. Every attempt writes below its own key, and the
 * current one is published in one transaction.
 */
@Injectable()
export class PackagingWorkService implements OnModuleInit {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly jobs: JobsService,
    private readonly queue: PackagingQueueService,
    private readonly repository: PackagingRepository,
    private readonly statuses: RecordingStatusService,
    private readonly packager: Packager,
    private readonly scratch: ScratchService,
    private readonly objects: ObjectStore,
    private readonly media: MediaService,
    private readonly transcriptions: TranscriptionQueueService,
    private readonly logger: AppLogger,
  ) {}

  onModuleInit(): void {
    this.jobs.handle<{ recordingId: string }>(
      PACKAGE_JOB,
      ({ recordingId }, stop) => this.run(recordingId, stop),
      { onExhausted: (key) => this.fail(recordingOfJob(key), GIVEN_UP) },
    );
  }

  private async run(recordingId: string, stop: AbortSignal): Promise<void> {
    const id = newId();
    const facts = await this.repository.begin(recordingId, id);
    if (!facts || !hasWork(facts)) return;
    await runAttempt(
      {
        name: 'packaging',
        ids: { recordingId },
        isCurrent: (progress) => this.repository.progress(recordingId, id, progress),
        work: ({ signal, report }) =>
          this.scratch.within(id, (folder) =>
            this.work({
              id,
              facts,
              folder,
              signal,
              onProgress: (fraction) => report(RECEIVED + (PACKAGED - RECEIVED) * fraction),
            }),
          ),
        refusal: (error) => (error instanceof UnplayableMediaError ? error.message : null),
        fail: (reason) => this.fail(recordingId, reason, id),
        again: () => this.queue.enqueue(this.dataSource.manager, recordingId, facts.owner),
      },
      stop,
      this.logger,
    );
  }

  private async work(attempt: PackagingAttempt): Promise<void> {
    const { facts, folder, signal } = attempt;
    if (isMigrating(facts)) return this.migrate(attempt, facts, null);
    const source = await this.fetch(attempt);
    const out = join(folder, 'package');
    await mkdir(out);
    const made = await this.packager.package(
      { source: source.path, folder: out },
      { signal, onProgress: attempt.onProgress },
    );
    const changes = await this.store(attempt, source, made, out).catch(async (error: unknown) => {
      await this.dropObjects(attempt);
      throw error;
    });
    const migrates = await this.publish(attempt, changes).catch(async (error: unknown) => {
      if (error instanceof SupersededError) await this.dropObjects(attempt);
      throw error;
    });
    if (migrates) await this.migrate(attempt, { ...facts, ...changes }, source);
  }

  private fetch({ facts, folder, signal }: PackagingAttempt): Promise<LocalFile> {
    return this.scratch.assemble(sourceKeys(facts), join(folder, 'source'), signal);
  }

  /** Puts everything that players need into the store, below this attempt's key. */
  private async store(
    { id, facts, signal }: PackagingAttempt,
    source: LocalFile,
    made: MediaPackage,
    out: string,
  ): Promise<EventChanges> {
    const packageKey = objectsOf(facts.id) + id;
    const files = await this.scratch.files(out);
    while (files.length > 0) {
      signal.throwIfAborted();
      const batch = files.splice(0, FILES_AT_ONCE);
      await Promise.all(batch.map((file) => this.objects.putFile(`${packageKey}/${file}`, join(out, file))));
    }
    const startedAt = facts.startedAt ?? made.startedAt;
    const common = {
      packageKey,
      duration: Math.round(made.duration * 1000) / 1000,
      startedAt,
      endedAt: facts.endedAt ?? (startedAt && new Date(startedAt.getTime() + made.duration * 1000)),
    };
    if (made.video) {
      const { path, type } = made.video;
      const mediaSha256 = await this.scratch.sha256(join(out, path));
      // An imported original is kept alongside the converted file.
      const sourceKey = facts.sourceKey ?? facts.mediaKey;
      return { ...common, mediaKey: `${packageKey}/${path}`, mediaType: type, mediaSha256, sourceKey };
    }
    if (facts.parts.length === 0) return common;
    const mediaKey = sourceKeyOf(packageKey);
    await this.objects.putFile(mediaKey, source.path);
    return { ...common, mediaKey, mediaType: made.sourceType, mediaSha256: source.sha256 };
  }

  /** Makes the package playable, atomically. Returns whether anything is left to move. */
  private async publish({ id, facts }: PackagingAttempt, changes: EventChanges): Promise<boolean> {
    return this.dataSource.transaction(async (manager) => {
      const status = await this.requireCurrent(manager, facts.id, id);
      const events = { ...changes, progress: PACKAGED };
      if (await this.statuses.apply(manager, facts.id, status, 'packaged', events)) return true;
      // An imported recording already has its status.
      await manager.update(Recording, { id: facts.id }, { ...changes, packagingId: null });
      await this.media.scheduleGarbageCollection(manager, facts.id);
      await this.transcriptions.startAutomatically(manager, facts.id);
      return false;
    });
  }

  /** Moves the original upload to its permanent key, unless it already is the video; its parts are then no longer needed. */
  private async migrate(
    attempt: PackagingAttempt,
    { mediaKey, packageKey }: Pick<EventChanges, 'mediaKey' | 'packageKey'>,
    fetched: LocalFile | null,
  ): Promise<void> {
    const { id, facts } = attempt;
    const target = sourceKeyOf(packageKey ?? objectsOf(facts.id) + id);
    const moves = facts.parts.length > 0 && mediaKey !== target;
    if (moves) await this.objects.putFile(target, (fetched ?? (await this.fetch(attempt))).path);
    await this.dataSource.transaction(async (manager) => {
      const status = await this.requireCurrent(manager, facts.id, id);
      const keys = await this.repository.takeParts(manager, facts.id);
      const changes = { progress: 1, packagingId: null, ...(moves ? { sourceKey: target } : {}) };
      await this.statuses.apply(manager, facts.id, status, 'stored', changes);
      await this.media.discard(manager, keys);
      await this.media.scheduleGarbageCollection(manager, facts.id);
      await this.transcriptions.startAutomatically(manager, facts.id);
    });
  }

  /** Locks the recording; throws `SupersededError` if it has been deleted or another attempt is current. */
  private async requireCurrent(
    manager: EntityManager,
    recordingId: string,
    attempt: string,
  ): Promise<RecordingStatus> {
    const status = await this.statuses.lock(manager, recordingId);
    const isCurrent = await manager.existsBy(Recording, { id: recordingId, packagingId: attempt });
    if (status === null || !isCurrent) throw new SupersededError();
    return status;
  }

  /** Marks packaging as failed; with `attempt`, only if that attempt is current. */
  private async fail(recordingId: string, statusReason: string, attempt?: string): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      const status = await this.statuses.lock(manager, recordingId);
      if (status === null) return;
      const current = { id: recordingId, packagingId: attempt };
      if (attempt !== undefined && !(await manager.existsBy(Recording, current))) return;
      const failed = await this.statuses.apply(manager, recordingId, status, 'failed', { statusReason });
      if (!failed) this.logger.error({ recordingId, status }, 'packaging abandoned');
    });
  }

  private async dropObjects({ id, facts }: PackagingAttempt): Promise<void> {
    const keys: string[] = [];
    for await (const { key } of this.objects.list(`${objectsOf(facts.id)}${id}/`)) keys.push(key);
    await this.objects.delete(keys);
  }
}

const sourceKeyOf = (packageKey: string): string => `${packageKey}/source`;

/** The objects that the media is assembled from. */
function sourceKeys({ parts, sourceKey, mediaKey }: PackagingFacts): string[] {
  if (parts.length > 0) return parts.map(({ key }) => key);
  const key = sourceKey ?? mediaKey;
  return key === null ? [] : [key];
}

/** Published by an earlier attempt that got no further. */
const isMigrating = ({ status, packageKey }: PackagingFacts): boolean =>
  status === 'MIGRATING' && packageKey !== null;

function hasWork(facts: PackagingFacts): boolean {
  if (isMigrating(facts)) return true;
  if (sourceKeys(facts).length === 0) return false;
  return facts.status === 'PROCESSING' || (isPlayable(facts.status) && facts.packageKey === null);
}
