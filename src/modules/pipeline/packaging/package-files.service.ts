import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import { ObjectStore } from '../../../platform/storage/object-store.js';
import type { EventChanges } from '../../recordings/access/recording-status.service.js';
import { roundToMilliseconds } from '../../../lib/durations.js';
import type { MediaPackage } from '../../../lib/media-engine/process/packager-messages.js';
import { type LocalFile, ScratchService } from './scratch.service.js';
import { objectsOf } from '../../media/public/media-objects.js';
import type { PackagingFacts } from './packaging.queries.js';

export interface LocalPackage {
  readonly made: MediaPackage;
  readonly folder: string;
}

/** The objects that packaging stores. Every attempt writes below a key of its own. */
@Injectable()
export class PackageFilesService {
  constructor(
    private readonly objects: ObjectStore,
    private readonly scratch: ScratchService,
  ) {}

  /** Stores the original file below a package, by default that of the attempt, and returns its key. */
  async storeSource(job: PackagingJob, { path }: LocalFile, packageKey = packageKeyOf(job)): Promise<string> {
    const key = sourceKeyOf(packageKey);
    await this.objects.putFile(key, path);
    return key;
  }

  /** Stores everything that players need, and returns what the recording then has. Leaves nothing if it fails. */
  async storePackage(
    job: PackagingJob,
    source: LocalFile,
    { made, folder }: LocalPackage,
    signal: AbortSignal,
  ): Promise<EventChanges> {
    try {
      await this.scratch.store(folder, packageKeyOf(job), signal);
      return await this.storeMedia(job, source, { made, folder });
    } catch (error) {
      await this.drop(job);
      throw error;
    }
  }

  /** Removes what the attempt has stored, except the source if it is being played. */
  async drop(job: PackagingJob): Promise<void> {
    const keys: string[] = [];
    for await (const { key } of this.objects.list(`${packageKeyOf(job)}/`))
      if (key !== job.facts.mediaKey) keys.push(key);
    await this.objects.delete(keys);
  }

  private async storeMedia(
    job: PackagingJob,
    source: LocalFile,
    { made, folder }: LocalPackage,
  ): Promise<EventChanges> {
    const { facts } = job;
    const packageKey = packageKeyOf(job);
    const startedAt = facts.startedAt ?? made.startedAt;
    const common = {
      packageKey,
      statusReason: made.notice,
      duration: roundToMilliseconds(made.duration),
      startedAt,
      endedAt: facts.endedAt ?? (startedAt && new Date(startedAt.getTime() + made.duration * 1000)),
    };
    const { sourceType } = made;
    if (made.video) {
      const { path, type } = made.video;
      const mediaSha256 = await this.scratch.sha256(join(folder, path));
      const converted = { ...common, mediaKey: `${packageKey}/${path}`, mediaType: type, mediaSha256 };
      if (facts.replaces) {
        const sourceKey = await this.storeSource(job, source);
        return { ...converted, sourceKey, sourceType, sourceSha256: source.sha256 };
      }
      if (facts.sourceKey !== null) return converted;
      // An original that has been playable is kept where it is, and keeps the type it was served with.
      const { mediaKey: sourceKey, mediaType } = facts;
      return { ...converted, sourceKey, sourceType: mediaType ?? sourceType, sourceSha256: source.sha256 };
    }
    if (facts.parts.length === 0 || facts.mediaKey !== null) return common;
    const mediaKey = await this.storeSource(job, source);
    return { ...common, mediaKey, mediaType: sourceType, mediaSha256: source.sha256 };
  }
}

export interface PackagingJob {
  readonly recordingId: string;
  readonly id: string;
  readonly facts: PackagingFacts;
}

export const packageKeyOf = ({ recordingId, id }: PackagingJob): string => objectsOf(recordingId) + id;

/** The key of the original file below a package. */
export const sourceKeyOf = (packageKey: string): string => `${packageKey}/source`;
