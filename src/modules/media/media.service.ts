import { extname } from 'node:path';
import type { Readable } from 'node:stream';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import mime from 'mime';
import type { DataSource, EntityManager } from 'typeorm';
import { Clock } from '../../platform/clock.js';
import { preparedQuery } from '../../platform/database/prepared-query.js';
import { DomainError } from '../../contract/domain-error.js';
import { isUuid, newId } from '../../platform/ids.js';
import { JobsService } from '../../platform/jobs/jobs.service.js';
import { ErasureService } from '../erasure/erasure.service.js';
import { ObjectStore } from '../../platform/storage/object-store.js';
import type { Recording } from '../recordings/access/entities/recording.entity.js';

/** The media columns of a recording. */
export type StoredMedia = Pick<Recording, 'mediaKey' | 'mediaType' | 'mediaSha256' | 'storedBytes'>;

/** What is needed to serve the media. */
export type PlayableMedia = Pick<
  Recording,
  | 'title'
  | 'mediaKey'
  | 'mediaType'
  | 'mediaSha256'
  | 'sourceKey'
  | 'sourceType'
  | 'sourceSha256'
  | 'packageKey'
>;

/** Also read together with the access decision for a URL issued to an API key. */
export const PLAYABLE_COLUMNS = `, r.title, r.media_key AS "mediaKey", r.media_type AS "mediaType", r.media_sha256 AS "mediaSha256",
         r.source_key AS "sourceKey", r.source_type AS "sourceType", r.source_sha256 AS "sourceSha256",
         r.package_key AS "packageKey"`;

const PLAYABLE = {
  name: 'playable-media',
  text: `SELECT r.id${PLAYABLE_COLUMNS} FROM recordings r WHERE r.id = $1`,
};

const DISCARD_JOB = 'media.discard';
const GARBAGE_JOB = 'media.tidy';
/** Thousands can be due at once, when an organization is deleted: nothing else waits for them. */
const GARBAGE_PRIORITY = 101;
const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;

/** The prefix of the keys of all objects of a recording. */
export const objectsOf = (recordingId: string): string => `recordings/${recordingId}/`;

/**
 * The version of media, from the key of one of its objects: `recordings/<recording>/<version>/...`. Every import and every
 * packaging attempt has its own.
 */
export const versionOf = (key: string): string => key.split('/')[2] ?? '';

/** Stores, finds and reliably removes the objects of recordings. */
@Injectable()
export class MediaService implements OnModuleInit {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly objects: ObjectStore,
    private readonly jobs: JobsService,
    private readonly erasure: ErasureService,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.jobs.handle<{ keys: string[] }>(DISCARD_JOB, ({ keys }) => this.objects.delete(keys));
    this.jobs.handle<{ recordingId: string }>(GARBAGE_JOB, ({ recordingId }) =>
      this.collectGarbage(recordingId),
    );
  }

  /** The media behind a signed URL. 404 once the recording is deleted, even while the URL is still valid. */
  async find(recordingId: string): Promise<PlayableMedia> {
    if (!isUuid(recordingId)) throw new DomainError('RECORDING_NOT_FOUND');
    const [recording] = await preparedQuery<PlayableMedia>(this.dataSource, PLAYABLE, [recordingId]);
    if (!recording) throw new DomainError('RECORDING_NOT_FOUND');
    return recording;
  }

  /** Stores the media of a recording that is about to be created, and removes it a day later if it never is. */
  async store(recordingId: string, fileName: string, content: Readable): Promise<StoredMedia> {
    await this.scheduleGarbageCollection(this.dataSource.manager, recordingId);
    const mediaKey = objectsOf(recordingId) + newId();
    const { sha256, size } = await this.objects.put(mediaKey, content);
    return { mediaKey, mediaType: mediaTypeOf(fileName), mediaSha256: sha256, storedBytes: size };
  }

  /** To be called in the transaction that removes the last reference to these objects. Keys are never reused. */
  async discard(manager: EntityManager, keys: readonly string[]): Promise<void> {
    if (keys.length > 0) await this.jobs.enqueue(manager, DISCARD_JOB, [{ keys }]);
  }

  /**
   * To be called in the transaction that has deleted recordings. All their objects are removed once it has committed, even
   * after a crash, and again a day later, in case a process still working on one died before cleaning up after itself.
   */
  async scheduleDeletion(manager: EntityManager, recordingIds: readonly string[]): Promise<void> {
    await this.erasure.begin(manager, { of: 'recording', recordingIds });
    const payloads = recordingIds.map((recordingId) => ({ recordingId }));
    await this.jobs.enqueue(manager, GARBAGE_JOB, payloads, { priority: GARBAGE_PRIORITY });
    await this.jobs.enqueue(manager, GARBAGE_JOB, payloads, {
      runAt: this.tomorrow(),
      priority: GARBAGE_PRIORITY,
    });
  }

  /** To be called before writing objects that no row refers to yet. */
  async scheduleGarbageCollection(manager: EntityManager, recordingId: string): Promise<void> {
    const options = { runAt: this.tomorrow(), priority: GARBAGE_PRIORITY };
    await this.jobs.enqueue(manager, GARBAGE_JOB, [{ recordingId }], options);
  }

  /** Removes the objects of a recording that no row refers to; recent ones only if the recording has been deleted. */
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

  /** Prefixes of the keys that rows refer to; null when the recording has been deleted. */
  private async references(recordingId: string): Promise<string[] | null> {
    const [row]: { keys: (string | null)[]; parts: string[]; retired: (string | null)[] }[] =
      await this.dataSource.query(
        `SELECT ARRAY[media_key, source_key, package_key || '/'] AS keys,
              ARRAY(SELECT key FROM upload_parts WHERE recording_id = r.id) AS parts,
              ARRAY(SELECT unnest(ARRAY[media_key, package_key || '/']) FROM retired_media
                    WHERE recording_id = r.id) AS retired
       FROM recordings r WHERE r.id = $1`,
        [recordingId],
      );
    return row ? [...row.keys, ...row.parts, ...row.retired].filter((key) => key !== null) : null;
  }

  private tomorrow(): Date {
    return new Date(this.clock.now().getTime() + DAY_MS);
  }
}

/** Media type by file name. Only audio and video types are returned: anything else must never be rendered by a browser. */
function mediaTypeOf(fileName: string): string {
  const type = mime.getType(extname(fileName)) ?? '';
  return /^(video|audio)\//.test(type) ? type : 'application/octet-stream';
}
