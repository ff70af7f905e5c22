import { openAsBlob } from 'node:fs';
import { stat } from 'node:fs/promises';
import { usageError } from '../exit-status.js';

/** A file that a command names, read only as it is sent. */
export async function fileToSend(file: string): Promise<Blob> {
  const stats = await stat(file).catch((error: NodeJS.ErrnoException) => {
    throw usageError(`${file}: ${error.code === 'ENOENT' ? 'no such file' : error.message}`);
  });
  // Folders and pipes have no size to declare.
  if (!stats.isFile()) throw usageError(`${file}: not a regular file`);
  return openAsBlob(file);
}
