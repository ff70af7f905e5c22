import { Inject, Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { requireReachOfEverything } from '../api-keys/public/key-requirements.js';
import { Clock } from '../../platform/clock/clock.js';
import { SETTINGS, type Settings } from '../../platform/config/settings.js';
import type { Metadata } from '../../contract/external-ids.js';
import { conflict, DomainError, invalid, required } from '../../contract/domain-error.js';
import { newId } from '../../platform/ids.js';
import type { JobOwner } from '../../platform/jobs/fair-share.js';
import { changedBy, type Caller, type ChangedBy } from '../../policy/caller.js';
import { Recording } from '../recordings/access/entities/recording.entity.js';
import { ContentKeysService } from '../media/keys/content-keys.service.js';
import { RecordingExternalIdsService } from '../recordings/access/recording-external-ids.service.js';
import { RecordingStatusService, type OwnedStatus } from '../recordings/access/recording-status.service.js';
import { RecordingDestinationService } from '../recordings/access/recording-destination.service.js';
import type { QuotaDemand } from '../../policy/plans.js';
import { QuotasService } from '../quotas/quotas.service.js';
import { SearchIndexService } from '../search/index/search-index.service.js';
import { requireNotHeld } from '../legal-holds/public/held.queries.js';
import { Upload, UploadPart } from './entities/upload.entity.js';
import { DiskSpace } from '../../platform/storage/disk-space.js';
import { lockUser } from '../users/public/users.queries.js';
import { UploadEndingService } from './upload-ending.service.js';
import { UploadSourcesService } from './fetching/upload-sources.service.js';
import { UploadsService } from './uploads.service.js';
import { countOpen } from './uploads.queries.js';
import { findTrackNames } from '../media/public/heard-tracks.queries.js';
import { transactionBy } from '../../platform/database/transaction-by.js';

export interface NewRecording {
  readonly title: string;
  readonly externalId?: string;
  readonly metadata?: Metadata;
  /** Only its words will be sent: it is complete without an upload, and has no other media fields. */
  readonly withoutMedia?: boolean;
  readonly organizationId?: string;
  readonly folderId?: string;
  readonly startedAt?: Date;
  /** Bytes; unknown while the meeting is still running. */
  readonly size?: number;
  /** Where the service fetches the bytes from, if nobody uploads them. Has been read by `OutboundClient`. */
  readonly sourceUrl?: URL;
  /** Default: `AUTO_TRANSCRIBE`. */
  readonly transcribe?: boolean;
  /** BCP 47 code of the spoken language. */
  readonly language?: string;
  /** `Upload-Metadata`, as the client sent it. */
  readonly tusMetadata?: string;
}

export type NewMedia = Pick<NewRecording, 'size' | 'sourceUrl' | 'transcribe' | 'language'>;

/** A caller, or the user for whom the command line acts. */
type Creator = Pick<Caller, 'id'> & ChangedBy;

/** Creates recordings, most of which are yet to be uploaded, and opens uploads. */
@Injectable()
export class UploadCreationService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly uploads: UploadsService,
    private readonly sources: UploadSourcesService,
    private readonly statuses: RecordingStatusService,
    private readonly ending: UploadEndingService,
    private readonly destinations: RecordingDestinationService,
    private readonly quotas: QuotasService,
    private readonly searchIndex: SearchIndexService,
    private readonly externalIds: RecordingExternalIdsService,
    private readonly keys: ContentKeysService,
    private readonly clock: Clock,
    private readonly disk: DiskSpace,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** Returns the id of the recording, which is also that of its upload, if it has one. */
  async create(caller: Creator, input: NewRecording, id = newId()): Promise<string> {
    this.requireSize(input);
    if (input.folderId !== undefined && input.organizationId === undefined) {
      throw invalid('folder_id: requires organization_id');
    }
    if (input.organizationId === undefined)
      requireReachOfEverything(caller, 'create recordings without organization_id');
    await transactionBy(this.dataSource, changedBy(caller), async (manager) => {
      const { organizationId, folderId } = input;
      if (organizationId !== undefined) {
        const destination = { organizationId, folderId };
        const { expired } = await this.destinations.requireOpen(manager, caller, destination);
        if (expired) throw new DomainError('ORGANIZATION_SUBSCRIPTION_EXPIRED');
      }
      if (input.withoutMedia) await lockUser(manager, caller.id);
      else await this.requireSlot(manager, caller.id);
      await this.insert(manager, caller, id, input);
    });
    return id;
  }

  /** Opens an upload that adds or replaces media of a recording, which stays as it is until that has been packaged. */
  async open(caller: Pick<Caller, 'id'>, recordingId: string, input: NewMedia): Promise<void> {
    this.requireSize(input);
    const { id: userId } = caller;
    await transactionBy(this.dataSource, changedBy(caller), async (manager) => {
      // It may have been deleted since it was looked up.
      const locked = required(await this.statuses.lockOwned(manager, recordingId), 'RECORDING_NOT_FOUND');
      if (locked.mediaKey !== null || (await manager.getRepository(UploadPart).existsBy({ recordingId })))
        await requireNotHeld(manager, caller, [recordingId], 'given other media');
      await this.endEarlier(manager, recordingId, locked);
      await this.requireSlot(manager, userId);
      const { transcribe = this.settings.autoTranscribe, language } = input;
      await manager.update(
        Recording,
        { id: recordingId },
        { autoTranscribe: transcribe, language, mediaMixed: false },
      );
      const keptBytes =
        locked.mediaKey === null
          ? 0
          : locked.storedBytes - (await findTrackNames(manager, recordingId)).bytes;
      const upload = { recordingId, userId, added: true, keptBytes };
      await this.openUpload(manager, upload, locked.owner, input);
      await this.quotas.requireRoom(manager, locked.owner, demandOf(input), caller);
    });
  }

  /** Opens the upload of a track that has just been added to a recording, whose row is locked. */
  async openTrack(
    manager: EntityManager,
    caller: Caller,
    { recordingId, trackOf }: { readonly recordingId: string; readonly trackOf: string },
    { owner, ...input }: Pick<NewMedia, 'size' | 'sourceUrl'> & { readonly owner: JobOwner },
  ): Promise<void> {
    this.requireSize(input);
    const { id: userId } = caller;
    await this.requireSlot(manager, userId, trackOf);
    await this.openUpload(manager, { recordingId, trackOf, userId, added: true }, owner, input);
    await this.quotas.requireRoom(manager, owner, demandOf(input), caller);
  }

  private async insert(
    manager: EntityManager,
    caller: Creator,
    id: string,
    input: NewRecording,
  ): Promise<void> {
    const { id: userId } = caller;
    const organizationId = input.organizationId ?? null;
    const { withoutMedia = false } = input;
    const now = this.clock.now();
    const named = { id, externalId: input.externalId, ownerId: userId, organizationId };
    await this.externalIds.require(manager, caller, named);
    await this.keys.create(manager, id, organizationId ?? userId);
    await manager.insert(Recording, {
      ...named,
      folderId: input.folderId ?? null,
      title: input.title,
      metadata: input.metadata,
      status: withoutMedia ? 'COMPLETED' : 'UPLOADING',
      withoutMedia,
      progress: withoutMedia ? 1 : 0,
      createdAt: now,
      updatedAt: now,
      startedAt: input.startedAt ?? null,
      autoTranscribe: !withoutMedia && (input.transcribe ?? this.settings.autoTranscribe),
      language: input.language ?? null,
      storedBytes: input.size ?? 0,
    });
    const owner = { userId, organizationId };
    if (!withoutMedia) await this.openUpload(manager, { recordingId: id, userId }, owner, input);
    await this.searchIndex.add(manager, id);
    const { size = 0 } = input;
    // Of an unknown number of bytes, at least one will follow.
    const ahead = input.size === undefined && !withoutMedia ? 1 : 0;
    const demand = { creates: true, starts: !withoutMedia, added: size, ahead };
    await this.quotas.requireRoom(manager, owner, demand, caller);
  }

  /** Removes what is left of an upload that has failed. Throws 409 `CONFLICT` if it still goes on. */
  private async endEarlier(
    manager: EntityManager,
    recordingId: string,
    { status, mediaKey }: OwnedStatus,
  ): Promise<void> {
    const upload = await manager.getRepository(Upload).findOneBy({ recordingId });
    if (upload?.closedAt === null) {
      throw conflict(
        'This recording has an open upload. Send its file with PUT /api/v1/recordings/{id}/media, or the rest with PATCH /api/v1/uploads/{id}; DELETE cancels it.',
      );
    }
    const isProcessed = upload
      ? upload.statusReason === null && (upload.added || status !== 'ERROR')
      : mediaKey !== null && (status === 'PROCESSING' || status === 'MIGRATING');
    if (isProcessed) {
      throw conflict('The media of this recording is being processed. Try again later.');
    }
    if (!upload) return;
    await this.ending.discardParts(manager, recordingId);
    await manager.getRepository(Upload).delete({ recordingId });
  }

  /** Opens an upload, which counts towards the limit of the user `userId`. */
  private async openUpload(
    manager: EntityManager,
    upload: Pick<Upload, 'recordingId' | 'userId'> & Partial<Pick<Upload, 'trackOf' | 'added' | 'keptBytes'>>,
    owner: JobOwner,
    { size, tusMetadata: metadata, sourceUrl }: Pick<NewRecording, 'size' | 'tusMetadata' | 'sourceUrl'>,
  ): Promise<void> {
    await this.disk.requireRoom();
    const { recordingId } = upload;
    const activeAt = this.clock.now();
    const fetched = sourceUrl !== undefined;
    await manager
      .getRepository(Upload)
      .insert({ ...upload, size: size ?? null, metadata, activeAt, fetched });
    // Fetching has its own limits of time.
    if (sourceUrl) await this.sources.add(manager, recordingId, sourceUrl.href, owner);
    else await this.uploads.watchIdle(manager, recordingId, activeAt);
  }

  /** Locks the user's row, so that two requests at once cannot both take the last slot. */
  private async requireSlot(manager: EntityManager, userId: string, recordingId?: string): Promise<void> {
    const { maxOpenUploads } = this.settings;
    await lockUser(manager, userId);
    if ((await countOpen(manager, userId, recordingId)) < maxOpenUploads) return;
    throw conflict(
      `You have ${maxOpenUploads} open uploads, which is the limit. Finish or delete one first.`,
    );
  }

  /** Refuses a declared size above the limit. */
  requireSize({ size }: Pick<NewRecording, 'size'>): void {
    const { maxUploadSize } = this.settings;
    if (size === undefined || size <= maxUploadSize) return;
    throw new DomainError('PAYLOAD_TOO_LARGE', `size: must be at most ${maxUploadSize} bytes`);
  }
}

/** Of an unknown number of bytes, at least one will follow. */
const demandOf = ({ size }: Pick<NewMedia, 'size'>): QuotaDemand => ({
  creates: false,
  starts: true,
  added: size ?? 0,
  ahead: size === undefined ? 1 : 0,
});
