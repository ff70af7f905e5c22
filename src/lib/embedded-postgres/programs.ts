import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { ServerUser } from './layout.js';

/** Child processes of PostgreSQL inherit nothing from our environment (secrets, PGDATA, locale). */
export const CHILD_ENV = {
  PATH: process.platform === 'win32' ? 'C:\\Windows\\System32' : '/usr/local/bin:/usr/bin:/bin',
  LANG: 'C',
  LC_ALL: 'C',
  TZ: 'UTC',
};

/**
 * The `-D` of a child whose working directory is the data directory. On Linux this link lets a server of another user
 * use a folder below parents that only root may enter: the child's cwd is set before it drops root.
 */
export function ownDataDirectory(data: string): string {
  return process.platform === 'linux' ? '/proc/self/cwd' : data;
}

export function settingArguments(settings: Readonly<Record<string, string>>): string[] {
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

/** Runs a program to completion. If it fails, the error has its output: `stdout`, `stderr`. */
export async function run(
  file: string,
  args: readonly string[],
  { cwd, user, input = '' }: { cwd: string; user: ServerUser; input?: string },
): Promise<void> {
  const running = promisify(execFile)(file, args, { cwd, ...user, env: CHILD_ENV, windowsHide: true });
  // A child that exits without reading its input is reported by its exit code.
  running.child.stdin?.on('error', () => undefined).end(input);
  await running;
}
