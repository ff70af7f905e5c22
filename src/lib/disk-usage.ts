import { statfs } from 'node:fs/promises';

interface DiskUsage {
  /** Bytes. */
  readonly free: number;
  readonly total: number;
}

/** The file system that a folder is on. Null if there is no such folder, as with a database and a store elsewhere. */
export async function diskUsage(folder: string): Promise<DiskUsage | null> {
  try {
    const { bavail, blocks, bsize } = await statfs(folder);
    return { free: bavail * bsize, total: blocks * bsize };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
