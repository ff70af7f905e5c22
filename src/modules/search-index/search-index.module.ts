import { Module } from '@nestjs/common';
import { SearchIndexService } from './search-index.service.js';

/** Keeps the index of words; for every module that writes texts. */
@Module({ providers: [SearchIndexService], exports: [SearchIndexService] })
export class SearchIndexModule {}
