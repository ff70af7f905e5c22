import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { SETTINGS, type Settings } from '../../platform/config/settings.js';
import { LexemesService } from '../../platform/language/lexemes.service.js';
import { RecordingAccessModule } from '../recordings/recording-access.module.js';
import { SearchIndexModule } from '../search/search-index.module.js';
import { TranscriptsModule } from '../transcripts/transcripts.module.js';
import { ChatSummarizer } from './chat.summarizer.js';
import { Summary } from './entities/summary.entity.js';
import { ExtractiveSummarizer } from './extractive.summarizer.js';
import { SummariesController } from './summaries.controller.js';
import { SummariesService } from './summaries.service.js';
import { Summarizer } from './summarizer.js';
import { SummaryContentService } from './summary-content.service.js';
import { SummaryIntakeService } from './summary-intake.service.js';
import { SummaryOrdersService } from './summary-orders.service.js';
import { SummaryReadingService } from './summary-reading.service.js';
import { SummaryWorkService } from './summary-work.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([Summary]), RecordingAccessModule, SearchIndexModule, TranscriptsModule],
  controllers: [SummariesController],
  providers: [
    {
      provide: Summarizer,
      inject: [SETTINGS, LexemesService],
      useFactory: ({ chat }: Settings, lexemes: LexemesService) =>
        chat ? new ChatSummarizer(chat) : new ExtractiveSummarizer(lexemes),
    },
    SummariesService,
    SummaryContentService,
    SummaryIntakeService,
    SummaryOrdersService,
    SummaryReadingService,
    SummaryWorkService,
  ],
  exports: [SummariesService, SummaryContentService],
})
export class SummariesModule {}
