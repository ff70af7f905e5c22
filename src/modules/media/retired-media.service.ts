import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { EntityManager, FindOptionsWhere, Repository } from 'typeorm';
import { Clock } from '../../platform/clock/clock.js';
import { SETTINGS, type Settings } from '../../platform/config/settings.js';
import { DAY_MS } from '../../lib/durations.js';
import { JobsService } from '../../platform/jobs/jobs.service.js';
import { ObjectStore } from '../../platform/storage/object-store.js';
import { NOBODY, requireNotHeld } from '../legal-holds/public/held.queries.js';
import { RetiredMedia } from './entities/retired-media.entity.js';
import { Track } from './entities/track.entity.js';
import {
  clearMedia,
  clearOriginal,
  findPartsOfTracks,
  findPlayableMedia,
  isRetiredUnderHold,
} from './media.queries.js';
import { versionOf, type PlayableMedia, REMOVAL_JOBS } from './public/media-objects.js';

/** Everything that belongs to replaced media. */
type Removal = Pick<RetiredMedia, 'recordingId' | 'mediaKey' | 'sourceKey' | 'packageKey'>;

/** What a URL delivers. */
export type DeliveredMedia = Omit<PlayableMedia, 'title'>;

/**
 * Media that was replaced. It stays until every URL issued for it has expired, so that those who are playing it can
 * watch it to its end, and never get parts of two videos.
 */
@Injectable()
export class RetiredMediaService implements OnModuleInit {
  constructor(
    @InjectRepository(RetiredMedia) private readonly retired: Repository<RetiredMedia>,
    private readonly objects: ObjectStore,
    private readonly jobs: JobsService,
    private readonly clock: Clock,
    @Inject(SETTINGS) private readonly settings: Pick<Settings, 'mediaUrlTtl'>,
  ) {}

  onModuleInit(): void {
    this.jobs.handle<Removal>(REMOVAL_JOBS.removeRetired, (removal) => this.remove(removal), {
      removesObjects: true,
    });
  }

  /**
   * Keeps the media of a recording whose row is locked, before the transaction replaces it: 409 `CONFLICT` under legal
   * hold. Only the latest is kept: replacing again and again must not fill the disk. `seconds`: for how long; 0 to remove
   * it at once.
   */
  async retire(
    manager: EntityManager,
    recordingId: string,
    seconds: number = this.settings.mediaUrlTtl,
  ): Promise<void> {
    const current = await findPlayableMedia(manager, recordingId);
    if (!current || current.mediaKey === null) return;
    await requireNotHeld(manager, NOBODY, [recordingId], 'given other media');
    const { title: _, ...media } = { ...current, mediaKey: current.mediaKey };
    const retired = manager.getRepository(RetiredMedia);
    const earlier = await retired.findOneBy({ recordingId });
    if (earlier) await this.scheduleRemoval(manager, earlier, this.clock.now());
    const until = new Date(this.clock.now().getTime() + seconds * 1000);
    await retired.upsert({ recordingId, ...media, until }, ['recordingId']);
    await this.scheduleRemoval(manager, { recordingId, ...media }, until);
  }

  /** Removes the media of a recording whose row is locked, and what it had before: their URLs end at once. */
  async removeAll(manager: EntityManager, recordingId: string): Promise<void> {
    const now = this.clock.now();
    const current = await findPlayableMedia(manager, recordingId);
    const retired = await manager.getRepository(RetiredMedia).findOneBy({ recordingId });
    for (const media of [current, retired]) {
      if (media && media.mediaKey !== null)
        await this.scheduleRemoval(manager, { ...media, recordingId, mediaKey: media.mediaKey }, now);
    }
    await manager.getRepository(RetiredMedia).delete({ recordingId });
    await this.removeTracks(manager, { recordingId });
    await clearMedia(manager, recordingId, now);
  }

  /** Removes tracks of a recording whose row is locked, with their files: their URLs end at once. */
  async removeTracks(manager: EntityManager, which: FindOptionsWhere<Track>): Promise<void> {
    const now = this.clock.now();
    const tracks = await manager.findBy(Track, which);
    if (tracks.length === 0) return;
    const ids = tracks.map(({ id }) => id);
    const parts = await findPartsOfTracks(manager, ids);
    if (parts.length > 0) await this.jobs.enqueue(manager, REMOVAL_JOBS.discard, [{ keys: parts }]);
    for (const { recordingId, sourceKey, packageKey } of tracks) {
      if (sourceKey !== null)
        await this.scheduleRemoval(manager, { recordingId, mediaKey: sourceKey, sourceKey, packageKey }, now);
    }
    await manager.delete(Track, ids);
  }

  /** Removes the file that the media of a recording, whose row is locked, was converted from. */
  async removeOriginal(manager: EntityManager, recordingId: string): Promise<void> {
    const media = await findPlayableMedia(manager, recordingId);
    if (!media || media.sourceKey === null) return;
    await clearOriginal(manager, recordingId, this.clock.now());
    await this.jobs.enqueue(manager, REMOVAL_JOBS.discard, [{ keys: [media.sourceKey] }]);
  }

  /** Finds the version that a URL names: the current one, or the one before it while it is kept; null otherwise. */
  async find(recordingId: string, current: DeliveredMedia, version: string): Promise<DeliveredMedia | null> {
    if (hasVersion(current, version)) return current;
    const retired = await this.retired.findOneBy({ recordingId });
    return retired && retired.until > this.clock.now() && hasVersion(retired, version) ? retired : null;
  }

  private async scheduleRemoval(manager: EntityManager, media: Removal, runAt: Date): Promise<void> {
    const { recordingId, mediaKey, sourceKey, packageKey } = media;
    const removal = { recordingId, mediaKey, sourceKey, packageKey };
    await this.jobs.enqueue<Removal>(manager, REMOVAL_JOBS.removeRetired, [removal], { runAt });
  }

  private async remove(removal: Removal): Promise<void> {
    const { recordingId, mediaKey, sourceKey, packageKey } = removal;
    if (await isRetiredUnderHold(this.retired.manager, recordingId, mediaKey)) {
      const tomorrow = new Date(this.clock.now().getTime() + DAY_MS);
      return this.scheduleRemoval(this.retired.manager, removal, tomorrow);
    }
    const keys = [mediaKey, ...(sourceKey === null ? [] : [sourceKey])];
    if (packageKey !== null) {
      for await (const { key } of this.objects.list(`${packageKey}/`)) keys.push(key);
    }
    await this.objects.delete(keys);
    await this.retired.delete({ recordingId, mediaKey });
  }
}

const hasVersion = ({ mediaKey, sourceKey, packageKey }: DeliveredMedia, version: string): boolean =>
  [mediaKey, sourceKey, packageKey].some((key) => key !== null && versionOf(key) === version);
