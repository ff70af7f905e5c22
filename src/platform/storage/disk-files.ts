import type { Stats } from 'node:fs';
import { link, mkdir, open, readdir, realpath, rename, rmdir, stat, unlink, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** Error codes of a file system that cannot create a hard link: other device, other owner, unsupported. */
const NO_LINK = new Set(['EXDEV', 'EPERM', 'EACCES', 'EMLINK', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS']);
/** The key names a folder or is below a file: in either case there is no such object. */
const NO_FILE = new Set(['ENOENT', 'ENOTDIR', 'EISDIR']);
/** A folder disappeared while it was being created or moved into. */
const NO_FOLDER = new Set(['ENOENT', 'ENOTDIR']);
/** Each failure takes a simultaneous deletion; limited, as a file in place of a folder always fails with this code. */
const MOVE_TRIES = 50;

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException | null)?.code;

export const saysNoFile = (error: unknown): boolean => NO_FILE.has(codeOf(error) ?? '');

/** Handles the failure of work on a path that need not exist: `instead` is its result if there is nothing. */
const ifNoFile =
  <Result>(instead: Result) =>
  (error: unknown): Result => {
    if (saysNoFile(error)) return instead;
    throw error;
  };

/** Null if there is nothing. */
export const statOrNull = (path: string): Promise<Stats | null> => stat(path).catch(ifNoFile(null));

/** Gives a file a second name, now as its time, and flushes it; false if the file system cannot. */
export async function linkDurably(file: string, name: string): Promise<boolean> {
  // A hard link to a symbolic link would itself be a symbolic link, and break with its target.
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

/** Moves a flushed file to a path below `root`, creating folders as needed. Durable when it returns. */
export async function moveDurably(from: string, to: string, root: string): Promise<void> {
  const outermost = await moveInto(from, to, root);
  // A new folder is durable once its parent is synced.
  for (let folder = dirname(to); ; folder = dirname(folder)) {
    await sync(folder);
    if (folder === outermost) return;
  }
}

/**
 * Returns the outermost folder with a new entry. Retries if a concurrent deletion removed one of the folders while it
 * was empty; after that it is unknown which of them are new.
 */
async function moveInto(from: string, to: string, root: string): Promise<string> {
  for (let tries = 1; ; tries += 1)
    try {
      const made = await mkdir(dirname(to), { recursive: true, mode: 0o700 });
      await rename(from, to);
      if (tries > 1) return root;
      return dirname(made ?? to);
    } catch (error) {
      if (!NO_FOLDER.has(codeOf(error) ?? '') || tries === MOVE_TRIES) throw error;
    }
}

async function sync(path: string): Promise<void> {
  await using handle = await open(path, 'r');
  await handle.sync();
}

export const removeFile = (path: string): Promise<void> => unlink(path).catch(ifNoFile(undefined));

export async function removeEmptyFolders(path: string, root: string): Promise<void> {
  if (path === root || !path.startsWith(root)) return;
  try {
    await rmdir(path);
  } catch (error) {
    const code = codeOf(error);
    // It contains another object, or has been replaced by a file.
    if (code === 'ENOTEMPTY' || code === 'EEXIST' || code === 'ENOTDIR') return;
    if (code !== 'ENOENT') throw error;
  }
  await removeEmptyFolders(dirname(path), root);
}

/** All files below a folder, by relative path. Files that disappear in the meantime are skipped. `statOf`: null as well. */
export async function* filesBelow(
  folder: string,
  below: string,
  wanted: (path: string) => boolean,
  statOf = statOrNull,
): AsyncGenerator<{ readonly path: string; readonly stats: Stats }> {
  // It need not exist, or may no longer do.
  const names = await readdir(join(folder, below)).catch(ifNoFile([]));
  for (const name of names) {
    const path = below === '' ? name : `${below}/${name}`;
    if (!wanted(path)) continue;
    const stats = await statOf(join(folder, path));
    if (stats?.isDirectory()) yield* filesBelow(folder, path, wanted, statOf);
    else if (stats?.isFile()) yield { path, stats };
  }
}
