import { extname } from 'node:path';
import type { Readable } from 'node:stream';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import mime from 'mime';
import { DataSource, type EntityManager } from 'typeorm';
import { Clock } from '../../platform/clock/clock.js';
import { required } from '../../contract/domain-error.js';
import { isUuid, newId } from '../../platform/ids.js';
import { JobsService } from '../../platform/jobs/jobs.service.js';
import { ErasureService } from '../erasure/erasure.service.js';
import { ObjectStore } from '../../platform/storage/object-store.js';
import type { Recording } from '../recordings/access/entities/recording.entity.js';
import { ContentKeysService } from './keys/content-keys.service.js';
import { findPlayableMedia, findReferencedKeys } from './media.queries.js';
import { objectsOf, REMOVAL_JOBS, type PlayableMedia } from './public/media-objects.js';
import { DAY_MS, HOUR_MS } from '../../lib/durations.js';

type StoredMedia = Pick<Recording, 'mediaKey' | 'mediaType' | 'mediaSha256' | 'storedBytes'>;

/** Thousands can be due at once, when an organization is deleted: nothing else waits for them. */
const GARBAGE_PRIORITY = 101;

/** Stores, finds and reliably removes the objects of recordings. */
@Injectable()
export class MediaService implements OnModuleInit {
  constructor(
    private readonly dataSource: DataSource,
    private readonly objects: ObjectStore,
    private readonly jobs: JobsService,
    private readonly erasure: ErasureService,
    private readonly keys: ContentKeysService,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    const options = { removesObjects: true } as const;
    this.jobs.handle<{ keys: string[] }>(
      REMOVAL_JOBS.discard,
      ({ keys }) => this.objects.delete(keys),
      options,
    );
    this.jobs.handle<{ recordingId: string }>(
      REMOVAL_JOBS.tidy,
      ({ recordingId }) => this.collectGarbage(recordingId),
      options,
    );
  }

  /** Returns the media of a recording; 404 once it has been deleted. */
  async find(recordingId: string): Promise<PlayableMedia> {
    const media = isUuid(recordingId) && (await findPlayableMedia(this.dataSource.manager, recordingId));
    return required(media, 'RECORDING_NOT_FOUND');
  }

  /** Stores the media of a recording that is about to be created, and removes it a day later if it never is. */
  async store(recordingId: string, fileName: string, content: Readable): Promise<StoredMedia> {
    await this.scheduleGarbageCollection(this.dataSource.manager, recordingId);
    const mediaKey = objectsOf(recordingId) + newId();
    const { sha256, size } = await this.objects.put(mediaKey, content);
    const named = mime.getType(extname(fileName)) ?? '';
    // Only audio and video: browsers must never render anything else.
    const mediaType = /^(video|audio)\//.test(named) ? named : 'application/octet-stream';
    return { mediaKey, mediaType, mediaSha256: sha256, storedBytes: size };
  }

  /** Deletes objects, in a job of the transaction that removes the last reference to them. Keys are never reused. */
  async discard(manager: EntityManager, keys: readonly string[]): Promise<void> {
    if (keys.length > 0) await this.jobs.enqueue(manager, REMOVAL_JOBS.discard, [{ keys }]);
  }

  /**
   * Schedules, in the transaction that has deleted recordings, that all their objects are removed once it has
   * committed, even after a crash, and again a day later, in case a process still working on one died before cleaning
   * up after itself.
   */
  async scheduleDeletion(manager: EntityManager, recordingIds: readonly string[]): Promise<void> {
    await this.erasure.begin(manager, { of: 'recording', recordingIds });
    const payloads = recordingIds.map((recordingId) => ({ recordingId }));
    await this.jobs.enqueue(manager, REMOVAL_JOBS.tidy, payloads, { priority: GARBAGE_PRIORITY });
    await this.jobs.enqueue(manager, REMOVAL_JOBS.tidy, payloads, {
      runAt: this.tomorrow(),
      priority: GARBAGE_PRIORITY,
    });
  }

  /** Schedules that objects are removed which are about to be written, if no row refers to them a day later. */
  async scheduleGarbageCollection(manager: EntityManager, recordingId: string): Promise<void> {
    const options = { runAt: this.tomorrow(), priority: GARBAGE_PRIORITY, key: `tidy:${recordingId}` };
    await this.jobs.enqueue(manager, REMOVAL_JOBS.tidy, [{ recordingId }], options);
  }

  /** Removes the objects of a recording that no row refers to; recent ones only if the recording has been deleted. */
  private async collectGarbage(recordingId: string): Promise<void> {
    const used = await findReferencedKeys(this.dataSource.manager, recordingId);
    const before = this.clock.now().getTime() - HOUR_MS;
    const stale: string[] = [];
    for await (const { key, modifiedAt } of this.objects.list(objectsOf(recordingId))) {
      if (used && (modifiedAt.getTime() > before || used.some((prefix) => key.startsWith(prefix)))) continue;
      stale.push(key);
    }
    await this.objects.delete(stale);
    if (!used) await this.keys.delete(recordingId);
  }

  private tomorrow(): Date {
    return new Date(this.clock.now().getTime() + DAY_MS);
  }
}
