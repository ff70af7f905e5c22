import { execFile, spawn } from 'node:child_process';
import { chmodSync, closeSync, fstatSync, openSync } from 'node:fs';
import { open, rename, stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { settingArguments, type ClusterContext } from './cluster-init.js';
import { giveToFolderOwner } from './postgres-layout.js';
import { clusterName } from './postmaster-state.js';
import { cannotRun, CHILD_ENV, ownDataDirectory, processRuns } from './processes.js';

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

export interface PostmasterExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A server that is starting; once ready, it no longer depends on this process. */
export interface StartingPostmaster {
  /** Undefined while it is running. */
  exit(): PostmasterExit | undefined;
  /** What it has written to the log so far. */
  log(): Promise<string>;
}

export async function startPostmaster(context: ClusterContext, port: number): Promise<StartingPostmaster> {
  const { binaries, layout, settings, user } = context;
  // Some volume drivers add group permissions on mount, which PostgreSQL rejects.
  chmodSync(layout.data, 0o700);
  await rotateLog(layout.log);
  const log = openSync(layout.log, 'a', 0o600);
  await giveToFolderOwner(layout.log);
  const from = fstatSync(log).size;
  const args = settingArguments({
    ...DEFAULT_SETTINGS,
    ...settings,
    listen_addresses: '127.0.0.1',
    port: String(port),
    unix_socket_directories: '',
    cluster_name: await clusterName(layout),
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
  let exit: PostmasterExit | undefined;
  child.on('exit', (code, signal) => (exit = { code, signal }));
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', (error) => reject(cannotRun(binaries.postgres, error)));
  });
  return { exit: () => exit, log: () => readFrom(layout.log, from) };
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
  while (processRuns(pid)) {
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

async function readFrom(path: string, from: number): Promise<string> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    const start = Math.max(size < from ? 0 : from, size - 64 * 1024);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(size - start), 0, size - start, start);
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await file.close();
  }
}
