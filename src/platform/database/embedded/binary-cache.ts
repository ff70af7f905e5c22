import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { chmod, cp, lstat, mkdir, mkdtemp, readdir, rename } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { buildAtomically, removeDeadAttempts } from './attempts.js';
import { EmbeddedPostgresError } from './embedded-postgres.error.js';
import { exists, type PostgresLayout } from './postgres-layout.js';
import { isReachable } from './reachable.js';
import type { ServerUser } from './accounts.js';

interface Source {
  readonly root: string;
  readonly version: string;
}

/**
 * A copy of the package's binaries, made once: for root if the server's user cannot reach `node_modules`, for anyone if
 * `node_modules` is incomplete and read-only. Returns the folder that contains `native`.
 */
export async function cachedCopyOf(
  source: Source,
  layout: PostgresLayout,
  user: ServerUser,
  complete: (copy: string) => Promise<void>,
): Promise<string> {
  const name = `postgresql-${source.version}-${await fingerprint(source.root)}`;
  let problem: unknown;
  for (const candidate of candidates(layout, user)) {
    try {
      const target = join(await candidate(), name);
      if (!(await exists(target))) await copyTo(target, source, complete);
      await assertOurs(target);
      if (await isReachable(join(target, 'native'), user)) return target;
    } catch (error) {
      problem = error;
    }
  }
  throw new EmbeddedPostgresError(
    `The PostgreSQL binaries in ${source.root} cannot be used by the user who runs the database, ` +
      `and no copy could be made (${problem instanceof Error ? problem.message : 'no reachable folder'}).`,
    { cause: problem },
  );
}

/** A regular user keeps the copy beside the data; root needs a folder that others can read but not write. */
function candidates(layout: PostgresLayout, user: ServerUser): (() => Promise<string>)[] {
  if (user.uid === undefined) return [() => Promise.resolve(layout.home)];
  return [
    () => ownFolder('/var/cache/meeting-recording-service'),
    () => ownFolder(join(tmpdir(), 'meeting-recording-service')),
    async () => {
      const folder = await mkdtemp(join(tmpdir(), 'meeting-recording-service-'));
      await chmod(folder, 0o755);
      return folder;
    },
  ];
}

async function ownFolder(path: string): Promise<string> {
  await mkdir(path, { mode: 0o755 }).catch(() => undefined);
  await assertOurs(path);
  await chmod(path, 0o755);
  return path;
}

/** Root must not run binaries that another user could have put there. */
async function assertOurs(path: string): Promise<void> {
  const found = await lstat(path);
  if (!found.isDirectory() || found.uid !== process.getuid?.() || (found.mode & 0o022) !== 0) {
    throw new Error(`${path} is not a folder that only this user can write to`);
  }
}

async function copyTo(
  target: string,
  source: Source,
  complete: (copy: string) => Promise<void>,
): Promise<void> {
  await removeDeadAttempts(target);
  await buildAtomically(target, async (attempt) => {
    await mkdir(attempt, { mode: 0o755 });
    await cp(join(source.root, 'native'), join(attempt, 'native'), {
      recursive: true,
      verbatimSymlinks: true,
      mode: constants.COPYFILE_FICLONE,
    });
    await openForReading(attempt);
    await complete(attempt);
    await rename(attempt, target).catch(async (error: unknown) => {
      // Another process was faster.
      if (!(await exists(target))) throw error;
    });
  });
}

/** The umask during installation or of this process may have made the files unreadable for the server's user. */
async function openForReading(root: string): Promise<void> {
  await chmod(root, 0o755);
  for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const executable = entry.isDirectory() || basename(dirname(path)) === 'bin';
    if (!entry.isSymbolicLink()) await chmod(path, executable ? 0o755 : 0o644);
  }
}

/** Names and sizes distinguish two builds of one version without reading 60 MB on every start. */
async function fingerprint(root: string): Promise<string> {
  const entries = await readdir(join(root, 'native'), { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const lines = await Promise.all(
    files.sort().map(async (path) => `${path.slice(root.length)} ${(await lstat(path)).size}`),
  );
  return createHash('sha256').update(lines.join('\n')).digest('hex').slice(0, 12);
}
