import type { Readable } from 'node:stream';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource, EntityManager } from 'typeorm';
import { Clock } from '../../platform/clock.js';
import { preparedQuery } from '../../platform/database/prepared-query.js';
import { DomainError } from '../../contract/domain-error.js';
import { isUuid, newId } from '../../platform/ids.js';
import { JobsService } from '../../platform/jobs/jobs.service.js';
import { ObjectStore } from '../../platform/storage/object-store.js';
import type { Recording } from '../recording-access/entities/recording.entity.js';
import { mediaTypeOf } from './media-types.js';

/** The media columns of a recording. */
export type StoredMedia = Pick<Recording, 'mediaKey' | 'mediaType' | 'mediaSha256'>;

/** What it takes to send the media. */
export type PlayableMedia = Pick<
  Recording,
  'title' | 'mediaKey' | 'mediaType' | 'mediaSha256' | 'packageKey'
>;

/** Asked at every range of a playing video. */
const PLAYABLE = {
  name: 'playable-media',
  text: `SELECT title, media_key AS "mediaKey", media_type AS "mediaType", media_sha256 AS "mediaSha256",
                package_key AS "packageKey"
         FROM recordings WHERE id = $1`,
};

const DISCARD_JOB = 'media.discard';
const GARBAGE_JOB = 'media.tidy';
const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;

/** Where all objects of a recording lie. */
export const objectsOf = (recordingId: string): string => `recordings/${recordingId}/`;

/** The objects of recordings: put away, found again, and removed for certain. */
@Injectable()
export class MediaService implements OnModuleInit {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly objects: ObjectStore,
    private readonly jobs: JobsService,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.jobs.handle<{ keys: string[] }>(DISCARD_JOB, ({ keys }) => this.objects.delete(keys));
    this.jobs.handle<{ recordingId: string }>(GARBAGE_JOB, ({ recordingId }) =>
      this.collectGarbage(recordingId),
    );
  }

  /** The media behind a signed address. Gone with its recording, even while the address is still valid. */
  async find(recordingId: string): Promise<PlayableMedia> {
    if (!isUuid(recordingId)) throw new DomainError('RECORDING_NOT_FOUND');
    const [recording] = await preparedQuery<PlayableMedia>(this.dataSource, PLAYABLE, [recordingId]);
    if (!recording) throw new DomainError('RECORDING_NOT_FOUND');
    return recording;
  }

  /** Stores the media of a recording that is about to be written; removed a day later should that not happen. */
  async store(recordingId: string, fileName: string, content: Readable): Promise<StoredMedia> {
    await this.scheduleGarbageCollection(this.dataSource.manager, recordingId);
    const mediaKey = objectsOf(recordingId) + newId();
    const { sha256 } = await this.objects.put(mediaKey, content);
    return { mediaKey, mediaType: mediaTypeOf(fileName), mediaSha256: sha256 };
  }

  /** In the transaction that takes the last reference to these objects away. Keys are never used again. */
  async discard(manager: EntityManager, keys: readonly string[]): Promise<void> {
    if (keys.length > 0) await this.jobs.enqueue(manager, DISCARD_JOB, [{ keys }]);
  }

  /**
   * In the transaction that deletes recordings: all their objects go once it has committed, whatever crashes then, and
   * once more a day later, should a process that still worked on one have died before it could clean up after itself.
   */
  async scheduleDeletion(manager: EntityManager, recordingIds: readonly string[]): Promise<void> {
    const payloads = recordingIds.map((recordingId) => ({ recordingId }));
    await this.jobs.enqueue(manager, GARBAGE_JOB, payloads);
    await this.jobs.enqueue(manager, GARBAGE_JOB, payloads, { runAt: this.tomorrow() });
  }

  /** For whoever is about to write objects that no row refers to yet. */
  async scheduleGarbageCollection(manager: EntityManager, recordingId: string): Promise<void> {
    await this.jobs.enqueue(manager, GARBAGE_JOB, [{ recordingId }], { runAt: this.tomorrow() });
  }

  /** Removes the objects of a recording that no row refers to; fresh ones only when the recording is gone. */
  private async collectGarbage(recordingId: string): Promise<void> {
    const used = await this.references(recordingId);
    const before = this.clock.now().getTime() - HOUR_MS;
    const stale: string[] = [];
    for await (const { key, modifiedAt } of this.objects.list(objectsOf(recordingId))) {
      if (used && (modifiedAt.getTime() > before || used.some((prefix) => key.startsWith(prefix)))) continue;
      stale.push(key);
    }
    await this.objects.delete(stale);
  }

  /** Beginnings of the keys that rows refer to; null when the recording is gone. */
  private async references(recordingId: string): Promise<string[] | null> {
    const [row]: { keys: (string | null)[]; parts: string[] }[] = await this.dataSource.query(
      `SELECT ARRAY[media_key, source_key, package_key || '/'] AS keys,
              ARRAY(SELECT key FROM upload_parts WHERE recording_id = r.id) AS parts
       FROM recordings r WHERE r.id = $1`,
      [recordingId],
    );
    return row ? [...row.keys.filter((key) => key !== null), ...row.parts] : null;
  }

  private tomorrow(): Date {
    return new Date(this.clock.now().getTime() + DAY_MS);
  }
}
