import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { PipelineModule } from '../pipeline/pipeline.module.js';
import { RecordingAccessModule } from '../recordings/access/recording-access.module.js';
import { RecordingListModule } from '../recordings/list/recording-list.module.js';
import { SearchIndexModule } from '../search/index/search-index.module.js';
import { ActionItemsController } from './action-items/action-items.controller.js';
import { ActionItemsService } from './action-items/action-items.service.js';
import { ActionItem } from './entities/action-item.entity.js';
import { Summary } from './entities/summary.entity.js';
import { SummaryRevision } from './entities/summary-revision.entity.js';
import { SummaryRevisionsService } from './summary-revisions.service.js';
import { SummariesController } from './summaries.controller.js';
import { SummariesService } from './summaries.service.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([ActionItem, Summary, SummaryRevision]),
    PipelineModule,
    RecordingAccessModule,
    RecordingListModule,
    SearchIndexModule,
  ],
  controllers: [SummariesController, ActionItemsController],
  providers: [ActionItemsService, SummariesService, SummaryRevisionsService],
  exports: [SummariesService],
})
export class SummariesModule {}
