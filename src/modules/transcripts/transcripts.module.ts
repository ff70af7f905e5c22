import { Module } from '@nestjs/common';
import { ContentWorkModule } from '../pipeline/content-work.module.js';
import { RecordingAccessModule } from '../recordings/access/recording-access.module.js';
import { SearchIndexModule } from '../search/index/search-index.module.js';
import { TranscriptCorrectionsService } from './transcript-corrections.service.js';
import { TranscriptDraftsService } from './transcript-drafts.service.js';
import { TranscriptExportService } from './transcript-export.service.js';
import { TranscriptImportService } from './transcript-import.service.js';
import { TranscriptReadingService } from './transcript-reading.service.js';
import { TranscriptRevisionsService } from './revisions/transcript-revisions.service.js';
import { TranscriptsController } from './transcripts.controller.js';
import { TranscriptsService } from './transcripts.service.js';

@Module({
  imports: [ContentWorkModule, RecordingAccessModule, SearchIndexModule],
  controllers: [TranscriptsController],
  providers: [
    TranscriptsService,
    TranscriptRevisionsService,
    TranscriptDraftsService,
    TranscriptReadingService,
    TranscriptExportService,
    TranscriptImportService,
    TranscriptCorrectionsService,
  ],
  exports: [TranscriptsService, TranscriptDraftsService, TranscriptExportService, TranscriptImportService],
})
export class TranscriptsModule {}
