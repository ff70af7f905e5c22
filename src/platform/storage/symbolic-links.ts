import { lstat, realpath } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path';
import { StartError } from '../config/settings.js';

/** Something in a folder is a symbolic link, which may lead anywhere. */
export class SymbolicLinkError extends StartError {
  constructor(path: string) {
    super(`${path} is a symbolic link, which is not followed: move there what it leads to`);
    this.name = 'SymbolicLinkError';
  }
}

/** Returns `path`. Throws if it is a symbolic link, or leads over one below `folder`, which may itself be one. */
export async function refuseLinks(folder: string, path: string): Promise<string> {
  let part = folder;
  for (const name of relative(folder, path).split(sep)) {
    part = join(part, name);
    const stats = await lstat(part).catch(() => null);
    if (stats?.isSymbolicLink()) throw new SymbolicLinkError(part);
    if (!stats) break;
  }
  return path;
}

/** Whether a path is that of a folder, or of something in it, also where links lead there; neither has to exist. */
export async function isWithin(path: string, folder: string): Promise<boolean> {
  const way = relative(await realPathOf(folder), await realPathOf(path));
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

async function realPathOf(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || dirname(path) === path) throw error;
    return join(await realPathOf(dirname(path)), basename(path));
  }
}
