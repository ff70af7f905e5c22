import { randomBytes } from 'node:crypto';
import { readdir, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { processExists } from './processes.js';

/**
 * Files and folders are created under a temporary name and then renamed, so a process killed midway leaves an attempt
 * behind, never an incomplete target. The name contains the pid of its builder.
 */
const ATTEMPT = /\.attempt-(\d+)-[0-9a-f]{12}$/;
const ABANDONED_AFTER_MS = 60 * 60 * 1000;
const ours = new Set<string>();

export async function buildAtomically(
  target: string,
  build: (attempt: string) => Promise<void>,
): Promise<void> {
  const attempt = `${target}.attempt-${process.pid}-${randomBytes(6).toString('hex')}`;
  ours.add(basename(attempt));
  try {
    await build(attempt);
  } finally {
    await remove(attempt);
    ours.delete(basename(attempt));
  }
}

/** Removes attempts at `target` left by dead processes. Best effort: the next call tries again. */
export async function removeDeadAttempts(target: string): Promise<void> {
  const folder = dirname(target);
  for (const name of await readdir(folder).catch(() => [])) {
    if (name.startsWith(`${basename(target)}.`) && (await isDead(folder, name))) {
      await remove(join(folder, name));
    }
  }
}

/** After a container restart another program may have the builder's pid, hence the age check. */
async function isDead(folder: string, name: string): Promise<boolean> {
  const pid = Number(ATTEMPT.exec(name)?.[1] ?? NaN);
  if (Number.isNaN(pid) || ours.has(name)) return false;
  if (pid === process.pid || !processExists(pid)) return true;
  const found = await stat(join(folder, name)).catch(() => undefined);
  return found !== undefined && Date.now() - found.mtimeMs > ABANDONED_AFTER_MS;
}

/** Retries, as an orphaned initdb may still be writing. A leftover attempt is harmless, so failures are ignored. */
async function remove(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 }).catch(() => undefined);
}
