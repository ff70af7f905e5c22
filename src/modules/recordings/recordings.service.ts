import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { DataSource, type EntityManager } from 'typeorm';
import { Clock } from '../../platform/clock/clock.js';
import { mergedMetadata, type Metadata } from '../../contract/external-ids.js';
import { parseTimestamp } from '../../platform/clock/timestamps.js';
import type { Precondition } from '../../platform/http/replies/revisions.js';
import { changedBy, type Caller, type Viewer } from '../../policy/caller.js';
import { MediaUrlsService } from '../media/media-urls.service.js';
import { holderOf, type RecordingMedia } from '../media/public/media-urls.js';
import { RetentionEndsService } from '../retention/ends/retention-ends.service.js';
import { SearchIndexService } from '../search/index/search-index.service.js';
import type { PresignedPart } from '../uploads/public/presigned-part.response.dto.js';
import { DirectUploadsService } from '../uploads/direct/direct-uploads.service.js';
import { UploadCreationService } from '../uploads/upload-creation.service.js';
import { UploadReceiverService } from '../uploads/upload-receiver.service.js';
import { UploadsService } from '../uploads/uploads.service.js';
import type { CreateRecordingDto } from './public/create-recording.dto.js';
import type { OpenUploadDto } from './dto/open-upload.dto.js';
import type { UpdateRecordingDto } from './dto/update-recording.dto.js';
import { Recording } from './access/entities/recording.entity.js';
import { RecordingBinService } from './bin/recording-bin.service.js';
import { RecordingMovesService } from './moves/recording-moves.service.js';
import { lockRecordings } from './recordings.queries.js';
import { RECORDING_DETAIL, type WholeRecording } from './recording-detail.hot.sql.js';
import { RecordingAccessService } from './access/recording-access.service.js';
import { RecordingExternalIdsService } from './access/recording-external-ids.service.js';
import { RecordingStatusService } from './access/recording-status.service.js';
import { RecordingViewsService } from './access/recording-views.service.js';
import { transactionBy } from '../../platform/database/transaction-by.js';

@Injectable()
export class RecordingsService {
  constructor(
    private readonly access: RecordingAccessService,
    private readonly statuses: RecordingStatusService,
    private readonly creation: UploadCreationService,
    private readonly receiver: UploadReceiverService,
    private readonly direct: DirectUploadsService,
    private readonly uploads: UploadsService,
    private readonly bin: RecordingBinService,
    private readonly mediaUrls: MediaUrlsService,
    private readonly searchIndex: SearchIndexService,
    private readonly moves: RecordingMovesService,
    private readonly externalIds: RecordingExternalIdsService,
    private readonly views: RecordingViewsService,
    private readonly retention: RetentionEndsService,
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
  ) {}

  /** The recording with its texts and signed media URLs. */
  async get(caller: Caller, id: string): Promise<[WholeRecording, RecordingMedia]> {
    const options = { extraColumns: RECORDING_DETAIL };
    const recording = await this.access.requireReadable(caller, id, options);
    this.views.note(recording.row.id);
    return this.withUrls(caller, recording);
  }

  /** The recording with its texts for work that a user has requested before. */
  async getFor(viewer: Viewer, id: string): Promise<WholeRecording> {
    return this.withRetention(
      await this.access.requireReadableFor(viewer, id, { extraColumns: RECORDING_DETAIL }),
    );
  }

  /** Creates a recording, and returns it with the URL to upload its media to; null if nothing is to be uploaded. */
  async create(
    caller: Caller,
    input: CreateRecordingDto,
  ): Promise<[WholeRecording, RecordingMedia, string | null]> {
    const sourceUrl = sourceOf(input);
    const withoutMedia = input.media === 'none';
    const id = await this.creation.create(caller, {
      title: input.title,
      externalId: input.external_id,
      metadata: input.metadata,
      withoutMedia,
      organizationId: input.organization_id,
      folderId: input.folder_id,
      startedAt: input.started_at === undefined ? undefined : parseTimestamp(input.started_at)?.date,
      size: input.size,
      sourceUrl,
      transcribe: input.transcribe,
      language: input.language,
    });
    return [...(await this.get(caller, id)), sourceUrl || withoutMedia ? null : this.uploads.url(id)];
  }

  /**
   * Opens an upload for new media; returns the URLs of its parts, null unless they go directly to the store, and its own
   * with the recording, null if the service fetches the media.
   */
  async openUpload(
    caller: Caller,
    id: string,
    input: OpenUploadDto,
  ): Promise<[PresignedPart[] | null, WholeRecording, RecordingMedia, string | null]> {
    const { parts, size, transcribe, language } = input;
    const { row } = await this.access.requireUnlockedEdit(caller, id);
    const sourceUrl = sourceOf(input);
    const media = { size, sourceUrl, transcribe, language };
    const urls = parts ? await this.direct.open(caller, row.id, media, parts) : null;
    if (!parts) await this.creation.open(caller, row.id, media);
    return [urls, ...(await this.get(caller, row.id)), sourceUrl ? null : this.uploads.url(row.id)];
  }

