import { Module } from '@nestjs/common';
import { SETTINGS, type Settings } from '../../platform/config/settings.js';
import { AppLogger } from '../../platform/logging/app-logger.js';
import { MediaModule } from '../media/media.module.js';
import { RecordingAccessModule } from '../recordings/access/recording-access.module.js';
import { SummariesModule } from '../summaries/summaries.module.js';
import { TranscriptsModule } from '../transcripts/transcripts.module.js';
import { UploadsModule } from '../uploads/uploads.module.js';
import { PackageFilesService } from './packaging/package-files.service.js';
import { PackagingService } from './packaging/packaging.service.js';
import { PackagingStep } from './packaging/packaging.step.js';
import { ScratchService } from './packaging/scratch.service.js';
import { PipelineModule } from './pipeline.module.js';
import { SummarizingStep } from './summarizing/summarizing.step.js';
import { configuredDiarization, configuredModel } from './transcription/configured-models.js';
import { LiveMediaService } from './transcription/live/live-media.service.js';
import { LiveTranscriptionStep } from './transcription/live/live-transcription.step.js';
import { OpenAiTranscriber } from './transcription/openai.transcriber.js';
import { SpeakersService } from './transcription/speakers.service.js';
import { SpeechTranscriber } from './transcription/speech.transcriber.js';
import { Transcriber } from './transcription/transcriber.js';
import { TranscriptionController } from './transcription/transcription.controller.js';
import { TranscriptionService } from './transcription/transcription.service.js';
import { TranscriptionStep } from './transcription/transcription.step.js';

/** The steps of a recording that workers run once its bytes are there: packaging, transcription and summary. */
@Module({
  imports: [
    PipelineModule,
    RecordingAccessModule,
    MediaModule,
    UploadsModule,
    TranscriptsModule,
    SummariesModule,
  ],
  controllers: [TranscriptionController],
  providers: [
    PackageFilesService,
    PackagingService,
    PackagingStep,
    ScratchService,
    SummarizingStep,
    {
      provide: Transcriber,
      inject: [SETTINGS],
      useFactory: (settings: Settings) =>
        settings.transcription
          ? new OpenAiTranscriber(settings.transcription)
          : new SpeechTranscriber(configuredModel(settings.speechModelDir), {
              threads: settings.speechThreads,
              keepsWords: settings.speechDiarizationDir !== undefined,
              contact: settings.adviceContact,
            }),
    },
    {
      provide: SpeakersService,
      inject: [SETTINGS, AppLogger],
      useFactory: ({ speechDiarizationDir, speechThreads }: Settings, logger: AppLogger) =>
        new SpeakersService(configuredDiarization(speechDiarizationDir, speechThreads), logger),
    },
    LiveMediaService,
    LiveTranscriptionStep,
    TranscriptionService,
    TranscriptionStep,
  ],
})
export class StepsModule {}
