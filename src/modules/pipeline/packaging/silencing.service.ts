import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { DomainError } from '../../../contract/domain-error.js';
import type { MutedRange } from '../../../lib/media-engine/audio/mute.js';
import { packageMedia } from '../../../lib/media-engine/media-engine.js';
import { SETTINGS, type Settings } from '../../../platform/config/settings.js';
import { newId } from '../../../platform/ids.js';
import { COMMAND_LINE } from '../../../policy/management.js';
import { requireNotHeld } from '../../legal-holds/public/held.queries.js';
import { MediaService } from '../../media/media.service.js';
import { RetiredMediaService } from '../../media/retired-media.service.js';
import {
  type EventChanges,
  RecordingStatusService,
} from '../../recordings/access/recording-status.service.js';
import { SupersededError } from '../public/steps.js';
import { PackageFilesService, type PackagingJob } from './package-files.service.js';
import { beginSilencing, findStored, isCurrentPackaging } from './packaging.queries.js';
import { ScratchService } from './scratch.service.js';

const NO_SOURCE = { sourceKey: null, sourceType: null, sourceSha256: null };

/** Makes passages of recordings inaudible, in everything that is stored of them. */
@Injectable()
export class SilencingService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly scratch: ScratchService,
    private readonly files: PackageFilesService,
    private readonly statuses: RecordingStatusService,
    private readonly retired: RetiredMediaService,
    private readonly media: MediaService,
    @Inject(SETTINGS) private readonly settings: Pick<Settings, 'ffmpegPath'>,
  ) {}

  /**
   * Replaces the media of a recording, its original included, by media in which these ranges are silent. What is
   * replaced is not kept for those who are playing it. Returns false if there is nothing to hear. Throws
   * `UnplayableMediaError` if it cannot be done, and 409 `LEGAL_HOLD` if it must not; any other error is worth a retry, as while the recording is processed.
   */
  async silence(recordingId: string, mute: readonly MutedRange[], signal: AbortSignal): Promise<boolean> {
    const { manager } = this.dataSource;
    const id = newId();
    const facts = await beginSilencing(manager, recordingId, id);
    if (!facts) {
      if (!(await findStored(manager, recordingId)).media) return false;
      throw new Error('The recording is being processed');
    }
    const job: PackagingJob = { recordingId, id, facts };
    await this.media.scheduleGarbageCollection(manager, recordingId);
    return this.scratch.within(id, async (scratch) => {
      const stored = [{ key: facts.mediaKey }];
      const source = await this.scratch.assemble(stored, join(scratch, 'source'), signal);
      const folder = join(scratch, 'package');
      await mkdir(folder);
      const request = { source: source.path, folder, mute, ffmpeg: this.settings.ffmpegPath };
      const made = await packageMedia(request, { signal, onProgress: () => undefined });
      if (made.video === null) return false;
      const changes = await this.files.storePackage(job, source, { made, folder }, signal);
      await this.replace(job, changes).catch(async (error: unknown) => {
        if (error instanceof SupersededError || error instanceof DomainError) await this.files.drop(job);
        throw error;
      });
      return true;
    });
  }

  private async replace(job: PackagingJob, changes: EventChanges): Promise<void> {
    const { recordingId } = job;
    await this.dataSource.transaction(async (manager) => {
      const locked = await this.statuses.lockOwned(manager, recordingId);
      if (locked === null || !(await isCurrentPackaging(manager, job))) throw new SupersededError();
      await requireNotHeld(manager, COMMAND_LINE, [recordingId], 'silenced');
      await this.retired.retire(manager, recordingId, 0);
      await this.statuses.change(manager, recordingId, { ...NO_SOURCE, ...changes, packagingId: null });
    });
  }
}
