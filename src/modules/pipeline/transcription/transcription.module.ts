import { Module } from '@nestjs/common';
import { SETTINGS, type Settings } from '../../../platform/config/settings.js';
import { PackagingModule } from '../packaging/packaging.module.js';
import { ContentWorkModule } from '../content-work.module.js';
import { SummariesModule } from '../../summaries/summaries.module.js';
import { TranscriptionQueueModule } from '../transcription-queue.module.js';
import { TranscriptsModule } from '../../transcripts/transcripts.module.js';
import { OpenAiTranscriber } from './openai.transcriber.js';
import { speechModel } from '../../../lib/speech/speech-model.js';
import { SpeechTranscriber } from '../../../lib/speech/speech.transcriber.js';
import { Transcriber } from './transcriber.js';
import { TranscriptionController } from './transcription.controller.js';
import { TranscriptionWorkService } from './transcription-work.service.js';

/** Transcribes the audio of recordings. */
@Module({
  imports: [ContentWorkModule, PackagingModule, SummariesModule, TranscriptionQueueModule, TranscriptsModule],
  controllers: [TranscriptionController],
  providers: [
    {
      provide: Transcriber,
      inject: [SETTINGS],
      useFactory: ({ transcription, speechModelDir, speechThreads }: Settings) =>
        transcription
          ? new OpenAiTranscriber(transcription)
          : new SpeechTranscriber(speechModel(speechModelDir), { threads: speechThreads }),
    },
    TranscriptionWorkService,
  ],
})
export class TranscriptionModule {}
