import { join } from 'node:path';
import { Global, Module } from '@nestjs/common';
import { SETTINGS, StartError, type Settings } from '../config/settings.js';
import { DiskObjectStore } from './disk.object-store.js';
import { ObjectStore } from './object-store.js';

@Global()
@Module({
  providers: [
    { provide: DiskObjectStore, inject: [SETTINGS], useFactory: openDiskStore },
    { provide: ObjectStore, useExisting: DiskObjectStore },
  ],
  exports: [ObjectStore, DiskObjectStore],
})
export class StorageModule {}

async function openDiskStore(settings: Settings): Promise<DiskObjectStore> {
  const store = new DiskObjectStore(join(settings.dataDir, 'objects'));
  try {
    await store.prepare();
    await store.check();
  } catch (error) {
    throw new StartError(`DATA_DIR: cannot write to ${store.root}: ${(error as Error).message}`, {
      cause: error,
    });
  }
  return store;
}
