import { Module } from '@nestjs/common';
import { ContentWorkModule } from './content-work.module.js';
import { RecordingAccessModule } from '../recordings/access/recording-access.module.js';
import { OperatorTranscriptionService } from './operator-transcription.service.js';
import { TranscriptionQueueService } from './transcription-queue.service.js';

/** Separate from transcription, which uses packaging: packaging enqueues transcriptions, so one module would be a cycle. */
@Module({
  imports: [ContentWorkModule, RecordingAccessModule],
  providers: [TranscriptionQueueService, OperatorTranscriptionService],
  exports: [TranscriptionQueueService, OperatorTranscriptionService],
})
export class TranscriptionQueueModule {}
