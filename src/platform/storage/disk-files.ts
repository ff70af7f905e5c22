import type { Stats } from 'node:fs';
import { link, mkdir, open, readdir, realpath, rename, rmdir, stat, unlink, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** What a file system says where it makes no hard link: another device, another owner, no such feature. */
const NO_LINK = new Set(['EXDEV', 'EPERM', 'EACCES', 'EMLINK', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS']);
/** The key is a folder, or lies below a file: in either case there is no such object. */
const NO_FILE = new Set(['ENOENT', 'ENOTDIR', 'EISDIR']);

export function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException | null)?.code;
}

export function saysNoFile(error: unknown): boolean {
  return NO_FILE.has(codeOf(error) ?? '');
}

/** Null when nothing lies there. */
export async function statOrNull(path: string): Promise<Stats | null> {
  try {
    return await stat(path);
  } catch (error) {
    if (saysNoFile(error)) return null;
    throw error;
  }
}

/**
 * Gives a file a second name and flushes it; false where the file system makes no such link. Its time becomes now:
 * whoever looks for what is old goes by it.
 */
export async function linkDurably(file: string, name: string): Promise<boolean> {
  // A link to a symbolic link would be one itself, and break with it.
  const target = await realpath(file);
  try {
    await link(target, name);
    const now = new Date();
    await utimes(name, now, now);
  } catch (error) {
    if (NO_LINK.has(codeOf(error) ?? '')) return false;
    throw error;
  }
  await sync(name);
  return true;
}

/** Moves a flushed file to its place, for good when it returns. Makes the folders it needs. */
export async function moveDurably(from: string, to: string): Promise<void> {
  const made = await moveInto(from, to);
  // A new folder is safe when the folder around it is.
  for (let folder = dirname(to); ; folder = dirname(folder)) {
    await sync(folder);
    if (made === undefined || folder === dirname(made)) return;
  }
}

/** Returns the outermost folder it had to make. Once more when a deletion removed the folder, empty at that moment. */
async function moveInto(from: string, to: string, again = true): Promise<string | undefined> {
  const made = await mkdir(dirname(to), { recursive: true, mode: 0o700 });
  try {
    await rename(from, to);
    return made;
  } catch (error) {
    if (codeOf(error) !== 'ENOENT' || !again) throw error;
    return moveInto(from, to, false);
  }
}

async function sync(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Removes a file; one that is not there is no error. */
export async function removeFile(path: string): Promise<void> {
  try {
    await unlink(path);
  } catch (error) {
    if (!saysNoFile(error)) throw error;
  }
}

export async function removeEmptyFolders(path: string, root: string): Promise<void> {
  if (path === root || !path.startsWith(root)) return;
  try {
    await rmdir(path);
  } catch (error) {
    const code = codeOf(error);
    // Another object lies there, or somebody removed the folder first.
    if (code === 'ENOTEMPTY' || code === 'EEXIST' || code === 'ENOTDIR') return;
    if (code !== 'ENOENT') throw error;
  }
  await removeEmptyFolders(dirname(path), root);
}

/** Names in a folder; none when it is not there, or not any more. */
export async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (saysNoFile(error)) return [];
    throw error;
  }
}

/** Every file below a folder, by its path from there. What vanishes meanwhile is left out. */
export async function* filesBelow(
  folder: string,
  below: string,
  wanted: (path: string) => boolean,
): AsyncGenerator<{ readonly path: string; readonly stats: Stats }> {
  for (const name of await namesIn(join(folder, below))) {
    const path = below === '' ? name : `${below}/${name}`;
    if (!wanted(path)) continue;
    const stats = await statOrNull(join(folder, path));
    if (stats?.isDirectory()) yield* filesBelow(folder, path, wanted);
    else if (stats?.isFile()) yield { path, stats };
  }
}
