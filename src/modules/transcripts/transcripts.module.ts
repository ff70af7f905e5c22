import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { RecordingsModule } from '../recordings/recordings.module.js';
import { CaptionsService } from './captions.service.js';
import { TranscriptChunk } from './entities/transcript-chunk.entity.js';
import { Transcript } from './entities/transcript.entity.js';
import { TranscriptsController } from './transcripts.controller.js';
import { TranscriptsService } from './transcripts.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([Transcript, TranscriptChunk]), RecordingsModule],
  controllers: [TranscriptsController],
  providers: [TranscriptsService, CaptionsService],
  exports: [TranscriptsService, CaptionsService],
})
export class TranscriptsModule {}
