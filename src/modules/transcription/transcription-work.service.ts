import { join } from 'node:path';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { JobsService } from '../../platform/jobs/jobs.service.js';
import { ScratchService } from '../packaging/scratch.service.js';
import { AudioService } from '../packaging/audio/audio.service.js';
import { UnplayableMediaError } from '../packaging/unplayable-media.error.js';
import { ContentWorkService, type ContentWork } from '../content-work/content-work.service.js';
import { Recording } from '../recording-access/entities/recording.entity.js';
import type { NewTranscript } from '../transcripts/entities/transcript-chunk.entity.js';
import { SummaryQueueService } from '../summaries/summary-queue.service.js';
import { TranscriptsService } from '../transcripts/transcripts.service.js';
import { Transcriber, TranscriptionRefusedError } from './transcriber.js';
import {
  TRANSCRIBE_JOB,
  transcribedRecording,
  TranscriptionQueueService,
  type TranscriptionJob,
} from '../transcription-queue/transcription-queue.service.js';

const GIVEN_UP = 'The recording could not be transcribed. Trying again may help.';

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
    private readonly summaries: SummaryQueueService,
    @InjectDataSource() private readonly dataSource: DataSource,
  ) {}

  onModuleInit(): void {
    this.jobs.handle<TranscriptionJob>(TRANSCRIBE_JOB, (job, stop) => this.run(job, stop), {
      lane: 'transcription',
      onExhausted: (key) => this.work.fail('transcripts', transcribedRecording(key), GIVEN_UP),
    });
  }

  private async run(job: TranscriptionJob, stop: AbortSignal): Promise<void> {
    const work: ContentWork = {
      make: (signal) => this.make(job, signal),
      refusal,
      again: () => this.queue.enqueue(this.dataSource.manager, job),
    };
    await this.work.run('transcripts', job, work, stop);
  }

  private async make(job: TranscriptionJob, signal: AbortSignal): Promise<void> {
    const { recordingId, attempt } = job;
    const recording = await this.dataSource.manager.findOneBy(Recording, { id: recordingId });
    const mediaKey = recording?.mediaKey;
    if (!mediaKey) throw new TranscriptionRefusedError('The recording no longer has media.');
    const transcript = await this.scratch.within(attempt, (folder) =>
      this.transcribe({ mediaKey, folder, language: job.language }, signal),
    );
    await this.dataSource.transaction(async (manager) => {
      await this.work.requireCurrent(manager, 'transcripts', job);
      await this.transcripts.write(manager, recordingId, transcript);
      await this.summaries.startAutomatically(manager, recordingId);
    });
  }

  private async transcribe(
    { mediaKey, folder, language }: { mediaKey: string; folder: string; language: string | null },
    signal: AbortSignal,
  ): Promise<NewTranscript> {
    const source = await this.scratch.assemble([mediaKey], join(folder, 'source'), signal);
    const audio = await this.audio.extract(
      { source: source.path, folder },
      { signal, onProgress: () => undefined },
    );
    const heard = await this.transcriber.transcribe(audio, { language: language ?? undefined, signal });
    const segments = heard.segments.map((segment) => ({ ...segment, confidence: segment.confidence ?? 1 }));
    return { language: language ?? heard.language, segments };
  }
}

/** The reason to report if a retry would fail as well. */
function refusal(error: unknown): string | null {
  const known = error instanceof TranscriptionRefusedError || error instanceof UnplayableMediaError;
  return known ? error.message : null;
}
