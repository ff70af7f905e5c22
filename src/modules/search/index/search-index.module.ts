import { Module } from '@nestjs/common';
import { SearchIndexService } from './search-index.service.js';
import { SearchRefreshService } from './search-refresh.service.js';
import { SearchUpkeepService } from './search-upkeep.service.js';
import { WordSeparator } from './word-separator.service.js';

/** Maintains the search index; imported by every module that writes searchable text. */
@Module({
  providers: [SearchIndexService, WordSeparator, SearchRefreshService, SearchUpkeepService],
  exports: [SearchIndexService, SearchRefreshService],
})
export class SearchIndexModule {}
