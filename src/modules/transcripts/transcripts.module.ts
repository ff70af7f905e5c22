import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../audit/audit.module.js';
import { PipelineModule } from '../pipeline/pipeline.module.js';
import { RecordingAccessModule } from '../recordings/access/recording-access.module.js';
import { SearchIndexModule } from '../search/index/search-index.module.js';
import { TranscriptDraftChunk } from './entities/transcript-chunk.entity.js';
import { TranscriptRevision } from './entities/transcript-revision.entity.js';
import { Transcript } from './entities/transcript.entity.js';
import { TranscriptRevisionsService } from './transcript-revisions.service.js';
import { TranscriptExportService } from './transcript-export.service.js';
import { TranscriptImportService } from './transcript-import.service.js';
import { TranscriptPagesService } from './transcript-pages.service.js';
import { TranscriptsController } from './transcripts.controller.js';
import { TranscriptsService } from './transcripts.service.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([Transcript, TranscriptDraftChunk, TranscriptRevision]),
    AuditModule,
    PipelineModule,
    RecordingAccessModule,
    SearchIndexModule,
  ],
  controllers: [TranscriptsController],
  providers: [
    TranscriptsService,
    TranscriptPagesService,
    TranscriptImportService,
    TranscriptExportService,
    TranscriptRevisionsService,
  ],
  exports: [TranscriptRevisionsService, TranscriptsService, TranscriptPagesService, TranscriptExportService],
})
export class TranscriptsModule {}
