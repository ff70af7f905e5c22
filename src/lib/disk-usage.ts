import { statfs } from 'node:fs/promises';

/** Bytes of the file system that a folder is on. Null if there is no such folder: with a database and a store elsewhere. */
export const diskUsage = (folder: string) =>
  statfs(folder).then(
    ({ bavail, blocks, bsize }) => ({ free: bavail * bsize, total: blocks * bsize }),
    () => null,
  );
