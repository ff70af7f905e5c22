import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '../../platform/clock/clock.js';
import type { ChangedBy } from '../../policy/caller.js';
import { requireNotHeld } from '../legal-holds/public/held.queries.js';
import { MediaService } from '../media/media.service.js';
import { PipelineService } from '../pipeline/pipeline.service.js';
import { RECEIVED } from '../pipeline/public/steps.js';
import { Recording } from '../recordings/access/entities/recording.entity.js';
import { type OwnedStatus, RecordingStatusService } from '../recordings/access/recording-status.service.js';
import { DirectPart } from './entities/direct-part.entity.js';
import { recordingOf, Upload, UploadPart, UploadSource } from './entities/upload.entity.js';
import { type Advanced, refusalReason } from './upload-refusals.js';
import { hasContent } from './uploads.queries.js';

/** An open upload with its recording, both locked until the transaction ends. */
export interface OpenUpload extends OwnedStatus {
  readonly upload: Upload;
}

const CANCELED = 'The upload was canceled.';

/** Ends uploads: complete, refused or canceled. To be called with the recording's row locked. */
@Injectable()
export class UploadEndingService {
  constructor(
    private readonly statuses: RecordingStatusService,
    private readonly media: MediaService,
    private readonly pipeline: PipelineService,
    private readonly clock: Clock,
  ) {}

  /**
   * Acts on the bytes that have arrived: the last of them starts packaging, others are progress. Ends an upload that
   * cannot become a recording, and returns the reason.
   */
  async advance(manager: EntityManager, open: OpenUpload, upload: Upload): Promise<Advanced> {
    const { status, owner } = open;
    const { recordingId, size, received } = upload;
    const refused = refusalReason(upload);
    if (refused !== null) {
      await this.fail(manager, open, refused);
      return { upload, refused };
    }
    if (received === size) {
      const closedAt = this.clock.now();
      await manager.getRepository(Upload).update({ recordingId }, { closedAt });
      if (!upload.added)
        await this.statuses.apply(manager, recordingId, status, 'received', { progress: RECEIVED });
      const event = upload.trackOf === null ? 'received' : 'trackReceived';
      await this.pipeline.follow(manager, event, { recordingId, owner });
      return { upload: Object.assign(upload, { closedAt }) };
    }
    if (size === null && received > 0 && (!upload.added || upload.trackOf !== null))
      await this.pipeline.follow(manager, 'arriving', { recordingId, owner });
    if (upload.added) return { upload };
    const progress = size === null ? 0 : (RECEIVED * received) / size;
    const event = size === null ? 'bytes' : 'length';
    await this.statuses.apply(manager, recordingId, status, event, { progress });
    return { upload };
  }

  /** Removes the upload, and sets `ERROR` with the reason; a recording that existed before stays as it was. */
  async fail(
    manager: EntityManager,
    { upload, status, owner }: OpenUpload,
    statusReason: string,
  ): Promise<void> {
    const { recordingId, added, trackOf } = upload;
    if (added) await this.failAdded(manager, recordingId, statusReason);
    // The others have perhaps waited for it.
    if (trackOf !== null)
      await this.pipeline.follow(manager, 'tracksChanged', { recordingId: trackOf, owner, sentBy: null });
    if (added) return;
    await this.discardParts(manager, recordingId);
    await manager.getRepository(Upload).delete({ recordingId });
    await this.statuses.apply(manager, recordingId, status, 'refused', { statusReason });
  }

  /** Removes the bytes of media that was to be added to a recording, and keeps the reason. */
  async failAdded(manager: EntityManager, recordingId: string, statusReason: string): Promise<void> {
    await this.discardParts(manager, recordingId);
    const changes = { received: 0, size: null, closedAt: this.clock.now(), statusReason };
    await manager.getRepository(Upload).update({ recordingId, added: true }, changes);
    // The URL may contain a secret, and the row of the upload stays.
    await manager.getRepository(UploadSource).delete({ recordingId });
  }

  /** Removes the recording with its upload, unless it existed before, or has something that would be lost with it. */
  async cancel(manager: EntityManager, open: OpenUpload, by: ChangedBy): Promise<void> {
    const { recordingId, added, trackOf } = open.upload;
    await requireNotHeld(manager, by, [recordingOf(open.upload)], 'deleted');
    if (trackOf !== null) return this.fail(manager, open, CANCELED);
    if (added) return this.forget(manager, recordingId);
    if (await hasContent(manager, recordingId)) return this.fail(manager, open, CANCELED);
    await manager.delete(Recording, { id: recordingId });
    await this.media.scheduleDeletion(manager, [recordingId]);
  }

  /** Removes the upload of a recording, if it has one, with the bytes received so far. */
  async forget(manager: EntityManager, recordingId: string): Promise<void> {
    await this.discardParts(manager, recordingId);
    await manager.getRepository(Upload).delete({ recordingId });
  }

  /** Removes the bytes received so far. */
  async discardParts(manager: EntityManager, recordingId: string): Promise<void> {
    await this.pipeline.follow(manager, 'discarded', { recordingId });
    const keys: string[] = [];
    for (const part of [UploadPart, DirectPart]) {
      for (const { key } of await manager.findBy(part, { recordingId })) keys.push(key);
      await manager.delete(part, { recordingId });
    }
    await this.media.discard(manager, keys);
  }
}
