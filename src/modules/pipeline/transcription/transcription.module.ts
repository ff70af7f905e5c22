import { Module } from '@nestjs/common';
import { SETTINGS, type Settings } from '../../../platform/config/settings.js';
import { AppLogger } from '../../../platform/logging/app-logger.js';
import { RecordingAccessModule } from '../../recordings/access/recording-access.module.js';
import { TranscriptsModule } from '../../transcripts/transcripts.module.js';
import { PackagingModule } from '../packaging/packaging.module.js';
import { PipelineModule } from '../pipeline.module.js';
import { configuredDiarization, configuredModel } from './configured-models.js';
import { LiveMediaService } from './live/live-media.service.js';
import { LiveTranscriptionStep } from './live/live-transcription.step.js';
import { OpenAiTranscriber } from './openai.transcriber.js';
import { RecordedAudioService } from './recorded-audio.service.js';
import { SpeakersService } from './speakers.service.js';
import { SpeechTranscriber } from './speech.transcriber.js';
import { Transcriber } from './transcriber.js';
import { TranscriptionController } from './transcription.controller.js';
import { TranscriptionService } from './transcription.service.js';
import { TranscriptionStep } from './transcription.step.js';

@Module({
  imports: [PackagingModule, PipelineModule, RecordingAccessModule, TranscriptsModule],
  controllers: [TranscriptionController],
  providers: [
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
    RecordedAudioService,
    TranscriptionService,
    TranscriptionStep,
  ],
})
export class TranscriptionModule {}
