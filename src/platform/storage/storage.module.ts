import { Global, Module } from '@nestjs/common';
import { SETTINGS } from '../config/settings.js';
import { ObjectStore } from './object-store.js';
import { openStore } from './open-store.js';

/** The one `ObjectStore`, on disk or in S3 depending on the settings. */
@Global()
@Module({
  providers: [{ provide: ObjectStore, inject: [SETTINGS], useFactory: openStore }],
  exports: [ObjectStore],
})
export class StorageModule {}
