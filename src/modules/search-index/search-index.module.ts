import { Module } from '@nestjs/common';
import { SearchIndexService } from './search-index.service.js';
import { SearchUpkeepService } from './search-upkeep.service.js';

/** Maintains the search index; imported by every module that writes searchable text. */
@Module({ providers: [SearchIndexService, SearchUpkeepService], exports: [SearchIndexService] })
export class SearchIndexModule {}
