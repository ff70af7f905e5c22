import { mkdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { splitTracks } from '../../../lib/media-engine/media-engine.js';
import { LIMITS } from '../../../contract/limits.js';
import { twoLetterCode } from '../../../lib/language/language-codes.js';
import { oneLine } from '../../../lib/text.js';
import { ArchiveError } from '../../../lib/recorder-archives/archive.error.js';
import type { JobOwner } from '../../../platform/jobs/fair-share.js';
import { Clock } from '../../../platform/clock/clock.js';
import { SETTINGS, type Settings } from '../../../platform/config/settings.js';
import { newId } from '../../../platform/ids.js';
import { ObjectStore } from '../../../platform/storage/object-store.js';
import { Track, type TrackKind } from '../../media/entities/track.entity.js';
import { partsOf } from '../../media/public/media-objects.js';
import { findTrackNames } from '../../media/public/heard-tracks.queries.js';
import { MediaService } from '../../media/media.service.js';
import { RetiredMediaService } from '../../media/retired-media.service.js';
import type { LocalFile } from '../../pipeline/packaging/scratch.service.js';
import { PipelineService } from '../../pipeline/pipeline.service.js';
import { type Attempt, RefusedError } from '../../pipeline/public/steps.js';
import { StoredUploadsService } from '../../uploads/stored-uploads.service.js';
import type { ThreadTask } from '../../../platform/work/thread-task.js';
import { WorkPool } from '../../../platform/work/work-pool.service.js';
import { TRACK_LIMITS } from '../track-limits.js';
import { freeName } from '../track-names.js';
import type { ArchiveToRead, ReadArchive } from './read-archive.task.js';
import { TrackFilesService } from './track-files.service.js';
import type { TrackJob } from './track-work.queries.js';

/** Not imported: only threads need what it loads. */
const READ_ARCHIVE: ThreadTask<ArchiveToRead, ReadArchive> = {
  module: new URL('./read-archive.task.js', import.meta.url).href,
};
/** A million entries take a few. */
const READ_SECONDS = 60;
export const ARCHIVE_TYPE = 'application/zip';

/** A file that becomes a track. */
interface FoundFile {
  readonly path: string;
  /** As the file says, untrusted; empty if unknown. */
  readonly name: string;
  readonly kind?: TrackKind;
  readonly language?: string | null;
  readonly offset?: number | null;
}

export interface StoredFile extends FoundFile {
  readonly key: string;
  readonly size: number;
}

/** Where files become tracks, and what these have in common. */
interface TrackPlace extends Pick<Track, 'recordingId' | 'kind' | 'language' | 'origin'> {
  readonly owner: JobOwner;
  readonly sentBy: string | null;
}

/** Takes apart what contains several tracks: a ZIP of a recorder, or a file with several voices. */
@Injectable()
export class ArchivedTracksService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly objects: ObjectStore,
    private readonly media: MediaService,
    private readonly retired: RetiredMediaService,
    private readonly stored: StoredUploadsService,
    private readonly pipeline: PipelineService,
    private readonly files: TrackFilesService,
    private readonly pool: WorkPool,
    private readonly clock: Clock,
    @Inject(SETTINGS) private readonly settings: Pick<Settings, 'maxUploadSize' | 'ffmpegPath'>,
  ) {}

  /** Replaces a track that is an archive by the tracks in it. Throws `RefusedError`, which names the entry that is wrong. */
  async unpack({ job, signal }: Attempt<TrackJob>, archive: LocalFile, folder: string): Promise<void> {
    try {
      const limits = { tracks: TRACK_LIMITS.tracks, bytes: this.settings.maxUploadSize };
      const caller = job.facts.sentBy ?? job.facts.recordingId;
      const options = { caller, seconds: READ_SECONDS, signal, accepted: true };
      const entries = await this.pool.run(READ_ARCHIVE, { path: archive.path, limits }, options);
      if ('mistake' in entries) throw new RefusedError(entries.mistake);
      const { extractTrack } = await import('../../../lib/recorder-archives/recorder-archives.js');
      const stored: StoredFile[] = [];
      // In a recording with other media, only what is heard says where the archive begins.
      const isAlone = job.facts.mixKey === null;
      for (const { entry, offset, ...track } of entries) {
        const path = join(folder, 'entry');
        await extractTrack(archive.path, entry, path, signal);
        stored.push(
          await this.store(job.facts.recordingId, { ...track, offset: isAlone ? offset : null, path }),
        );
        await rm(path);
      }
      await this.put(job, stored);
    } catch (error) {
      if (error instanceof ArchiveError) throw new RefusedError(error.message, { cause: error });
      throw error;
    }
  }

  /** Replaces a track by these files. */
  async replace(job: TrackJob, found: readonly FoundFile[]): Promise<void> {
    const stored: StoredFile[] = [];
    const { recordingId, givenOffset: offset } = job.facts;
    for (const file of found) stored.push(await this.store(recordingId, { ...file, offset }));
    await this.put(job, stored);
  }

  /** Writes a file for each voice of a media file that has several on tracks of their own. */
  async voicesIn(source: string, scratch: string, signal: AbortSignal): Promise<FoundFile[]> {
    const folder = join(scratch, 'voices');
    await mkdir(folder);
    const request = { source, folder, ffmpeg: this.settings.ffmpegPath };
    const found = await splitTracks(request, { signal, onProgress: () => undefined });
    return found.map(({ path, title, language }) => ({ path, name: title ?? '', language }));
  }

  /** Stores a file, which is collected a day later unless it becomes a track. */
  async store(recordingId: string, file: FoundFile): Promise<StoredFile> {
    await this.media.scheduleGarbageCollection(this.dataSource.manager, recordingId);
    const key = partsOf(recordingId) + newId();
    await this.objects.putFile(key, file.path);
    return { ...file, key, size: (await stat(file.path)).size };
  }

  /** Adds stored files as tracks, to be processed. Throws `RefusedError` if they are too many. */
  async add(
    manager: EntityManager,
    { recordingId, sentBy: userId, owner, ...common }: TrackPlace,
    files: readonly StoredFile[],
  ): Promise<void> {
    const { names } = await findTrackNames(manager, recordingId);
    if (names.length + files.length > TRACK_LIMITS.tracks)
      throw new RefusedError(
        `The file contains ${files.length} tracks, but the recording already has ${names.length} others, and can have ${TRACK_LIMITS.tracks} in all.`,
      );
    const taken = [...names];
    for (const { key, size, offset = null, kind, ...said } of files) {
      const id = newId();
      const name = oneLine(said.name, LIMITS.speaker.max) || freeName(taken);
      taken.push(name);
      await manager.insert(Track, {
        ...common,
        ...(kind && { kind }),
        language: (said.language && twoLetterCode(said.language)) || common.language,
        id,
        recordingId,
        userId: null,
        name,
        givenOffset: offset,
        createdAt: this.clock.now(),
      });
      const upload = { recordingId: id, trackOf: recordingId, userId, mediaType: null };
      await this.stored.add(manager, upload, { key, size, owner });
      await this.pipeline.follow(manager, 'trackReceived', { recordingId: id, owner });
    }
  }

  private async put(job: TrackJob, files: readonly StoredFile[]): Promise<void> {
    const { recordingId, sentBy, kind, language } = job.facts;
    await this.files.change(job, async (manager) => {
      await this.retired.removeTracks(manager, { id: job.recordingId, recordingId });
      const place = { recordingId, owner: job.facts, sentBy, kind, language, origin: 'archive' } as const;
      await this.add(manager, place, files);
    });
  }
}
