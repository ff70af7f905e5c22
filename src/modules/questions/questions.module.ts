import { Module } from '@nestjs/common';
import { SETTINGS, type Settings } from '../../platform/config/settings.js';
import { RecordingAccessModule } from '../recording-access/recording-access.module.js';
import { SearchModule } from '../search/search.module.js';
import { ChatAnswerer } from './chat-answerer.js';
import { MeetingQuestionsController } from './meeting-questions.controller.js';
import { QuestionsController } from './questions.controller.js';
import { ANSWERER, QuestionsService } from './questions.service.js';

/** Questions about the transcript of a recording, or of all of them. */
@Module({
  imports: [RecordingAccessModule, SearchModule],
  controllers: [QuestionsController, MeetingQuestionsController],
  providers: [
    {
      provide: ANSWERER,
      inject: [SETTINGS],
      useFactory: ({ chat }: Settings) => (chat ? new ChatAnswerer(chat) : null),
    },
    QuestionsService,
  ],
})
export class QuestionsModule {}
