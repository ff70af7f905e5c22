import { ArchiveError } from '../../../lib/recorder-archives/archive.error.js';
import * as archives from '../../../lib/recorder-archives/recorder-archives.js';

/** `path`: that of the ZIP file on disk. */
export type ArchiveToRead = Readonly<{ path: string; limits: archives.ArchiveLimits }>;

/** `mistake`: why the archive is not taken, as shown to the user. */
export type ReadArchive = readonly archives.ArchivedTrack[] | { readonly mistake: string };

export default async ({ path, limits }: ArchiveToRead): Promise<ReadArchive> =>
  archives.readArchive(path, limits).catch((error: unknown) => {
    if (error instanceof ArchiveError) return { mistake: error.message };
    throw error;
  });
