import { Inject, Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource, EntityManager } from 'typeorm';
import { SETTINGS, type Settings } from '../../platform/config/settings.js';
import { DomainError } from '../../contract/domain-error.js';
import { newId } from '../../platform/ids.js';
import type { JobOwner } from '../../platform/jobs/fair-share.js';
import { JobsService } from '../../platform/jobs/jobs.service.js';
import type { Caller } from '../../policy/caller.js';
import { ContentWorkService } from '../content-work/content-work.service.js';
import { RecordingAccessService, type OpenRecording } from '../recording-access/recording-access.service.js';

export const TRANSCRIBE_JOB = 'transcription.transcribe';
/** Waits of 3, 7 and 20 seconds lie between the attempts. */
const MAX_ATTEMPTS = 4;

export interface TranscriptionOrder {
  readonly recordingId: string;
  readonly attempt: string;
  /** BCP 47 code of what is spoken; told from the sound when null. */
  readonly language: string | null;
  /** Whom it is done for; missing in orders of older releases. */
  readonly owner?: JobOwner;
}

/** Takes orders for transcriptions; the work itself is done by whichever worker is free. */
@Injectable()
export class TranscriptionOrdersService {
  constructor(
    private readonly access: RecordingAccessService,
    private readonly work: ContentWorkService,
    private readonly jobs: JobsService,
    @Inject(SETTINGS) private readonly settings: Settings,
    @InjectDataSource() private readonly dataSource: DataSource,
  ) {}

  /** Orders a transcription, the first one or a new one. */
  async order(caller: Caller, recordingId: string, language: string | null): Promise<void> {
    const recording = await this.access.requireFeatureEdit(caller, recordingId, 'transcription');
    this.requireSound(recording);
    const { id, organization_id: organizationId } = recording.row;
    const owner = { userId: caller.id, organizationId };
    const attempt = newId();
    await this.dataSource.transaction(async (manager) => {
      if (!(await this.work.begin(manager, 'transcripts', id, attempt))) {
        throw new DomainError('CONFLICT', 'The recording is being transcribed already.');
      }
      await this.enqueue(manager, { recordingId: id, attempt, language, owner });
    });
  }

  async enqueue(manager: EntityManager, order: TranscriptionOrder): Promise<void> {
    const options = { key: `transcribe:${order.recordingId}`, maxAttempts: MAX_ATTEMPTS, owner: order.owner };
    await this.jobs.enqueue(manager, TRANSCRIBE_JOB, [order], options);
  }

  private requireSound({ row, access }: OpenRecording): void {
    if (!this.settings.transcription) {
      throw new DomainError(
        'CONFLICT',
        'This service is not set up to transcribe: the setting TRANSCRIPTION_URL is missing. A transcript can be sent with PUT.',
      );
    }
    if (!access.playable) {
      throw new DomainError(
        'CONFLICT',
        `A recording in ${row.status} cannot be transcribed, only one in COMPLETED or MIGRATING.`,
      );
    }
    if (row.media_key === null) {
      throw new DomainError('CONFLICT', 'The recording has no media that could be transcribed.');
    }
  }
}

export const transcribedRecording = (key: string): string => key.slice('transcribe:'.length);
