import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { conflict, DomainError } from '../../../contract/domain-error.js';
import { isUuid } from '../../../platform/ids.js';
import { changedBy, type Caller, type ChangedBy } from '../../../policy/caller.js';
import { COMMAND_LINE } from '../../../policy/management.js';
import { transactionBy } from '../../../platform/database/transaction-by.js';
import { INSTALLATION } from '../../../policy/policy.service.js';
import type { Installation } from '../../../policy/recording-access.js';
import { isPlayable } from '../../../policy/recording-status.js';
import { RecordingAccessService } from '../../recordings/access/recording-access.service.js';
import { PipelineService, type TranscriptionStart } from '../pipeline.service.js';
import type { TranscriptionJob } from '../public/content.js';
import {
  countMissing,
  findTranscribable,
  listMissing,
  lockMissing,
  type Transcribable,
} from './transcription.queries.js';
import { howToAddMedia } from '../../../policy/advice.js';

export interface MissingReport {
  readonly started: number;
  /** The plan or a feature flag of the owner rules it out, or there is no owner. */
  readonly notAllowed: number;
}

interface MissingOptions {
  /** Spoken in recordings for which no language was given. */
  readonly language: string | null;
  /** `done` and `total` count recordings without a transcript. */
  readonly onProgress: (done: number, total: number) => void;
}

/** Starts the transcriptions that callers and operators request. `language` is that of a `TranscriptionJob`. */
@Injectable()
export class TranscriptionService {
  constructor(
    private readonly access: RecordingAccessService,
    private readonly pipeline: PipelineService,
    @Inject(INSTALLATION) private readonly installation: Installation,
    private readonly dataSource: DataSource,
  ) {}

  /** Starts a transcription, the first one or a new one. */
  async start(caller: Caller, recordingId: string, language: string | null): Promise<void> {
    const { row } = await this.access.requireFeatureEdit(caller, recordingId, 'transcription');
    const owner = { userId: caller.id, organizationId: row.organizationId };
    await this.transcribe(row, { language, owner }, caller);
  }

  /** The same for an operator, whatever the plan of the owner. */
  async startForOperator(recordingId: string, language: string | null): Promise<void> {
    this.requireTranscriber();
    const row = isUuid(recordingId) && (await findTranscribable(this.dataSource.manager, recordingId));
    if (!row) throw new DomainError('RECORDING_NOT_FOUND');
    const owner = { userId: row.ownerId, organizationId: row.organizationId };
    await this.transcribe(row, { language, owner, unconditional: true }, COMMAND_LINE);
  }

  /** Transcribes every playable recording without a transcript, newest first, as far as its owner may. */
  async startMissing({ language, onProgress }: MissingOptions): Promise<MissingReport> {
    this.requireTranscriber();
    const { manager } = this.dataSource;
    const total = await countMissing(manager);
    const counts = { started: 0, present: 0, 'not allowed': 0, gone: 0 };
    let done = 0;
    for await (const id of listMissing(manager)) {
      counts[await this.startOne(id, language)] += 1;
      done += 1;
      onProgress(done, Math.max(done, total));
    }
    return { started: counts.started, notAllowed: counts['not allowed'] };
  }

  private startOne(recordingId: string, given: string | null): Promise<TranscriptionStart | 'gone'> {
    return this.dataSource.transaction(async (manager) => {
      const row = await lockMissing(manager, recordingId);
      if (!row) return 'gone';
      const language = row.language ?? given;
      return this.pipeline.transcribeForOwner(manager, { recordingId, language, later: true });
    });
  }

  private async transcribe(
    recording: Transcribable,
    request: Omit<TranscriptionJob, 'recordingId' | 'attempt'>,
    by: ChangedBy,
  ): Promise<void> {
    this.requireTranscriber();
    requireMedia(recording);
    await transactionBy(this.dataSource, changedBy(by), async (manager) => {
      if (await this.pipeline.transcribe(manager, { recordingId: recording.id, ...request })) return;
      throw conflict('The recording is already being transcribed.');
    });
  }

  private requireTranscriber(): void {
    const { noTranscriber: reason } = this.installation;
    if (reason === null) return;
    const advice = 'Set TRANSCRIPTION_URL to use a server';
    const message = `This service cannot transcribe: ${reason}. ${advice}, or import a transcript with PUT.`;
    throw new DomainError('CONFLICT', message, { advice });
  }
}

function requireMedia({ status, mediaKey }: Transcribable): void {
  if (!isPlayable(status))
    throw conflict(
      `The status of the recording is ${status}. Only recordings in COMPLETED or MIGRATING can be transcribed. ${howToAddMedia(status)}`,
    );
  if (mediaKey === null) throw conflict(`The recording has no media to transcribe. ${howToAddMedia(status)}`);
}
