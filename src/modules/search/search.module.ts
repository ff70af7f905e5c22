import { Module } from '@nestjs/common';
import { RecordingListModule } from '../recording-list/recording-list.module.js';
import { SearchController } from './search.controller.js';
import { SearchRepository } from './search.repository.js';
import { SearchService } from './search.service.js';

/** Stands before `RecordingsModule` among the routes, as `recordings/search` is no id. */
@Module({
  imports: [RecordingListModule],
  controllers: [SearchController],
  providers: [SearchRepository, SearchService],
})
export class SearchModule {}
