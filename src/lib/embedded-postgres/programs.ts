import { execFile } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';
import { promisify } from 'node:util';
import { EmbeddedPostgresError } from './embedded-postgres.error.js';
import type { PostgresLayout } from './folders.js';

/** Spread into the options of `spawn`. Empty unless this process is root: PostgreSQL refuses to run as root. */
export interface ServerUser {
  readonly uid?: number;
  readonly gid?: number;
}

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
export const ownDataDirectory = (data: string): string =>
  process.platform === 'linux' ? '/proc/self/cwd' : data;

export const settingArguments = (settings: Readonly<Record<string, string>>): string[] =>
  Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);

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

/** Returns, for root, the owner of the existing cluster; for a new one `postgres`, or else `nobody`. */
export async function chooseServerUser({ home, data }: PostgresLayout): Promise<ServerUser> {
  const me = process.getuid?.();
  if (me === undefined) return {};
  const cluster = await stat(data).catch(() => undefined);
  if (me === 0) {
    if (cluster?.uid !== 0) return cluster ? { uid: cluster.uid, gid: cluster.gid } : unprivilegedUser();
    throw new EmbeddedPostgresError(
      `${data} belongs to root, and PostgreSQL refuses to run as root. ` +
        `Change its owner back, for example: chown -R postgres ${data}`,
    );
  }
  const { uid } = cluster ?? (await stat(home));
  if (uid === me) return {};
  throw new EmbeddedPostgresError(
    `The database in ${home} belongs to another user (uid ${uid}). Start the ` +
      'service as the user who created it, or give it another DATA_DIR.',
  );
}

async function unprivilegedUser(): Promise<ServerUser> {
  const passwd = await readFile('/etc/passwd', 'utf8').catch(() => '');
  const idsOf = (name: string): RegExpExecArray | null =>
    new RegExp(`^${name}:[^:]*:(\\d+):(\\d+):`, 'm').exec(passwd);
  const [, uid = 65534, gid = 65534] = idsOf('postgres') ?? idsOf('nobody') ?? [];
  return { uid: Number(uid), gid: Number(gid) };
}
