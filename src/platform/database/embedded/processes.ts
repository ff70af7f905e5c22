import { execFile, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { EmbeddedPostgresError, errorCode, OWN_DATABASE_HINT } from './embedded-postgres.error.js';
import type { ServerUser } from './accounts.js';

/** Child processes of PostgreSQL inherit nothing from our environment (secrets, PGDATA, locale). */
export const CHILD_ENV = {
  PATH: process.platform === 'win32' ? 'C:\\Windows\\System32' : '/usr/local/bin:/usr/bin:/bin',
  LANG: 'C',
  LC_ALL: 'C',
  TZ: 'UTC',
};

/**
 * The `-D` of a child whose working directory is the data directory. On Linux this link lets a server of another user use
 * a folder below parents that only root may enter: the child's cwd is set before it drops root.
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

/** Also false for zombies, which persist in a container whose PID 1 does not reap orphans. */
export function processRuns(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return process.platform !== 'linux' || readFileSync(`/proc/${pid}/cmdline`, 'utf8') !== '';
  } catch (error) {
    // EPERM: another user's process, so not our server.
    return !['EPERM', 'ESRCH', 'ENOENT'].includes(errorCode(error) ?? '');
  }
}

/** The command line of a process; undefined if it cannot be determined. */
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

/** Runs a program to completion; returns its exit code and all output. */
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
    // A child that exits without reading its input is reported by its exit code.
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
