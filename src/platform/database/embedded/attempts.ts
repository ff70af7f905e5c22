import { randomBytes } from 'node:crypto';
import { readdir, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { processExists } from './processes.js';

/**
 * Files and folders are made under a name of their own and then renamed, so a process killed half-way leaves an
 * attempt behind, never something half-made under the real name. The name says who is building it.
 */
const ATTEMPT = /\.attempt-(\d+)-[0-9a-f]{12}$/;
const FORGOTTEN_AFTER_MS = 60 * 60 * 1000;
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

/** Removes what dead processes left beside `target`. Best effort: the next call tries again. */
export async function removeDeadAttempts(target: string): Promise<void> {
  const folder = dirname(target);
  for (const name of await readdir(folder).catch(() => [])) {
    if (name.startsWith(`${basename(target)}.`) && (await isDead(folder, name))) {
      await remove(join(folder, name));
    }
  }
}

/** After a restart of a container another program may have the builder's pid, hence the age. */
async function isDead(folder: string, name: string): Promise<boolean> {
  const pid = Number(ATTEMPT.exec(name)?.[1] ?? NaN);
  if (Number.isNaN(pid) || ours.has(name)) return false;
  if (pid === process.pid || !processExists(pid)) return true;
  const found = await stat(join(folder, name)).catch(() => undefined);
  return found !== undefined && Date.now() - found.mtimeMs > FORGOTTEN_AFTER_MS;
}

/** Retries, as an orphaned initdb may still be writing; an attempt that stays is no reason to fail. */
async function remove(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 }).catch(() => undefined);
}