  /**
   * Uploads a whole file in one request, as its body or in a form. An upload that was opened in time may end after the
   * subscription has: the reply then withholds what it withholds of a locked recording.
   */
  async upload(caller: Caller, id: string, request: Request): Promise<[WholeRecording, RecordingMedia]> {
    await this.receiver.receiveRequest(
      caller,
      request,
      async () => (await this.access.requireEdit(caller, id)).row.id,
    );
    return this.getUploaded(caller, id);
  }

  /** Completes an upload whose parts the client has stored in S3. The reply is as that of `upload`. */
  async completeUpload(caller: Caller, id: string): Promise<[WholeRecording, RecordingMedia]> {
    const { row } = await this.access.requireEdit(caller, id);
    await this.direct.complete(caller, row.id);
    return this.getUploaded(caller, id);
  }

  private async getUploaded(caller: Caller, id: string): Promise<[WholeRecording, RecordingMedia]> {
    const { row, access } = await this.access.requireVisible(caller, id, { extraColumns: RECORDING_DETAIL });
    const locked = access.locked || access.expired;
    return this.withUrls(caller, { row, access: { ...access, locked } });
  }

  private async withUrls(
    caller: Caller,
    recording: Omit<WholeRecording, 'retention'>,
  ): Promise<[WholeRecording, RecordingMedia]> {
    const { canDownload: download } = recording.access.capabilities;
    return [
      await this.withRetention(recording),
      this.mediaUrls.forRecording(recording, holderOf(caller), { download }),
    ];
  }

  private async withRetention(recording: Omit<WholeRecording, 'retention'>): Promise<WholeRecording> {
    const found = await this.retention.find(this.dataSource.manager, [recording.row]);
    return { ...recording, retention: found.get(recording.row.id) ?? null };
  }

  /** Only if `condition` holds for its revision. */
  async update(
    caller: Caller,
    id: string,
    changes: UpdateRecordingDto,
    condition: Precondition,
  ): Promise<void> {
    const { status, organization_id: organizationId, folder_id: folderId, ...columns } = changes;
    const { external_id: externalId, metadata: given, ...texts } = columns;
    const withNotes = texts.notes !== undefined;
    const { row } = await (withNotes
      ? this.access.requireUnlockedEdit(caller, id)
      : this.access.requireEdit(caller, id));
    await transactionBy(this.dataSource, changedBy(caller), async (manager) => {
      if (organizationId !== undefined || folderId !== undefined) {
        // First, because it locks the organization before the recording.
        const refusals = await this.moves.move(manager, caller, [row.id], { organizationId, folderId }, () =>
          this.requireEditLocked(manager, caller, row.id, condition),
        );
        for (const refusal of refusals.values()) throw refusal;
      } else {
        await this.requireEditLocked(manager, caller, row.id, condition);
      }
      if (status && (await this.statuses.report(manager, row.id, status)) && status === 'ERROR') {
        await this.uploads.close(manager, row.id);
      }
      const own = { externalId, metadata: undefined as Metadata | undefined };
      if (externalId !== undefined || given) {
        // Where it is by now.
        const recording = await manager.findOneByOrFail(Recording, { id: row.id });
        await this.externalIds.require(manager, caller, { ...recording, externalId });
        own.metadata = mergedMetadata(recording.metadata, given);
      }
      await manager.update(Recording, { id: row.id }, { ...texts, ...own, updatedAt: this.clock.now() });
      await this.searchIndex.refresh(manager, row.id, { texts: true });
    });
  }

  /**
   * Deletes the recording with its transcript, summary and share links, or puts it into the bin where there is one, if
   * `condition` holds for its revision. 409 `LEGAL_HOLD` or `CONFLICT` while it must be kept.
   */
  async delete(caller: Caller, id: string, condition: Precondition): Promise<void> {
    const { row } = await this.access.requireEdit(caller, id);
    await transactionBy(this.dataSource, changedBy(caller), async (manager) => {
      await this.requireEditLocked(manager, caller, row.id, condition);
      const refusals = await this.bin.delete(manager, caller, [row.id]);
      for (const refusal of refusals.values()) throw refusal;
    });
  }

  /** Since the access decision, it may have been changed, moved away or deleted, or the caller's rights withdrawn. */
  private async requireEditLocked(
    manager: EntityManager,
    caller: Caller,
    id: string,
    condition: Precondition,
  ): Promise<void> {
    await lockRecordings(manager, [id]);
    const { row } = await this.access.requireEditWithin(manager, caller, id);
    condition.require(row.revision);
  }
}

function sourceOf({ source_url: url }: OpenUploadDto): URL | undefined {
  return url === undefined ? undefined : new URL(url);
}
