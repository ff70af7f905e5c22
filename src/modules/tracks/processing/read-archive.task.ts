import { ArchiveError } from '../../../lib/recorder-archives/archive.error.js';
import * as archives from '../../../lib/recorder-archives/recorder-archives.js';
import type { ThreadTask } from '../../../platform/work/thread-task.js';

/** `path`: that of the ZIP file on disk. */
type ArchiveToRead = Readonly<{ path: string; limits: archives.ArchiveLimits }>;

/** `mistake`: why the archive is not taken, as shown to the user. */
type ReadArchive = readonly archives.ArchivedTrack[] | { readonly mistake: string };

export const READ_ARCHIVE: ThreadTask<ArchiveToRead, ReadArchive> = { module: import.meta.url };

export default async ({ path, limits }: ArchiveToRead): Promise<ReadArchive> =>
  archives.readArchive(path, limits).catch((error: unknown) => {
    if (error instanceof ArchiveError) return { mistake: error.message };
    throw error;
  });
