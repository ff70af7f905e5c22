import { join } from 'node:path';
import { StartError, type Settings } from '../../../platform/config/settings.js';
import { S3Error } from '../../../platform/storage/s3-errors.js';
import { isWithin, refuseLinks } from '../../../platform/storage/symbolic-links.js';
import { failed, usageError } from '../exit-status.js';

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

/** Error codes of a file system that cannot be written to. */
const REASONS: Readonly<Record<string, string>> = {
  ENOSPC: 'no space is left on the device',
  EDQUOT: 'the disk quota is exceeded',
  EROFS: 'the file system is read-only',
  EACCES: 'this user has no access to it',
  EPERM: 'this user may not change it',
  ENOTDIR: 'it is not a folder',
  EEXIST: 'it is not a folder',
  EIO: 'the device reports an error',
};

/** Whether a disk is full, on which nothing unfinished should stay. */
export const saysFull = (error: unknown): boolean =>
  error instanceof Error &&
  (['ENOSPC', 'EDQUOT'].includes((error as NodeJS.ErrnoException).code ?? '') || saysFull(error.cause));

/** Why a command could not write into a folder, in one line, followed by the `outcome`; other errors are returned. */
export function explainFailure(error: unknown, folder: string, outcome: string): unknown {
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    const reason = REASONS[(cause as NodeJS.ErrnoException).code ?? ''];
    if (reason !== undefined) return failed(`Cannot write to ${folder}: ${reason}. ${outcome}`);
    if (cause instanceof S3Error) return failed(`${cause.message}. ${outcome}`);
  }
  return error;
}

/** For work with a folder that is an argument of the command: what is wrong with it is the fault of the argument. */
export function blameFolder(error: unknown): never {
  throw error instanceof StartError ? usageError(error.message) : error;
}
