import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { EmbeddedPostgresError, errorCode, explainFileError } from './embedded-postgres.error.js';

const ABANDONED_AFTER_MS = 60 * 60 * 1000;

/** Paths of the embedded server. `cluster` is created atomically, by a single rename. */
export interface PostgresLayout {
  readonly home: string;
  readonly cluster: string;
  /** PostgreSQL's data directory, the only folder that belongs to the user the server runs as. */
  readonly data: string;
  readonly password: string;
  readonly log: string;
}

export function postgresLayout(dataDir: string): PostgresLayout {
  const home = join(dataDir, 'postgres');
  return { home, ...clusterLayout(join(home, 'cluster')), log: join(home, 'postgres.log') };
}

export function clusterLayout(cluster: string): Pick<PostgresLayout, 'cluster' | 'data' | 'password'> {
  return { cluster, data: join(cluster, 'data'), password: join(cluster, 'password') };
}

/** DATA_DIR contains secrets, so it is made private if this user may change it. */
export async function prepareHome(dataDir: string, layout: PostgresLayout): Promise<void> {
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
    const { uid, mode } = await stat(dataDir);
    const me = process.getuid?.();
    if ((me === 0 || me === uid) && (mode & 0o077) !== 0) await chmod(dataDir, 0o700);
    await mkdir(layout.home, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw explainFileError(error, dataDir);
  }
}

/** Fills a folder under a temporary name, then renames it, so that none is incomplete; the first process wins. */
export async function createFolder(target: string, fill: (attempt: string) => Promise<void>): Promise<void> {
  const attempt = await mkdtemp(`${target}.attempt-`);
  try {
    await fill(attempt);
    await rename(attempt, target);
    await sync(dirname(target));
  } catch (error) {
    await rm(attempt, { recursive: true, force: true });
    if (!existsSync(target)) throw error;
  }
}

/** Removes what killed processes left, judged by its age: another container's processes have the same ids. */
export async function removeAbandoned(target: string): Promise<void> {
  for (const name of await readdir(dirname(target))) {
    if (!name.startsWith(`${basename(target)}.attempt-`)) continue;
    const path = join(dirname(target), name);
    const found = await stat(path).catch(() => undefined);
    if (found && Date.now() - found.mtimeMs > ABANDONED_AFTER_MS)
      await rm(path, { recursive: true, force: true }).catch(() => undefined);
  }
}

/** A rename is only durable once its folder is synced. Windows cannot open folders and does not need it. */
async function sync(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  await using folder = await open(path, 'r');
  await folder.sync();
}

export async function readPassword({ password }: PostgresLayout): Promise<string> {
  const found = (await readIfPresent(password))?.trim();
  if (found) return found;
  throw new EmbeddedPostgresError(`${password} is missing. Restore it from a backup of the data folder.`);
}

export const readIfPresent = (path: string): Promise<string | undefined> =>
  readFile(path, 'utf8').catch((error: unknown) => {
    if (errorCode(error) !== 'ENOENT') throw error;
    return undefined;
  });
