import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, closeSync, openSync, readFileSync } from 'node:fs';
import { link, readFile, rename, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { ClusterContext } from './cluster.js';
import { EmbeddedPostgresError, errorCode } from './embedded-postgres.error.js';
import { readIfPresent, type PostgresLayout } from './folders.js';
import { CHILD_ENV, ownDataDirectory, settingArguments } from './programs.js';

const LOG_LIMIT_BYTES = 10 * 1024 * 1024;
/** Signals, and milliseconds until the next one. */
const SHUTDOWNS = [
  ['INT', 30_000],
  ['QUIT', 10_000],
] as const;
const POLL_MS = 10;

/** Statements and row values stay out of the log, as they contain what was said in meetings. */
const DEFAULT_SETTINGS = {
  max_connections: '100',
  shared_buffers: '128MB',
  log_checkpoints: 'off',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
};

/** Once ready, the server no longer depends on this process. */
export async function startPostmaster(context: ClusterContext, port: number): Promise<ChildProcess> {
  const { binaries, layout, settings, user } = context;
  // Some volume drivers add group permissions on mount, which PostgreSQL rejects.
  chmodSync(layout.data, 0o700);
  await rotateLog(layout.log);
  const log = openSync(layout.log, 'a', 0o600);
  const args = settingArguments({
    ...DEFAULT_SETTINGS,
    ...settings,
    listen_addresses: '127.0.0.1',
    port: String(port),
    unix_socket_directories: '',
  });
  // Detached: in its own session, so that Ctrl-C in the terminal does not reach it.
  const child = spawn(binaries.postgres, ['-D', ownDataDirectory(layout.data), ...args], {
    cwd: layout.data,
    ...user,
    env: CHILD_ENV,
    detached: true,
    windowsHide: true,
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  child.unref();
  await once(child, 'spawn').catch((error: unknown) => {
    throw new EmbeddedPostgresError(`Cannot run the embedded PostgreSQL: ${String(error)}`, { cause: error });
  });
  return child;
}

/** Rolls running transactions back. If that takes too long, stops at once, after which PostgreSQL recovers. */
export async function stopPostmaster({ binaries }: ClusterContext, pid: number): Promise<void> {
  for (const [signal, limitMs] of SHUTDOWNS) {
    try {
      // Windows has no signals; `pg_ctl kill` emulates them there.
      if (process.platform === 'win32') {
        await promisify(execFile)(binaries.pgCtl, ['kill', signal, String(pid)]);
      } else process.kill(pid, `SIG${signal}`);
    } catch {
      // Already gone.
    }
    const deadline = Date.now() + limitMs;
    while (serverRuns(pid) && Date.now() < deadline) await sleep(POLL_MS);
    if (!serverRuns(pid)) return;
  }
}

async function rotateLog(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  // If two processes do this at once, the second finds no file to rename.
  if (found && found.size > LOG_LIMIT_BYTES) await rename(path, `${path}.1`).catch(() => undefined);
}

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
function serverRuns(pid: number): boolean {
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
