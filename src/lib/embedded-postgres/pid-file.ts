import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { link, readFile, rename, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { readIfPresent } from './cluster.js';
import { errorCode } from './embedded-postgres.error.js';
import type { PostgresLayout } from './layout.js';

/** The contents of `postmaster.pid`, checked against the process it names. */
export type PostmasterState =
  | { readonly kind: 'stopped' }
  | { readonly kind: 'stale'; readonly text: string }
  | { readonly kind: 'starting' | 'stopping'; readonly pid: number }
  | { readonly kind: 'ready'; readonly pid: number; readonly port: number };

export async function readPostmasterState(layout: PostgresLayout): Promise<PostmasterState> {
  const text = (await readIfPresent(pidFile(layout))) ?? '';
  const lines = text.split('\n').map((line) => line.trim());
  // Negative: an operator's single-user session.
  const pid = Math.abs(Number(lines[0]));
  // PostgreSQL itself removes the file of a dead server, after waiting for that server's last backends.
  if (!pid || !processExists(pid)) return { kind: 'stopped' };
  // But it mistakes a zombie for a server, as well as a program that got the pid after a crash.
  if (!serverRuns(pid)) return { kind: 'stale', text };
  if (lines[7] === 'ready') return { kind: 'ready', pid, port: Number(lines[3]) };
  return { kind: lines[7] === 'stopping' ? 'stopping' : 'starting', pid };
}

/** Moves the file away before re-reading it, as another process may have started a server in the meantime. */
export async function removeStalePidFile(layout: PostgresLayout, judged: string): Promise<void> {
  const aside = `${pidFile(layout)}.stale-${randomBytes(4).toString('hex')}`;
  await rename(pidFile(layout), aside).catch(() => undefined);
  const taken = await readFile(aside, 'utf8').catch(() => undefined);
  if (taken !== undefined && taken !== judged) await link(aside, pidFile(layout)).catch(() => undefined);
  await rm(aside, { force: true });
}

export function processExists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
}

/**
 * Whether a process is a PostgreSQL server. Not so for a zombie, which has no command line and persists in a container
 * whose PID 1 does not reap orphans. Where no `/proc` tells, every process is taken for one.
 */
export function serverRuns(pid: number): boolean {
  if (process.platform !== 'linux') return processExists(pid);
  try {
    const [program = ''] = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
    return basename(program) === 'postgres';
  } catch (error) {
    // In case of doubt it is one: two servers must never use the same data.
    return errorCode(error) !== 'ENOENT' && errorCode(error) !== 'ESRCH';
  }
}

const pidFile = (layout: PostgresLayout): string => join(layout.data, 'postmaster.pid');
