import { Inject, Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource, EntityManager } from 'typeorm';
import { SETTINGS, type Settings } from '../../platform/config/settings.js';
import { DomainError } from '../../contract/domain-error.js';
import { changedBy, type Caller } from '../../policy/caller.js';
import type { RecordingStatus } from '../../policy/recording-status.js';
import { QuotasService } from '../quotas/quotas.service.js';
import { Recording } from '../recordings/access/entities/recording.entity.js';
import { RecordingStatusService } from '../recordings/access/recording-status.service.js';
import { Upload } from './entities/upload.entity.js';
import { UploadCreationService, type NewRecording } from './upload-creation.service.js';
import { UploadEndingService } from './upload-ending.service.js';
import { transactionBy } from '../../platform/database/transaction-by.js';

/** What the recording has so far. */
interface KeptMedia {
  readonly mediaKey: string | null;
  /** Null if it has not been measured yet. */
  readonly storedBytes: number;
}

export type NewMedia = Pick<NewRecording, 'size' | 'sourceUrl' | 'transcribe' | 'language'>;

/** Opens uploads for recordings that exist already: to add media, or to replace it. */
@Injectable()
export class UploadOpeningService {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly statuses: RecordingStatusService,
    private readonly creation: UploadCreationService,
    private readonly ending: UploadEndingService,
    private readonly quotas: QuotasService,
    @Inject(SETTINGS) private readonly settings: Pick<Settings, 'autoTranscribe'>,
  ) {}

  /** The recording keeps its status and its media until the new media has been packaged. */
  async open(caller: Pick<Caller, 'id'>, recordingId: string, input: NewMedia): Promise<void> {
    this.creation.requireSize(input);
    const { id: userId } = caller;
    await transactionBy(this.dataSource, changedBy(caller), async (manager) => {
      const locked = await this.statuses.lockOwned(manager, recordingId);
      // Deleted by another request since it was looked up.
      if (locked === null) throw new DomainError('RECORDING_NOT_FOUND');
      const media = await mediaOf(manager, recordingId);
      await this.endEarlier(manager, recordingId, locked.status, media);
      await this.creation.requireSlot(manager, userId);
      const { size, transcribe = this.settings.autoTranscribe, language } = input;
      await manager.update(Recording, { id: recordingId }, { autoTranscribe: transcribe, language });
      const keptBytes = media.mediaKey === null ? 0 : media.storedBytes;
      const upload = { recordingId, userId, added: true, keptBytes };
      await this.creation.openUpload(manager, upload, locked.owner, input);
      // Of an unknown number of bytes, at least one will follow.
      const demand = { creates: false, starts: true, added: size ?? 0, ahead: size === undefined ? 1 : 0 };
      await this.quotas.requireRoom(manager, locked.owner, demand);
    });
  }

  /** Removes what is left of an upload that has failed. Throws 409 `CONFLICT` if it still goes on. */
  private async endEarlier(
    manager: EntityManager,
    recordingId: string,
    status: RecordingStatus,
    { mediaKey }: KeptMedia,
  ): Promise<void> {
    const upload = await manager.findOneBy(Upload, { recordingId });
    if (upload?.closedAt === null) {
      throw new DomainError(
        'CONFLICT',
        'This recording has an open upload. Continue it, or cancel it first.',
      );
    }
    const isProcessed = upload
      ? upload.statusReason === null && (upload.added || status !== 'ERROR')
      : mediaKey !== null && (status === 'PROCESSING' || status === 'MIGRATING');
    if (isProcessed) {
      throw new DomainError('CONFLICT', 'The media of this recording is being processed. Try again later.');
    }
    if (!upload) return;
    await this.ending.discardParts(manager, recordingId);
    await manager.delete(Upload, { recordingId });
  }
}

async function mediaOf(manager: EntityManager, recordingId: string): Promise<KeptMedia> {
  const [media]: [KeptMedia] = await manager.query(
    `SELECT media_key AS "mediaKey", stored_bytes::float8 AS "storedBytes"
     FROM recordings WHERE id = $1`,
    [recordingId],
  );
  return media;
}
