import { join } from 'node:path';
import type { Settings } from '../../../platform/config/settings.js';
import { isWithin, refuseLinks } from '../../../platform/storage/symbolic-links.js';
import { usageError } from '../exit-status.js';
import { blameFolder } from './explain-failure.js';

/** Throws if what is written to the folder would be in the data folder, which the service owns. */
export async function requireApart(folder: string, dataDir: string): Promise<void> {
  if (await isWithin(folder, dataDir))
    throw usageError(
      `${folder} is in DATA_DIR (${dataDir}): choose a folder elsewhere, on another disk if possible`,
    );
}

/** Throws if a restore into the data folder would write into the backup, or follow a symbolic link. */
export async function requireTarget({ dataDir, databaseUrl, s3 }: Settings, backup: string): Promise<void> {
  if (await isWithin(dataDir, backup))
    throw usageError(`DATA_DIR (${dataDir}) is in the backup: choose a folder elsewhere`);
  const folders = [...(databaseUrl === undefined ? ['postgres'] : []), ...(s3 ? [] : ['objects'])];
  for (const folder of folders) await refuseLinks(dataDir, join(dataDir, folder)).catch(blameFolder);
}
