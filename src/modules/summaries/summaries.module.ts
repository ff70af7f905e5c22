import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { PipelineModule } from '../pipeline/pipeline.module.js';
import { RecordingAccessModule } from '../recordings/access/recording-access.module.js';
import { SearchIndexModule } from '../search/index/search-index.module.js';
import { Summary } from './entities/summary.entity.js';
import { SummaryRevision } from './entities/summary-revision.entity.js';
import { SummaryRevisionsService } from './revisions/summary-revisions.service.js';
import { SummariesController } from './summaries.controller.js';
import { SummariesService } from './summaries.service.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([Summary, SummaryRevision]),
    PipelineModule,
    RecordingAccessModule,
    SearchIndexModule,
  ],
  controllers: [SummariesController],
  providers: [SummariesService, SummaryRevisionsService],
  exports: [SummariesService],
})
export class SummariesModule {}
