import { Inject, Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource, EntityManager } from 'typeorm';
import { DomainError } from '../../contract/domain-error.js';
import { newId } from '../../platform/ids.js';
import type { JobOwner } from '../../platform/jobs/fair-share.js';
import { JobsService, type JobOptions } from '../../platform/jobs/jobs.service.js';
import type { Caller } from '../../policy/caller.js';
import { INSTALLATION } from '../../policy/policy.service.js';
import type { Installation } from '../../policy/recording-access.js';
import { isPlayable, type RecordingStatus } from '../../policy/recording-status.js';
import { ContentWorkService, type ContentJob } from './content-work.service.js';
import { RecordingAccessService } from '../recordings/access/recording-access.service.js';

export const TRANSCRIBE_JOB = 'transcription.transcribe';
/** Delays between the attempts are 3, 7 and 20 seconds. */
const MAX_ATTEMPTS = 4;
/** More than `afterOwn` adds. */
const LATER = 100;

export interface TranscriptionJob extends ContentJob {
  /** BCP 47 code of the requested language, or `auto`; null: that of the recording or of the installation, which the job looks up. */
  readonly language: string | null;
  /** Nobody is waiting for it, so it yields to all that are not. */
  readonly later?: boolean;
}

/** What starting a transcription depends on. */
export interface Transcribable {
  readonly id: string;
  readonly status: RecordingStatus;
  readonly media_key: string | null;
}

export interface StartOptions {
  /** As in `TranscriptionJob`. */
  readonly language: string | null;
  /** Whose fair share the job counts towards. */
  readonly owner: JobOwner;
  /** As in `ContentJob`. */
  readonly unconditional?: boolean;
}

export interface AutomaticOptions {
  /** As in `TranscriptionJob`. */
  readonly language: string | null;
  /** Nobody is waiting for it. */
  readonly later?: boolean;
}

/** `present`: the recording has a transcript already, or an attempt at one, in whatever status. */
export type AutomaticStart = 'started' | 'present' | 'not allowed';

/** `$1` the recording, whose row is locked, `$2` the attempt. */
const RESTART = `
  UPDATE transcripts t
  SET status = 'processing', status_reason = NULL, attempt_id = $2, revision = t.revision + 1
  FROM recordings r
  WHERE t.recording_id = $1 AND r.id = $1
    AND (t.status = 'processing' OR r.auto_transcribe AND (t.status = 'failed' OR t.generated))`;

/** Enqueues transcriptions; any free worker runs them. */
@Injectable()
export class TranscriptionQueueService {
  constructor(
    private readonly access: RecordingAccessService,
    private readonly work: ContentWorkService,
    private readonly jobs: JobsService,
    @Inject(INSTALLATION) private readonly installation: Installation,
    @InjectDataSource() private readonly dataSource: DataSource,
  ) {}

  /** Starts a transcription, the first one or a new one. */
  async start(caller: Caller, recordingId: string, language: string | null): Promise<void> {
    const { row } = await this.access.requireFeatureEdit(caller, recordingId, 'transcription');
    const owner = { userId: caller.id, organizationId: row.organization_id };
    await this.startAgain(row, { language, owner });
  }

  /** Starts a transcription, the first one or a new one, of a recording that the caller may transcribe. */
  async startAgain(
    recording: Transcribable,
    { language, owner, unconditional }: StartOptions,
  ): Promise<void> {
    this.requireMedia(recording);
    const { id } = recording;
    const attempt = newId();
    await this.dataSource.transaction(async (manager) => {
      if (!(await this.work.begin(manager, 'transcripts', id, attempt))) {
        throw new DomainError('CONFLICT', 'The recording is already being transcribed.');
      }
      await this.enqueue(manager, { recordingId: id, attempt, language, owner, unconditional });
    });
  }

  /** Whether this installation can transcribe. */
  canTranscribe(): boolean {
    return this.installation.noTranscriber === null;
  }

  /**
   * Starts the transcription of a recording in the transaction that completes its packaging: if it was created to be
   * transcribed, and the owner's plan and feature flags allow it.
   */
  async startAutomatically(manager: EntityManager, recordingId: string): Promise<void> {
    if (!this.canTranscribe()) return;
    await this.work.follow(manager, recordingId, (inner) => this.startIfWanted(inner, recordingId));
  }

