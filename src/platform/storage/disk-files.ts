import type { Stats } from 'node:fs';
import { link, mkdir, open, readdir, realpath, rename, rmdir, stat, unlink, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** What a file system says where it makes no hard link: another device, another owner, no such feature. */
const NO_LINK = new Set(['EXDEV', 'EPERM', 'EACCES', 'EMLINK', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS']);
/** The key is a folder, or lies below a file: in either case there is no such object. */
const NO_FILE = new Set(['ENOENT', 'ENOTDIR', 'EISDIR']);
/** A folder went while it was made or moved into. */
const NO_FOLDER = new Set(['ENOENT', 'ENOTDIR']);
/** Each one lost takes a deletion at that very moment. Limited, as the same is said for good when a file is in the way. */
const MOVE_TRIES = 50;

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

/** Moves a flushed file to its place below `root`, for good when it returns. Makes the folders it needs. */
export async function moveDurably(from: string, to: string, root: string): Promise<void> {
  const outermost = await moveInto(from, to, root);
  // A new folder is safe when the folder around it is.
  for (let folder = dirname(to); ; folder = dirname(folder)) {
    await sync(folder);
    if (folder === outermost) return;
  }
}

/**
 * Returns the outermost folder that holds anything new. Tries again when a deletion removed one of the folders, empty at
 * that moment; which of them are new is then not known any more.
 */
async function moveInto(from: string, to: string, root: string): Promise<string> {
  for (let tries = 1; ; tries += 1) {
    try {
      const made = await mkdir(dirname(to), { recursive: true, mode: 0o700 });
      await rename(from, to);
      if (tries > 1) return root;
      return dirname(made ?? to);
    } catch (error) {
      if (!NO_FOLDER.has(codeOf(error) ?? '') || tries === MOVE_TRIES) throw error;
    }
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
