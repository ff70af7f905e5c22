import { join } from 'node:path';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { SETTINGS, type Settings } from '../../../platform/config/settings.js';
import { languageOfSegments } from '../../../lib/language/detect-language.js';
import { AUTO } from '../../../lib/language/language-codes.js';
import type { ChosenJob } from '../../../platform/jobs/job-lane.js';
import { JobsService } from '../../../platform/jobs/jobs.service.js';
import { ScratchService } from '../packaging/scratch.service.js';
import { AudioService } from '../packaging/audio/audio.service.js';
import { UnplayableMediaError } from '../../../lib/media-engine/unplayable-media.error.js';
import { ContentWorkService, type ContentWork } from '../content-work.service.js';
import { Recording } from '../../recordings/access/entities/recording.entity.js';
import type { NewTranscript } from '../../transcripts/entities/transcript-chunk.entity.js';
import { SummaryWorkService } from '../summarizing/summary-work.service.js';
import { TranscriptsService } from '../../transcripts/transcripts.service.js';
import { Transcriber, TranscriptionRefusedError, TurnOverError } from './transcriber.js';
import {
  rankAfter,
  TRANSCRIBE_JOB,
  transcribedRecording,
  TranscriptionQueueService,
  type TranscriptionJob,
} from '../transcription-queue.service.js';

/** How long a transcription works before others may go first. */
const TURN_MS = 30_000;
const GIVEN_UP = 'The recording could not be transcribed. Trying again may help.';

interface Turn {
  readonly jobId: string;
  /** Aborted when another transcription has the next turn. */
  readonly over: AbortController;
}

interface Transcribing {
  readonly job: TranscriptionJob;
  /** The spoken language as given for this transcription or the recording; null if it was not. */
  readonly language: string | null;
  readonly mediaKey: string;
  readonly folder: string;
  readonly turn: Turn;
}

/** The job that transcribes a recording. */
@Injectable()
export class TranscriptionWorkService implements OnModuleInit {
  constructor(
    private readonly jobs: JobsService,
    private readonly queue: TranscriptionQueueService,
    private readonly work: ContentWorkService,
    private readonly scratch: ScratchService,
    private readonly audio: AudioService,
    private readonly transcriber: Transcriber,
    private readonly transcripts: TranscriptsService,
    private readonly summaries: SummaryWorkService,
    @Inject(SETTINGS) private readonly settings: Settings,
    @InjectDataSource() private readonly dataSource: DataSource,
  ) {}

  onModuleInit(): void {
    this.jobs.handle<TranscriptionJob>(TRANSCRIBE_JOB, (...job) => this.run(...job), {
      lane: 'transcription',
      onExhausted: (key) => this.work.fail('transcripts', transcribedRecording(key), GIVEN_UP),
    });
  }

  private async run(job: TranscriptionJob, stop: AbortSignal, chosen: ChosenJob): Promise<void> {
    const turn: Turn = { jobId: chosen.id, over: new AbortController() };
    const work: ContentWork = {
      make: (signal) => this.make(job, turn, signal),
      refusal,
      again: () => this.queue.again(job, chosen.priority + (turn.over.signal.aborted ? 1 : 0)),
    };
    await this.work.run('transcripts', job, work, AbortSignal.any([stop, turn.over.signal]));
  }

  private async make(job: TranscriptionJob, turn: Turn, signal: AbortSignal): Promise<void> {
    const { recordingId, attempt } = job;
    const recording = await this.dataSource.manager.findOneBy(Recording, { id: recordingId });
    // The original has all audio tracks; what is converted for players has one.
    const mediaKey = recording?.sourceKey ?? recording?.mediaKey;
    if (!mediaKey) throw new TranscriptionRefusedError('The recording no longer has media.');
    const language = job.language ?? recording?.language ?? null;
    const transcript = await this.scratch.within(attempt, (folder) =>
      this.transcribe({ job, language, mediaKey, folder, turn }, signal),
    );
    await this.dataSource.transaction(async (manager) => {
      await this.work.requireCurrent(manager, 'transcripts', job);
      await this.transcripts.write(manager, recordingId, transcript, {
        cause: 'transcription',
        userId: null,
      });
      await this.summaries.startAutomatically(manager, recordingId);
    });
  }

  private async transcribe(
    { job, language, mediaKey, folder, turn }: Transcribing,
    signal: AbortSignal,
  ): Promise<NewTranscript> {
    const source = await this.scratch.assemble([mediaKey], join(folder, 'source'), signal);
    const audio = await this.audio.extract(
      { source: source.path, folder },
      { signal, onProgress: () => undefined },
    );
    const draft = await this.transcripts.findDraft(job);
    const begun = Date.now();
    let saved = draft?.segments ?? [];
    const spoken = unlessAuto(language ?? this.settings.speechLanguage);
    const heard = await this.transcriber.transcribe(audio, {
      language: spoken,
      signal,
      folder,
      draft,
      save: async (next) => {
        await this.transcripts.saveDraft(job, next, saved);
        saved = next.segments;
        await this.giveWay(job, Date.now() - begun, turn);
      },
    });
    const known = unlessAuto(language) ?? heard.language;
    return { ...heard, language: known ?? (await languageOfSegments(heard.segments)) };
  }

  /** Ends the turn of a long transcription if others are waiting that have had fewer turns. */
  private async giveWay(job: TranscriptionJob, elapsedMs: number, { jobId, over }: Turn): Promise<void> {
    if (elapsedMs < TURN_MS || over.signal.aborted) return;
    const priority = rankAfter(job, Math.floor(elapsedMs / TURN_MS));
    if (await this.jobs.isOutranked(TRANSCRIBE_JOB, { id: jobId, priority })) over.abort(new TurnOverError());
  }
}

const unlessAuto = (language: string | null): string | null => (language === AUTO ? null : language);

/** The reason to report if a retry would fail as well. */
function refusal(error: unknown): string | null {
  const known = error instanceof TranscriptionRefusedError || error instanceof UnplayableMediaError;
  return known ? error.message : null;
}
