import { Inject, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { DataSource, type EntityManager } from 'typeorm';
import { conflict, required } from '../../contract/domain-error.js';
import { Clock } from '../../platform/clock/clock.js';
import { SETTINGS, type Settings } from '../../platform/config/settings.js';
import { transactionBy } from '../../platform/database/transaction-by.js';
import { Precondition } from '../../platform/http/replies/revisions.js';
import { isUuid, newId } from '../../platform/ids.js';
import { changedBy, type Caller } from '../../policy/caller.js';
import { requireNotHeld } from '../legal-holds/public/held.queries.js';
import { Track } from '../media/entities/track.entity.js';
import { findTrackNames } from '../media/public/heard-tracks.queries.js';
import { MediaUrlsService } from '../media/media-urls.service.js';
import { holderOf, type TrackUrls } from '../media/public/media-urls.js';
import { RetiredMediaService } from '../media/retired-media.service.js';
import { PipelineService } from '../pipeline/pipeline.service.js';
import { RecordingAccessService, type OpenRecording } from '../recordings/access/recording-access.service.js';
import { type OwnedStatus, RecordingStatusService } from '../recordings/access/recording-status.service.js';
import { TranscriptRevisionsService } from '../transcripts/transcript-revisions.service.js';
import { UploadCreationService } from '../uploads/upload-creation.service.js';
import { UploadReceiverService } from '../uploads/upload-receiver.service.js';
import { UploadsService } from '../uploads/uploads.service.js';
import type { CreateTrackDto, UpdateTrackDto } from './public/track.dto.js';
import { TRACK_LIMITS } from './track-limits.js';
import { freeName } from './track-names.js';
import { findTracks, type FoundTrack, requireParticipant, wantTranscript } from './tracks.queries.js';

type ShownTrack = FoundTrack & TrackUrls;

/** The tracks of recordings, as callers add, change and delete them. */
@Injectable()
export class TracksService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly access: RecordingAccessService,
    private readonly statuses: RecordingStatusService,
    private readonly creation: UploadCreationService,
    private readonly uploads: UploadsService,
    private readonly receiver: UploadReceiverService,
    private readonly media: RetiredMediaService,
    private readonly mediaUrls: MediaUrlsService,
    private readonly pipeline: PipelineService,
    private readonly transcripts: TranscriptRevisionsService,
    private readonly clock: Clock,
    @Inject(SETTINGS) private readonly settings: Pick<Settings, 'autoTranscribe'>,
  ) {}

  async list(caller: Caller, recordingId: string): Promise<ShownTrack[]> {
    const recording = await this.access.requireUnlocked(caller, recordingId);
    return this.withUrls(caller, recording, await findTracks(this.dataSource.manager, recording.row.id));
  }

  /** Adds a track and opens its upload; returns its URL, null if the service fetches the file. */
  async create(caller: Caller, id: string, input: CreateTrackDto): Promise<[ShownTrack, string | null]> {
    const recording = await this.access.requireUnlockedEdit(caller, id);
    const { row } = recording;
    const { user_id: userId = null, kind, language = null, offset = null, size, transcribe } = input;
    const sourceUrl = input.source_url === undefined ? undefined : new URL(input.source_url);
    const trackId = newId();
    await this.change(caller, row.id, async (manager, { owner }) => {
      const { names } = await findTrackNames(manager, row.id);
      if (names.length >= TRACK_LIMITS.tracks)
        throw conflict(
          `The recording has ${TRACK_LIMITS.tracks} tracks, which is the limit. Delete one first.`,
        );
      const ofUser = await requireParticipant(manager, row.id, userId);
      await manager.insert(Track, {
        id: trackId,
        recordingId: row.id,
        userId,
        name: input.name ?? (ofUser || freeName(names)),
        kind,
        language,
        origin: 'upload',
        givenOffset: offset,
        createdAt: this.clock.now(),
      });
      // A recording without media has not been asked before its first track.
      const preset = names.length === 0 ? this.settings.autoTranscribe : undefined;
      await wantTranscript(manager, row.id, { wanted: transcribe, preset });
      const upload = { recordingId: trackId, trackOf: row.id };
      await this.creation.openTrack(manager, caller, upload, { size, sourceUrl, owner });
    });
    return [await this.show(caller, recording, trackId), sourceUrl ? null : this.uploads.url(trackId)];
  }

  /** Uploads the whole file of a track. */
  async upload(caller: Caller, id: string, trackId: string, request: Request): Promise<ShownTrack> {
    await this.receiver.receiveRequest(caller, request, async () => {
      const { row } = await this.access.requireEdit(caller, id);
      return (await this.find(row.id, trackId)).id;
    });
    return this.show(caller, await this.access.requireEdit(caller, id), trackId);
  }

  async update(caller: Caller, id: string, trackId: string, changes: UpdateTrackDto): Promise<ShownTrack> {
    const recording = await this.access.requireUnlockedEdit(caller, id);
    const { row } = recording;
    const { name, user_id: userId, language, offset } = changes;
    const before = await this.find(row.id, trackId);
    await this.change(caller, row.id, async (manager, { owner }) => {
      await requireParticipant(manager, row.id, userId);
      await manager.update(Track, { id: before.id }, { name, userId, language, givenOffset: offset });
      if (offset !== undefined && (before.status === 'COMPLETED' || before.status === 'PROCESSING'))
        await this.pipeline.follow(manager, 'trackReceived', { recordingId: before.id, owner });
    });
    if (name !== undefined) await this.renameSpeaker(caller, recording, before.name, name);
    return this.show(caller, recording, trackId);
  }

  async delete(caller: Caller, id: string, trackId: string): Promise<void> {
    const { row } = await this.access.requireEdit(caller, id);
    const { id: known } = await this.find(row.id, trackId);
    await this.change(caller, row.id, async (manager, { owner }) => {
      await requireNotHeld(manager, caller, [row.id], 'given other tracks');
      await this.media.removeTracks(manager, { id: known, recordingId: row.id });
      await this.pipeline.follow(manager, 'tracksChanged', { recordingId: row.id, owner, sentBy: caller.id });
    });
  }

  /** Runs a transaction of the caller with the row of the recording locked, after checking their rights again. */
  private change(
    caller: Caller,
    recordingId: string,
    work: (manager: EntityManager, locked: OwnedStatus) => Promise<void>,
  ): Promise<void> {
    return transactionBy(this.dataSource, changedBy(caller), async (manager) => {
      const locked = required(await this.statuses.lockOwned(manager, recordingId), 'RECORDING_NOT_FOUND');
      await this.access.requireEditWithin(manager, caller, recordingId);
      await work(manager, locked);
    });
  }

  private async show(caller: Caller, recording: OpenRecording, trackId: string): Promise<ShownTrack> {
    const track = await this.find(recording.row.id, trackId);
    return required(this.withUrls(caller, recording, [track])[0], 'TRACK_NOT_FOUND');
  }

  private withUrls(caller: Caller, recording: OpenRecording, tracks: readonly FoundTrack[]): ShownTrack[] {
    const { canDownload: download } = recording.access.capabilities;
    return this.mediaUrls.forTracks(recording, holderOf(caller), { download }, tracks);
  }

  private async find(recordingId: string, trackId: string): Promise<FoundTrack> {
    const found = isUuid(trackId) ? await findTracks(this.dataSource.manager, recordingId, trackId) : [];
    return required(found[0], 'TRACK_NOT_FOUND');
  }

  /** The speaker of the transcript is the participant of the track, as long as both have the same name. */
  private async renameSpeaker(
    caller: Caller,
    { row, access }: OpenRecording,
    from: string,
    to: string,
  ): Promise<void> {
    if (from === to || !access.capabilities.canRenameSpeaker || !row.transcriptSpeakers?.includes(from))
      return;
    const condition = Precondition.read(undefined);
    await this.transcripts.renameSpeakers(caller, { recordingId: row.id, condition }, [{ from, to }], {
      lasts: true,
    });
  }
}
