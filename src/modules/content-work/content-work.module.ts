import { Module } from '@nestjs/common';
import { ContentWorkService } from './content-work.service.js';

/** Generates transcripts and summaries, one attempt at a time. */
@Module({ providers: [ContentWorkService], exports: [ContentWorkService] })
export class ContentWorkModule {}
