import { Module } from '@nestjs/common';
import { RecordingAccessModule } from '../recordings/access/recording-access.module.js';
import { ContentWorkService } from './content-work.service.js';

/** Generates transcripts and summaries, one attempt at a time. */
@Module({ imports: [RecordingAccessModule], providers: [ContentWorkService], exports: [ContentWorkService] })
export class ContentWorkModule {}
