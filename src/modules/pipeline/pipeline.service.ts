import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { SETTINGS, type Settings } from '../../platform/config/settings.js';
import { newId } from '../../platform/ids.js';
import type { JobOwner } from '../../platform/jobs/fair-share.js';
import { AppLogger } from '../../platform/logging/app-logger.js';
import { INSTALLATION } from '../../policy/policy.service.js';
import type { Installation } from '../../policy/recording-access.js';
import { findNextUse } from '../media/public/heard-tracks.queries.js';
import {
  RecordingAccessService,
  type OwnedRecording,
} from '../recordings/access/recording-access.service.js';
import { dropLive, handOverLive, isToBeTranscribed, restartTranscript } from './content.queries.js';
import { ContentService } from './content.service.js';
import type { ContentJob, TranscriptionJob } from './public/content.js';
import { LATER } from './public/steps.js';
import { StepJobsService } from './step-jobs.service.js';

interface Recording {
  readonly recordingId: string;
}

interface Owned extends Recording {
  /** Whose fair share the job counts towards. */
  readonly owner: JobOwner;
}

interface Replaced extends Recording {
  /** The user who sent the new media: the recording's owner may not be allowed to change it. */
  readonly sentBy: string | null;
}

/** What a transaction can have written of a recording. `discarded`: its bytes were, or cannot be played. */
type Events = Record<
  'arriving' | 'received' | 'retried' | 'imported' | 'kept' | 'trackReceived' | 'voicesFound',
  Owned
> &
  Record<'playable' | 'packaged' | 'stored' | 'transcribed' | 'discarded', Recording> &
  Record<'replaced', Replaced> &
  Record<'tracksChanged', Owned & Replaced>;

type NextSteps = {
  readonly [Event in keyof Events]: (manager: EntityManager, recording: Events[Event]) => Promise<unknown>;
};

/** When to listen to bytes that have arrived, with those that arrive meanwhile. */
const LISTEN_AFTER_MS = 3_000;

/** `present`: the recording has a transcript already, or an attempt at one, in whatever status. */
export type TranscriptionStart = 'started' | 'present' | 'not allowed';

/**
 * The life of a recording from its last byte to its summary. Every step is a class whose `run(attempt)` is called by a
 * job of `StepJobsService`, and ends with a transaction that publishes the result and says here what it has written.
 *
 * 1. Receive: `UploadsService` commits the bytes that a client sends, `FetchingStep` those of a `source_url`; the last
 *    of them makes the recording `received`. To a meeting in progress, whose bytes are `arriving`,
 *    `LiveTranscriptionStep` listens meanwhile.
 * 2. Package: `PackagingStep` makes what players need of them. The recording is `playable` if its source plays
 *    meanwhile, and `stored` when nothing is left to do; new media of a recording has then `replaced` the old.
 * 3. Transcribe: `TranscriptionStep` writes what was said, and continues what was heard live. The recording is
 *    `transcribed`.
 * 4. Summarize: `SummarizingStep` writes the summary.
 */
@Injectable()
export class PipelineService {
  /** What starts next: in the same transaction, so that a crash cannot come between. */
  private readonly next: NextSteps = {
    arriving: (manager, recording) => this.listen(manager, recording),
    received: (manager, recording) => this.package(manager, recording, 0),
    trackReceived: (manager, { recordingId, owner }) =>
      this.steps.enqueue(manager, 'track', { recordingId }, { owner, afterOwn: true }),
    retried: (manager, recording) => this.package(manager, recording, 0),
    // It plays already, so nobody is waiting for its package.
    imported: (manager, recording) => this.package(manager, recording, LATER.package),
    // New media was given up: perhaps it superseded the packaging of what the recording keeps.
    kept: (manager, recording) => this.package(manager, recording, LATER.package),
    playable: (manager, recording) => this.transcribeIfWanted(manager, recording),
    packaged: (manager, recording) => this.transcribeIfWanted(manager, recording),
    stored: (manager, recording) => this.transcribeIfWanted(manager, recording),
    replaced: (manager, recording) => this.transcribeAnew(manager, recording),
    voicesFound: (manager, { recordingId, owner }) =>
      this.steps.enqueue(manager, 'split', { recordingId }, { owner, priority: LATER.package }),
    tracksChanged: (manager, recording) => this.useTracks(manager, recording),
    transcribed: (manager, recording) => this.summarizeIfWanted(manager, recording),
    discarded: (manager, { recordingId }) => dropLive(manager, recordingId),
  };

  constructor(
    private readonly access: RecordingAccessService,
    private readonly content: ContentService,
    private readonly steps: StepJobsService,
    private readonly logger: AppLogger,
    @Inject(SETTINGS) private readonly settings: Pick<Settings, 'autoSummarize' | 'transcription'>,
    @Inject(INSTALLATION) private readonly installation: Installation,
  ) {}

  /** Starts what follows an event, in the transaction that causes it. */
  async follow<Event extends keyof Events>(
    manager: EntityManager,
    event: Event,
    recording: Events[Event],
  ): Promise<void> {
    await this.next[event](manager, recording);
  }

  /** Starts a transcription. Returns false if one is in progress or, with `first`, if there is a transcript. */
  async transcribe(
    manager: EntityManager,
    request: Omit<TranscriptionJob, 'attempt'>,
    first = false,
  ): Promise<boolean> {
    const job = { ...request, attempt: newId() };
    if (!(await this.content.begin(manager, 'transcripts', job, first))) return false;
    await this.enqueueTranscription(manager, job);
    return true;
  }

