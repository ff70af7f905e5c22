import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { Clock } from '../../platform/clock.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import type { Caller } from '../../policy/caller.js';
import { MediaService, NO_ADDRESSES, type MediaAddresses } from '../media/media.service.js';
import type { UpdateRecordingDto } from './dto/update-recording.dto.js';
import { Recording } from './entities/recording.entity.js';
import { Summary } from './entities/summary.entity.js';
import { RecordingAccessService, type OpenRecording } from './recording-access.service.js';

/** What a recording holds beside its own row. */
export interface RecordingContent {
  readonly summary: Summary | null;
  readonly media: MediaAddresses;
}

@Injectable()
export class RecordingsService {
  constructor(
    private readonly access: RecordingAccessService,
    private readonly media: MediaService,
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly clock: Clock,
  ) {}

  /** The recording with its summary and signed media addresses. */
  async get(caller: Caller, id: string): Promise<[OpenRecording, RecordingContent]> {
    const recording = await this.access.read(caller, id);
    return [recording, await this.content(recording)];
  }

  async content(recording: OpenRecording): Promise<RecordingContent> {
    const summary = await this.dataSource.manager.findOneBy(Summary, { recordingId: recording.row.id });
    return { summary, media: this.addresses(recording) };
  }

  private addresses({ row, access }: OpenRecording): MediaAddresses {
    if (row.media_key === null || !access.playable || access.locked) return NO_ADDRESSES;
    return this.media.addresses(row.id, { download: access.capabilities.canDownload });
  }

  async update(caller: Caller, id: string, changes: UpdateRecordingDto): Promise<void> {
    if (changes.title === undefined && changes.notes === undefined) {
      throw new DomainError('VALIDATION_ERROR', 'body: at least one of title, notes is needed');
    }
    const { row } = await this.access.change(caller, id);
    const { affected } = await this.dataSource.manager.update(
      Recording,
      { id: row.id },
      { ...changes, updatedAt: this.clock.now() },
    );
    // Deleted by somebody else between the two statements.
    if (affected === 0) throw new DomainError('RECORDING_NOT_FOUND');
  }

  /** Removes the recording with its transcript, summary and share links; the files go by a job of the same transaction. */
  async delete(caller: Caller, id: string): Promise<void> {
    const { row } = await this.access.change(caller, id);
    await this.dataSource.transaction(async (manager) => {
      const { affected } = await manager.delete(Recording, { id: row.id });
      if (affected === 0) throw new DomainError('RECORDING_NOT_FOUND');
      await this.media.discard(manager, row.media_key === null ? [] : [row.media_key]);
    });
  }
}
