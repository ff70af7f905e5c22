import { Module } from '@nestjs/common';
import { RecordingAccessModule } from '../recordings/access/recording-access.module.js';
import { SearchModule } from '../search/search.module.js';
import { QuestionsController } from './questions.controller.js';
import { QuestionsService } from './questions.service.js';

/** Questions about the transcript of a recording, or of all of them. */
@Module({
  imports: [RecordingAccessModule, SearchModule],
  controllers: [QuestionsController],
  providers: [QuestionsService],
})
export class QuestionsModule {}
