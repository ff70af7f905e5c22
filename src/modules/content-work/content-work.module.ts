import { Module } from '@nestjs/common';
import { ContentWorkService } from './content-work.service.js';

/** Transcripts and summaries change through it, one attempt at a time. */
@Module({ providers: [ContentWorkService], exports: [ContentWorkService] })
export class ContentWorkModule {}
