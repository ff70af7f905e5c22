import { Global, Module } from '@nestjs/common';
import { getDataSourceToken } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { SETTINGS, type Settings } from '../../../platform/config/settings.js';
import { ContentKeys } from '../../../platform/storage/content-keys.js';
import { ContentKeysService } from './content-keys.service.js';
import { openContentSealer } from './scope-keys.js';

/** Global because the object store of the platform gets its keys here. */
@Global()
@Module({
  providers: [
    {
      // Checks, at every start of a process, that its key fits the database.
      provide: ContentKeysService,
      inject: [SETTINGS, getDataSourceToken()],
      useFactory: async ({ contentKey }: Settings, dataSource: DataSource) =>
        new ContentKeysService(dataSource, await openContentSealer(contentKey, dataSource)),
    },
    { provide: ContentKeys, useExisting: ContentKeysService },
  ],
  exports: [ContentKeysService, ContentKeys],
})
export class ContentKeysModule {}
