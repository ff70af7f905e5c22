import { Module } from '@nestjs/common';
import { RecordingListModule } from '../recordings/list/recording-list.module.js';
import { SearchController } from './search.controller.js';
import { SearchService } from './search.service.js';

/** Must come before `RecordingsModule`, or `recordings/search` would be taken for an id. */
@Module({
  imports: [RecordingListModule],
  controllers: [SearchController],
  providers: [SearchService],
  exports: [SearchService],
})
export class SearchModule {}
