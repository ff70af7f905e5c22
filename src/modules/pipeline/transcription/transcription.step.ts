import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { LIMITS } from '../../../contract/limits.js';
import { languageOfSegments } from '../../../lib/language/detect-language.js';
import { correctTerms } from '../../../lib/language/glossary.js';
import { unlessAuto } from '../../../lib/language/language-codes.js';
import { SETTINGS, type Settings } from '../../../platform/config/settings.js';
import { noteSpeed } from '../../../platform/telemetry/metrics.js';
import type { NewTranscript } from '../../transcripts/entities/transcript-chunk.entity.js';
import { TranscriptsService } from '../../transcripts/transcripts.service.js';
import {
  keepVoices,
  lockRemembering,
  type TranscriptVoice,
} from '../../organizations/public/voices.queries.js';
import { ContentService } from '../content.service.js';
import { ScratchService } from '../packaging/scratch.service.js';
import { PipelineService } from '../pipeline.service.js';
import { type Attempt, LATER, RefusedError } from '../public/steps.js';
import type { TranscriptionJob } from '../public/content.js';
import { StepJobsService } from '../step-jobs.service.js';
import { RecordedAudioService } from './recorded-audio.service.js';
import { SpeakersService } from './speakers.service.js';
import { type RecordedAudio, TimeSliceOverError, Transcriber } from './transcriber.js';
import { findSource, type TranscriptionSource } from './transcription.queries.js';

/** How long a transcription works before others may go first. */
const TIME_SLICE_MS = 30_000;
const GIVEN_UP = 'The recording could not be transcribed. Trying again may help.';

type TranscriptionAttempt = Attempt<TranscriptionJob>;

@Injectable()
export class TranscriptionStep implements OnModuleInit {
  constructor(
    private readonly steps: StepJobsService,
    private readonly content: ContentService,
    private readonly pipeline: PipelineService,
    private readonly scratch: ScratchService,
    private readonly transcriber: Transcriber,
    private readonly audio: RecordedAudioService,
    private readonly speakers: SpeakersService,
    private readonly transcripts: TranscriptsService,
    @Inject(SETTINGS) private readonly settings: Settings,
    private readonly dataSource: DataSource,
  ) {}

  onModuleInit(): void {
    this.steps.handle<TranscriptionJob, TranscriptionJob>('transcribe', {
      ...this.content.stepOf('transcripts', GIVEN_UP),
      run: (attempt) => this.run(attempt),
      again: (attempt) => this.again(attempt),
    });
  }

  private async run(attempt: TranscriptionAttempt): Promise<void> {
    const { job } = attempt;
    const { recordingId } = job;
    const source = await findSource(this.dataSource.manager, recordingId);
    if (!source?.key) throw new RefusedError('The recording no longer has media.');
    const stored = { ...source, key: source.key };
    const { voices, ...transcript } = await this.scratch.within(job.attempt, (folder) =>
      this.transcribe(attempt, stored, folder),
    );
    await this.dataSource.transaction(async (manager) => {
      const organizationId = voices.length > 0 && (await lockRemembering(manager, recordingId));
      await this.content.requireCurrent(manager, 'transcripts', job);
      const origin = { cause: 'transcription', userId: null } as const;
      await this.transcripts.write(manager, recordingId, transcript, origin);
      if (organizationId) await keepVoices(manager, [recordingId, organizationId], voices);
      await this.pipeline.follow(manager, 'transcribed', { recordingId });
    });
  }

  private again({ job, chosen, hasGivenWay }: TranscriptionAttempt): Promise<void> {
    const priority = chosen.priority + (hasGivenWay ? 1 : 0);
    return this.steps.enqueue(this.dataSource.manager, 'transcribe', job, { owner: job.owner, priority });
  }

  private async transcribe(
    attempt: TranscriptionAttempt,
    source: TranscriptionSource & { readonly key: string },
    folder: string,
  ): Promise<NewTranscript & { readonly voices: readonly TranscriptVoice[] }> {
    const { job, signal } = attempt;
    const { terms, wantsVoices } = source;
    const { recordingId, continuesLive: isAwaited, language: requested } = job;
    const options = { folder, signal, isAwaited, language: requested };
    const audio = await this.audio.read({ ...source, recordingId }, options);
    /** The spoken one as given for this transcription, all tracks or the recording; null if it was not. */
    const language = requested ?? commonLanguage(audio) ?? source.language;
    const draft = await this.transcripts.findDraft(job);
    const begun = performance.now();
    let saved = draft?.segments ?? [];
    const spoken = unlessAuto(language ?? this.settings.speechLanguage);
    const heard = await this.transcriber.transcribe(audio, {
      language: spoken,
      terms: terms.map(({ term }) => term),
      signal,
      folder,
      draft,
      save: async (next) => {
        await this.transcripts.saveDraft(job, next, saved);
        saved = next.segments;
        await this.giveWay(attempt, performance.now() - begun);
      },
    });
    noteSpeed('transcription', audio.duration * (1 - (draft?.progress ?? 0)), begun);
    const naming = { folder, signal, recordingId, wantsVoices };
    const { voices, ...named } = await this.speakers.nameIn(heard, audio, naming);
    const segments = await correctTerms(named.segments, terms, LIMITS.segmentText.max);
    const known = unlessAuto(language) ?? heard.language;
    return {
      language: known ?? (await languageOfSegments(segments)),
      segments,
      voices,
      confidenceKnown: heard.confidenceKnown,
    };
  }

  /**
   * Ends the attempt if others wait that have had fewer time slices. Transcriptions that nobody waits for do not give
   * way to each other: a large backlog would be half done for a long time.
   */
  private async giveWay(attempt: TranscriptionAttempt, elapsedMs: number): Promise<void> {
    if (elapsedMs < TIME_SLICE_MS || attempt.hasGivenWay) return;
    const priority = attempt.job.later ? LATER.transcribe : Math.floor(elapsedMs / TIME_SLICE_MS);
    if (await this.steps.isOutranked(attempt, priority)) attempt.giveWay(new TimeSliceOverError());
  }
}

/** What is spoken in all tracks; null if it differs, or is not known of each. */
function commonLanguage({ files }: RecordedAudio): string | null {
  const [first, ...others] = new Set(files.map(({ language }) => language));
  return others.length === 0 ? (first ?? null) : null;
}
