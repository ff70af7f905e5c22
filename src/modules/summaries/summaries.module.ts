import { Module } from '@nestjs/common';
import { PipelineModule } from '../pipeline/pipeline.module.js';
import { RecordingAccessModule } from '../recordings/access/recording-access.module.js';
import { SearchIndexModule } from '../search/index/search-index.module.js';
import { SummariesController } from './summaries.controller.js';
import { SummariesService } from './summaries.service.js';
import { SummaryHtmlService } from './summary-html.service.js';
import { SummaryImportService } from './summary-import.service.js';

@Module({
  imports: [PipelineModule, RecordingAccessModule, SearchIndexModule],
  controllers: [SummariesController],
  providers: [SummariesService, SummaryHtmlService, SummaryImportService],
  exports: [SummariesService, SummaryHtmlService],
})
export class SummariesModule {}
