import { execFile, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { EmbeddedPostgresError, errorCode, OWN_DATABASE_HINT } from './embedded-postgres.error.js';
import type { ServerUser } from './accounts.js';

/** PostgreSQL's children see nothing of our environment (its secrets, PGDATA, locale). */
export const CHILD_ENV = {
  PATH: process.platform === 'win32' ? 'C:\\Windows\\System32' : '/usr/local/bin:/usr/bin:/bin',
  LANG: 'C',
  LC_ALL: 'C',
  TZ: 'UTC',
};

/**
 * The `-D` of a child whose working directory is the data directory. On Linux the magic link lets a server run
 * by another user use a folder whose parents only root may enter: the child got its cwd before it lost root.
 */
export function ownDataDirectory(data: string): string {
  return process.platform === 'linux' ? '/proc/self/cwd' : data;
}

export function processExists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
}

/** False also for a zombie nobody reaps, as under a container's PID 1 that does not wait for orphans. */
export function processRuns(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return process.platform !== 'linux' || readFileSync(`/proc/${pid}/cmdline`, 'utf8') !== '';
  } catch (error) {
    // EPERM: not of our user, so not our server.
    return !['EPERM', 'ESRCH', 'ENOENT'].includes(errorCode(error) ?? '');
  }
}

/** The command line of a process; undefined when it cannot be told. */
export async function commandLineOf(pid: number): Promise<string | undefined> {
  if (process.platform === 'win32') return undefined;
  try {
    if (process.platform === 'linux')
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
    return (await promisify(execFile)('ps', ['-ww', '-o', 'command=', '-p', String(pid)])).stdout;
  } catch {
    return undefined;
  }
}

export interface RunOptions {
  readonly cwd: string;
  readonly user: ServerUser;
  readonly input?: string;
}

/** Runs a program to its end; gives its exit code and all it said. */
export function run(
  file: string,
  args: readonly string[],
  options: RunOptions,
): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { cwd: options.cwd, ...options.user, env: CHILD_ENV, windowsHide: true });
    let output = '';
    const collect = (chunk: Buffer): void => {
      output += chunk.toString();
    };
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
    // A child that ends before it read its input is told by its exit code.
    child.stdin.on('error', () => undefined).end(options.input ?? '');
    child.on('error', (error) => reject(cannotRun(file, error)));
    child.on('close', (code) => resolve({ code, output }));
  });
}

export function cannotRun(file: string, error: Error): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    `Cannot run the embedded PostgreSQL (${file}: ${error.message}). ${OWN_DATABASE_HINT}`,
    { cause: error },
  );
}