  /**
   * The same in the transaction that replaces its media. A transcription of the old media begins again with the new one, and
   * so does a transcript that nobody has sent or corrected, if the recording is to be transcribed. `sentBy` is the user who
   * sent the new media: the recording's owner may not be allowed to change it.
   */
  async restartAutomatically(
    manager: EntityManager,
    recordingId: string,
    sentBy: string | null,
  ): Promise<void> {
    if (!this.canTranscribe()) return;
    await this.work.follow(manager, recordingId, async (inner) => {
      if (!(await this.restart(inner, recordingId, sentBy))) await this.startIfWanted(inner, recordingId);
    });
  }

  private async startIfWanted(manager: EntityManager, recordingId: string): Promise<void> {
    const wanted: object[] = await manager.query('SELECT FROM recordings WHERE id = $1 AND auto_transcribe', [
      recordingId,
    ]);
    if (wanted.length > 0) await this.startForOwner(manager, recordingId, { language: null });
  }

  private async restart(
    manager: EntityManager,
    recordingId: string,
    sentBy: string | null,
  ): Promise<boolean> {
    const recording = await this.access.findForOwner(manager, recordingId);
    if (!recording || recording.access.refusals.transcription) return false;
    const attempt = newId();
    const [, restarted]: [unknown, number] = await manager.query(RESTART, [recordingId, attempt]);
    if (restarted === 0) return false;
    const { owner_id: ownerId, organization_id: organizationId } = recording.row;
    const owner = { userId: sentBy ?? ownerId, organizationId };
    await this.enqueue(manager, { recordingId, attempt, language: null, owner });
    return true;
  }

  /** Starts the first transcription of a recording, as far as its owner may. */
  async startForOwner(
    manager: EntityManager,
    recordingId: string,
    { language, later }: AutomaticOptions,
  ): Promise<AutomaticStart> {
    const recording = await this.access.findForOwner(manager, recordingId);
    if (!recording) return 'not allowed';
    const { owner_id: userId, organization_id: organizationId, transcript_status: status } = recording.row;
    if (status !== null) return 'present';
    if (!recording.access.capabilities.canStartTranscription) return 'not allowed';
    const attempt = newId();
    if (!(await this.work.begin(manager, 'transcripts', recordingId, attempt, { first: true })))
      return 'present';
    await this.enqueue(manager, {
      recordingId,
      attempt,
      language,
      owner: { userId, organizationId },
      later,
    });
    return 'started';
  }

  private enqueue(manager: EntityManager, job: TranscriptionJob): Promise<void> {
    return this.write(manager, job, job.later ? { priority: LATER } : { afterOwn: true });
  }

  /** Enqueues an interrupted job again. */
  again(job: TranscriptionJob, priority: number): Promise<void> {
    return this.write(this.dataSource.manager, job, { priority });
  }

  private async write(
    manager: EntityManager,
    job: TranscriptionJob,
    options: Pick<JobOptions, 'priority' | 'afterOwn'>,
  ): Promise<void> {
    const { recordingId, owner } = job;
    const key = `transcribe:${recordingId}`;
    await this.jobs.enqueue(manager, TRANSCRIBE_JOB, [job], {
      ...options,
      key,
      owner,
      maxAttempts: MAX_ATTEMPTS,
    });
  }

  /** Throws 409 `CONFLICT` if this installation cannot transcribe. */
  requireTranscriber(): void {
    const { noTranscriber: reason } = this.installation;
    if (reason === null) return;
    throw new DomainError(
      'CONFLICT',
      `This service cannot transcribe: ${reason}. Set TRANSCRIPTION_URL to use a server, or import a transcript with PUT.`,
    );
  }

  private requireMedia({ status, media_key: mediaKey }: Transcribable): void {
    this.requireTranscriber();
    if (!isPlayable(status)) {
      throw new DomainError(
        'CONFLICT',
        `The status of the recording is ${status}. Only recordings in COMPLETED or MIGRATING can be transcribed.`,
      );
    }
    if (mediaKey === null) {
      throw new DomainError('CONFLICT', 'The recording has no media to transcribe.');
    }
  }
}

/**
 * Transcriptions with a lower priority than this go before one that has worked for some turns. Those that nobody waits for
 * do not take turns with each other, or a large backlog would be half done for a long time.
 */
export const rankAfter = ({ later }: TranscriptionJob, turns: number): number => (later ? LATER : turns);

export const transcribedRecording = (key: string): string => key.slice('transcribe:'.length);
