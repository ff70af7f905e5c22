import { StartError } from '../../../platform/config/settings.js';
import { CommandError, EXIT, usageError } from '../exit-status.js';

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

/** Why a command could not write into a folder, in one line, followed by the `outcome`; other errors are returned. */
export function explainFailure(error: unknown, folder: string, outcome: string): unknown {
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    const reason = REASONS[(cause as NodeJS.ErrnoException).code ?? ''];
    if (reason === undefined) continue;
    return new CommandError(EXIT.failure, `Cannot write to ${folder}: ${reason}. ${outcome}`);
  }
  return error;
}

/** For work with a folder that is an argument of the command: what is wrong with it is the fault of the argument. */
export function blameFolder(error: unknown): never {
  throw error instanceof StartError ? usageError(error.message) : error;
}
