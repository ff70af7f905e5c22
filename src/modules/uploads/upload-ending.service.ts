import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '../../platform/clock/clock.js';
import { MediaService } from '../media/media.service.js';
import { Recording } from '../recordings/access/entities/recording.entity.js';
import { RecordingStatusService } from '../recordings/access/recording-status.service.js';
import { UploadSource } from './entities/upload-source.entity.js';
import { UploadPart } from './entities/upload-part.entity.js';
import { Upload } from './entities/upload.entity.js';
import type { OpenUpload } from './uploads.service.js';

const CANCELLED = 'The upload was cancelled.';

/** Ends uploads that do not become a recording. To be called with the recording's row locked. */
@Injectable()
export class UploadEndingService {
  constructor(
    private readonly statuses: RecordingStatusService,
    private readonly media: MediaService,
    private readonly clock: Clock,
  ) {}

  /** Removes the upload with its bytes, and sets `ERROR` with the reason; a recording that existed before stays as it was. */
  async fail(manager: EntityManager, { upload, status }: OpenUpload, statusReason: string): Promise<void> {
    const { recordingId, added } = upload;
    if (added) return this.failAdded(manager, recordingId, statusReason);
    await this.discardParts(manager, recordingId);
    await manager.delete(Upload, { recordingId });
    await this.statuses.apply(manager, recordingId, status, 'refused', { statusReason });
  }

  /** Removes the bytes of media that was to be added to a recording, and keeps the reason. */
  async failAdded(manager: EntityManager, recordingId: string, statusReason: string): Promise<void> {
    await this.discardParts(manager, recordingId);
    const changes = { received: 0, size: null, closedAt: this.clock.now(), statusReason };
    await manager.update(Upload, { recordingId, added: true }, changes);
    // The URL may contain a secret, and the row of the upload stays.
    await manager.delete(UploadSource, { recordingId });
  }

  /**
   * Removes the recording with its upload, unless it existed before, or somebody has already written something that would
   * be lost with it.
   */
  async cancel(manager: EntityManager, open: OpenUpload): Promise<void> {
    const { recordingId, added } = open.upload;
    if (added) {
      await this.discardParts(manager, recordingId);
      await manager.delete(Upload, { recordingId });
      return;
    }
    if (await this.hasContent(manager, recordingId)) return this.fail(manager, open, CANCELLED);
    await manager.delete(Recording, { id: recordingId });
    await this.media.scheduleDeletion(manager, [recordingId]);
  }

  /** Removes the bytes received so far. */
  async discardParts(manager: EntityManager, recordingId: string): Promise<void> {
    const parts = await manager.findBy(UploadPart, { recordingId });
    await manager.delete(UploadPart, { recordingId });
    const keys = parts.map(({ key }) => key);
    await this.media.discard(manager, keys);
  }

  private async hasContent(manager: EntityManager, recordingId: string): Promise<boolean> {
    const [row]: { found: boolean }[] = await manager.query(
      `SELECT r.notes <> '' OR EXISTS (SELECT FROM transcripts t WHERE t.recording_id = r.id)
              OR EXISTS (SELECT FROM summaries s WHERE s.recording_id = r.id) AS found
       FROM recordings r WHERE r.id = $1`,
      [recordingId],
    );
    return row?.found ?? false;
  }
}
