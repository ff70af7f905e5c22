import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { RecordingAccessModule } from '../recordings/recording-access.module.js';
import { SearchIndexModule } from '../search/search-index.module.js';
import { Summary } from './entities/summary.entity.js';
import { SummariesController } from './summaries.controller.js';
import { SummariesService } from './summaries.service.js';
import { SummaryContentService } from './summary-content.service.js';
import { SummaryHtmlService } from './summary-html.service.js';
import { SummaryIntakeService } from './summary-intake.service.js';
import { SummaryOrdersService } from './summary-orders.service.js';
import { SummaryReadingService } from './summary-reading.service.js';
import { SummaryWorkService } from './summary-work.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([Summary]), RecordingAccessModule, SearchIndexModule],
  controllers: [SummariesController],
  providers: [
    SummariesService,
    SummaryContentService,
    SummaryHtmlService,
    SummaryIntakeService,
    SummaryOrdersService,
    SummaryReadingService,
    SummaryWorkService,
  ],
  exports: [SummariesService, SummaryContentService, SummaryHtmlService],
})
export class SummariesModule {}
