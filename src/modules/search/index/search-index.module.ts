import { Module } from '@nestjs/common';
import { SearchIndexService } from './search-index.service.js';

/**
 * Maintains the search index; imported by every module that writes searchable text, also by those that search imports.
 */
@Module({ providers: [SearchIndexService], exports: [SearchIndexService] })
export class SearchIndexModule {}
