import { randomBytes } from 'node:crypto';
import { link, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { readIfPresent, type PostgresLayout } from './postgres-layout.js';
import { commandLineOf, processExists, processRuns } from './processes.js';

/** The contents of `postmaster.pid`, checked against the process it names. */
export type PostmasterState =
  | { readonly kind: 'stopped' }
  | { readonly kind: 'stale' }
  | { readonly kind: 'starting' | 'stopping'; readonly pid: number }
  | { readonly kind: 'ready'; readonly pid: number; readonly port: number };

/** Does not match child processes such as `postgres: checkpointer`. */
const STARTED_BY_HAND = /^(\S*\/)?postgres\s/;
const HALF_WRITTEN_FOR_MS = 10_000;

/** Identifies a cluster's server by its command line. The inode differs for a copy of the folder. */
export async function clusterName(layout: PostgresLayout): Promise<string> {
  return `mrs_${(await stat(layout.data, { bigint: true })).ino}`;
}

export async function readPostmasterState(layout: PostgresLayout): Promise<PostmasterState> {
  const text = await readIfPresent(pidFile(layout));
  if (text === undefined) return { kind: 'stopped' };
  const lines = text.split('\n').map((line) => line.trim());
  // Negative: an operator's single-user session.
  const pid = Math.abs(Number(lines[0]));
  // Empty: a server is just writing it, or the machine crashed while one did.
  if (!Number.isInteger(pid) || pid === 0) return { kind: (await isOld(layout)) ? 'stale' : 'stopped' };
  // PostgreSQL itself removes the file of a dead server, after waiting for that server's last backends.
  if (!processExists(pid)) return { kind: 'stopped' };
  // But it mistakes a zombie for a server, and a zombie that PID 1 does not reap never disappears.
  if (!processRuns(pid) || !(await isServerOf(layout, pid))) return { kind: 'stale' };
  if (lines[7] === 'ready') return { kind: 'ready', pid, port: Number(lines[3]) };
  return { kind: lines[7] === 'stopping' ? 'stopping' : 'starting', pid };
}

/**
 * After a crash the pid may belong to another program of the same user, and PostgreSQL then refuses to start. In case of
 * doubt the lock is respected: an unreadable command line, or a server started by hand, is assumed to be this cluster's.
 */
async function isServerOf(layout: PostgresLayout, pid: number): Promise<boolean> {
  const command = await commandLineOf(pid);
  if (command === undefined) return true;
  const name = /\bcluster_name=(mrs_\d+)\s/.exec(`${command} `)?.[1];
  return name === undefined ? STARTED_BY_HAND.test(command) : name === (await clusterName(layout));
}

async function isOld(layout: PostgresLayout): Promise<boolean> {
  const found = await stat(pidFile(layout)).catch(() => undefined);
  return found !== undefined && Date.now() - found.mtimeMs > HALF_WRITTEN_FOR_MS;
}

/** Moves the file away before re-reading it, as another process may have started a server in the meantime. */
export async function removeStalePidFile(layout: PostgresLayout): Promise<void> {
  const judged = await readIfPresent(pidFile(layout));
  if (judged === undefined || (await readPostmasterState(layout)).kind !== 'stale') return;
  const aside = `${pidFile(layout)}.stale-${randomBytes(4).toString('hex')}`;
  await rename(pidFile(layout), aside).catch(() => undefined);
  const taken = await readFile(aside, 'utf8').catch(() => undefined);
  if (taken !== undefined && taken !== judged) await link(aside, pidFile(layout)).catch(() => undefined);
  await rm(aside, { force: true });
}

function pidFile(layout: PostgresLayout): string {
  return join(layout.data, 'postmaster.pid');
}
