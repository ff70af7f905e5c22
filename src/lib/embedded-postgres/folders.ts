import { existsSync } from 'node:fs';
import { mkdtemp, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

const ABANDONED_AFTER_MS = 60 * 60 * 1000;

/**
 * Fills a folder under a temporary name and renames it, so that a process killed midway leaves no incomplete one. If
 * several processes do this at once, the first wins.
 */
export async function createFolder(target: string, fill: (attempt: string) => Promise<void>): Promise<void> {
  const attempt = await mkdtemp(`${target}.attempt-`);
  try {
    await fill(attempt);
    await rename(attempt, target);
    await sync(dirname(target));
  } catch (error) {
    await rm(attempt, { recursive: true, force: true });
    if (!existsSync(target)) throw error;
  }
}

/** Removes what killed processes left, judged by its age: another container's processes have the same ids. */
export async function removeAbandoned(target: string): Promise<void> {
  for (const name of await readdir(dirname(target))) {
    if (!name.startsWith(`${basename(target)}.attempt-`)) continue;
    const path = join(dirname(target), name);
    const found = await stat(path).catch(() => undefined);
    if (found && Date.now() - found.mtimeMs > ABANDONED_AFTER_MS) {
      await rm(path, { recursive: true, force: true }).catch(() => undefined);
    }
  }
}

/** A rename is only durable once its folder is synced. Windows cannot open folders and does not need it. */
async function sync(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