  /** Starts the first transcription of a recording, as far as its owner may. */
  async transcribeForOwner(
    manager: EntityManager,
    { recordingId, ...options }: Pick<TranscriptionJob, 'recordingId' | 'language' | 'later'>,
  ): Promise<TranscriptionStart> {
    const recording = await this.access.findForOwner(manager, recordingId);
    if (!recording) return 'not allowed';
    if (recording.row.transcriptStatus !== null) return 'present';
    if (!recording.access.capabilities.canStartTranscription) return 'not allowed';
    const request = { recordingId, ...options, owner: ownerOf(recording) };
    return (await this.transcribe(manager, request, true)) ? 'started' : 'present';
  }

  /** Starts a summary that was requested or, with `first`, the first one; as `transcribe`. */
  async summarize(
    manager: EntityManager,
    request: Omit<ContentJob, 'attempt'>,
    first = false,
  ): Promise<boolean> {
    const job = { ...request, attempt: newId() };
    if (!(await this.content.begin(manager, 'summaries', job, first))) return false;
    await this.steps.enqueue(manager, 'summarize', job, { owner: job.owner });
    return true;
  }

  private async listen(manager: EntityManager, { recordingId, owner }: Owned): Promise<void> {
    if (this.installation.noTranscriber !== null || this.settings.transcription !== null) return;
    const runAt = new Date(Date.now() + LISTEN_AFTER_MS);
    const turn = { owner, runAt, keepsRunAt: true, afterOwn: true } as const;
    await this.steps.enqueue(manager, 'listen', { recordingId }, turn);
  }

  private async package(
    manager: EntityManager,
    { recordingId, owner }: Owned,
    priority: number,
  ): Promise<void> {
    await this.steps.enqueue(manager, 'package', { recordingId }, { owner, priority });
  }

  /** If the recording was created to be transcribed, and the owner's plan and feature flags allow it. */
  private async transcribeIfWanted(manager: EntityManager, recording: Recording): Promise<void> {
    await this.try(manager, recording, async (inner) => {
      if (this.installation.noTranscriber === null) await this.transcribeFirst(inner, recording);
      else await dropLive(inner, recording.recordingId);
    });
  }

  /** Transcribes new media if the old was being transcribed, or is to be and its transcript has not been edited. */
  private async transcribeAnew(manager: EntityManager, recording: Replaced): Promise<void> {
    if (this.installation.noTranscriber !== null) return;
    await this.try(manager, recording, async (inner) => {
      if (!(await this.restart(inner, recording))) await this.transcribeFirst(inner, recording);
    });
  }

  /** Once nothing more is on its way: mixes the tracks if there is no other media, or else transcribes them. */
  private async useTracks(manager: EntityManager, recording: Owned & Replaced): Promise<void> {
    const { recordingId, owner } = recording;
    const next = await findNextUse(manager, recordingId);
    if (next === 'mix') await this.steps.enqueue(manager, 'mix', { recordingId }, { owner });
    if (next === 'transcribe') await this.transcribeAnew(manager, recording);
  }

  /** If the owner's plan and feature flags allow it, and there has been no summary yet. */
  private async summarizeIfWanted(manager: EntityManager, { recordingId }: Recording): Promise<void> {
    if (!this.settings.autoSummarize) return;
    await this.try(manager, { recordingId }, async (inner) => {
      const recording = await this.access.findForOwner(inner, recordingId);
      if (!recording?.access.capabilities.canGenerateSummary) return;
      await this.summarize(inner, { recordingId, owner: ownerOf(recording) }, true);
    });
  }

  private async transcribeFirst(manager: EntityManager, { recordingId }: Recording): Promise<void> {
    if (await this.continueLive(manager, recordingId)) return;
    if (await isToBeTranscribed(manager, recordingId))
      await this.transcribeForOwner(manager, { recordingId, language: null });
  }

  /** Transcribes the rest of a meeting that was heard live, and returns whether there is one. */
  private async continueLive(manager: EntityManager, recordingId: string): Promise<boolean> {
    const recording = await this.access.findForOwner(manager, recordingId);
    if (!recording) await dropLive(manager, recordingId);
    const attempt = newId();
    if (!recording || !(await handOverLive(manager, { recordingId, attempt }))) return false;
    const job = { recordingId, attempt, language: null, owner: ownerOf(recording), continuesLive: true };
    await this.enqueueTranscription(manager, job);
    return true;
  }

  private async restart(manager: EntityManager, { recordingId, sentBy }: Replaced): Promise<boolean> {
    const recording = await this.access.findForOwner(manager, recordingId);
    if (!recording || recording.access.refusals.transcription) return false;
    const attempt = newId();
    if (!(await restartTranscript(manager, recordingId, attempt))) return false;
    const owner = { ...ownerOf(recording), ...(sentBy === null ? {} : { userId: sentBy }) };
    await this.enqueueTranscription(manager, { recordingId, attempt, language: null, owner });
    return true;
  }

  private async enqueueTranscription(manager: EntityManager, job: TranscriptionJob): Promise<void> {
    const rank = job.later ? { priority: LATER.transcribe } : ({ afterOwn: true } as const);
    await this.steps.enqueue(manager, 'transcribe', job, { owner: job.owner, ...rank });
  }

  /** If a step cannot be started, only its start is rolled back: the previous step must not fail with it. */
  private async try(
    manager: EntityManager,
    { recordingId }: Recording,
    start: (manager: EntityManager) => Promise<unknown>,
  ): Promise<void> {
    try {
      // A savepoint.
      await manager.transaction(start);
    } catch (error) {
      this.logger.error({ err: error, recordingId }, 'the next step could not be started');
    }
  }
}

/** Whose fair share the jobs of a recording count towards. */
const ownerOf = ({ row }: OwnedRecording): JobOwner => ({
  userId: row.ownerId,
  organizationId: row.organizationId,
});
