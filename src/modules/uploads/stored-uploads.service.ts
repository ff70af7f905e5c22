import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '../../platform/clock/clock.js';
import type { JobOwner } from '../../platform/jobs/fair-share.js';
import { MediaService } from '../media/media.service.js';
import { QuotasService } from '../quotas/quotas.service.js';
import { Upload, UploadPart } from './entities/upload.entity.js';
import { takeUpload } from './uploads.queries.js';

/** Uploads that are complete. To be called with the row of the recording locked. */
@Injectable()
export class StoredUploadsService {
  constructor(
    private readonly media: MediaService,
    private readonly quotas: QuotasService,
    private readonly clock: Clock,
  ) {}

  /** Adds the upload of an object that the service itself has stored: of a track, or of other media for a recording. */
  async add(
    manager: EntityManager,
    upload: Pick<Upload, 'recordingId' | 'trackOf' | 'userId' | 'mediaType'>,
    { key, size, owner }: { readonly key: string; readonly size: number; readonly owner: JobOwner },
  ): Promise<void> {
    const { recordingId } = upload;
    const now = this.clock.now();
    const whole = { size, received: size, added: true, activeAt: now, closedAt: now };
    // One that failed has left its reason.
    await manager.delete(Upload, { recordingId });
    await manager.insert(Upload, { ...upload, ...whole });
    await manager.insert(UploadPart, { recordingId, start: 0, size, key });
    await this.quotas.requireRoom(manager, owner, { creates: false, added: size, ahead: 0 });
  }

  /** Removes an upload whose bytes are stored elsewhere by now; returns who sent it. */
  async take(manager: EntityManager, recordingId: string, added: boolean): Promise<string | null> {
    const { keys, sentBy } = await takeUpload(manager, recordingId, added);
    await this.media.discard(manager, keys);
    return sentBy;
  }
}
