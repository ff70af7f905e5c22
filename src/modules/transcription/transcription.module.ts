import { Module } from '@nestjs/common';
import { SETTINGS, type Settings } from '../../platform/config/settings.js';
import { PackagingModule } from '../packaging/packaging.module.js';
import { ContentWorkModule } from '../content-work/content-work.module.js';
import { RecordingAccessModule } from '../recording-access/recording-access.module.js';
import { TranscriptsModule } from '../transcripts/transcripts.module.js';
import { MissingTranscriber } from './missing.transcriber.js';
import { OpenAiTranscriber } from './openai.transcriber.js';
import { Transcriber } from './transcriber.js';
import { TranscriptionController } from './transcription.controller.js';
import { TranscriptionQueueService } from './transcription-queue.service.js';
import { TranscriptionWorkService } from './transcription-work.service.js';

/** Transcribes the audio of recordings. */
@Module({
  imports: [ContentWorkModule, RecordingAccessModule, PackagingModule, TranscriptsModule],
  controllers: [TranscriptionController],
  providers: [
    {
      provide: Transcriber,
      inject: [SETTINGS],
      useFactory: ({ transcription }: Settings) =>
        transcription ? new OpenAiTranscriber(transcription) : new MissingTranscriber(),
    },
    TranscriptionQueueService,
    TranscriptionWorkService,
  ],
})
export class TranscriptionModule {}
