import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { chmodSync, closeSync, openSync } from 'node:fs';
import { once } from 'node:events';
import { rename, stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { ClusterContext } from './cluster.js';
import { EmbeddedPostgresError } from './embedded-postgres.error.js';
import { serverRuns } from './pid-file.js';
import { CHILD_ENV, ownDataDirectory, settingArguments } from './programs.js';

const LOG_LIMIT_BYTES = 10 * 1024 * 1024;
const FAST_SHUTDOWN_MS = 30_000;
const IMMEDIATE_SHUTDOWN_MS = 10_000;
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

/** Fast shutdown: running transactions are rolled back, everything committed is on disk. */
export async function stopPostmaster({ binaries }: ClusterContext, pid: number): Promise<void> {
  await sendSignal(binaries.pgCtl, 'INT', pid);
  if (await isGone(pid, FAST_SHUTDOWN_MS)) return;
  await sendSignal(binaries.pgCtl, 'QUIT', pid);
  await isGone(pid, IMMEDIATE_SHUTDOWN_MS);
}

/** Windows has no signals; `pg_ctl kill` emulates them there. */
async function sendSignal(pgCtl: string, name: 'INT' | 'QUIT', pid: number): Promise<void> {
  try {
    if (process.platform === 'win32') await promisify(execFile)(pgCtl, ['kill', name, String(pid)]);
    else process.kill(pid, `SIG${name}`);
  } catch {
    // Already gone.
  }
}

async function isGone(pid: number, withinMs: number): Promise<boolean> {
  const deadline = Date.now() + withinMs;
  while (serverRuns(pid)) {
    if (Date.now() > deadline) return false;
    await sleep(POLL_MS);
  }
  return true;
}

async function rotateLog(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  // If two processes do this at once, the second finds no file to rename.
  if (found && found.size > LOG_LIMIT_BYTES) await rename(path, `${path}.1`).catch(() => undefined);
}
