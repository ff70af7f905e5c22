import { Module } from '@nestjs/common';
import { ContentWorkModule } from '../pipeline/content-work.module.js';
import { RecordingAccessModule } from '../recordings/access/recording-access.module.js';
import { SearchIndexModule } from '../search/index/search-index.module.js';
import { SummariesController } from './summaries.controller.js';
import { SummariesService } from './summaries.service.js';
import { SummaryHtmlService } from './summary-html.service.js';
import { SummaryImportService } from './summary-import.service.js';
import { SummaryWorkService } from '../pipeline/summarizing/summary-work.service.js';

@Module({
  imports: [ContentWorkModule, RecordingAccessModule, SearchIndexModule],
  controllers: [SummariesController],
  providers: [SummariesService, SummaryHtmlService, SummaryImportService, SummaryWorkService],
  exports: [SummariesService, SummaryHtmlService, SummaryWorkService],
})
export class SummariesModule {}
