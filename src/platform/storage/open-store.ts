import { join } from 'node:path';
import { StartError, type S3Settings, type Settings } from '../config/settings.js';
import { DiskObjectStore } from './disk.object-store.js';
import type { ObjectStore } from './object-store.js';
import { explainS3 } from './s3-errors.js';

/** Opens the configured store. Throws a `StartError` that names the wrong setting. `followsLinks`: symbolic ones. */
export const openStore = (settings: Settings, { followsLinks = true } = {}): Promise<ObjectStore> =>
  settings.s3 ? openS3Store(settings.s3) : openDiskStore(settings.dataDir, followsLinks);

/** Files under `dataDir/objects`. */
export async function openDiskStore(dataDir: string, followsLinks = true): Promise<DiskObjectStore> {
  const store = new DiskObjectStore(join(dataDir, 'objects'), followsLinks ? null : dataDir);
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

/** A bucket, which must exist. */
export async function openS3Store(settings: S3Settings): Promise<ObjectStore> {
  // Loaded on demand: loading the SDK takes longer than loading the rest of the service.
  const { S3ObjectStore } = await import('./s3.object-store.js');
  const store = new S3ObjectStore(settings);
  try {
    await store.check();
  } catch (error) {
    throw new StartError(explainS3(error, settings), { cause: error });
  }
  return store;
}
