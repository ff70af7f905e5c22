import { chmod, chown, lstat, mkdir, open, readFile, rename, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { accountName } from './accounts.js';
import { buildAtomically } from './attempts.js';
import { EmbeddedPostgresError, errorCode, explainFileError } from './embedded-postgres.error.js';

/** Paths of the embedded server. `cluster` is created atomically, by a single rename. */
export interface PostgresLayout {
  readonly home: string;
  readonly cluster: string;
  /** PostgreSQL's data directory, the only folder that belongs to the user the server runs as. */
  readonly data: string;
  readonly password: string;
  readonly port: string;
  readonly log: string;
}

export function postgresLayout(dataDir: string): PostgresLayout {
  const home = join(dataDir, 'postgres');
  return {
    home,
    ...clusterLayout(join(home, 'cluster')),
    port: join(home, 'port'),
    log: join(home, 'postgres.log'),
  };
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
    await giveToFolderOwner(layout.home);
  } catch (error) {
    throw await explainDataDirError(error, dataDir);
  }
}

async function explainDataDirError(problem: unknown, dataDir: string): Promise<unknown> {
  // Node reports ENOENT if the parent is read-only.
  if (errorCode(problem) === 'ENOENT') {
    return new EmbeddedPostgresError(`The data folder ${dataDir} cannot be created.`, { cause: problem });
  }
  const owner = (await stat(dataDir).catch(() => undefined))?.uid;
  const foreign = owner !== undefined && owner !== process.getuid?.();
  if (!foreign || !['EACCES', 'EPERM'].includes(errorCode(problem) ?? ''))
    return explainFileError(problem, dataDir);
  return new EmbeddedPostgresError(
    `Cannot store the database in ${dataDir}: the folder belongs to another user (${await accountName(owner)}).`,
    { cause: problem },
  );
}

export async function readIfPresent(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** True for dangling symlinks too. */
export async function exists(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => undefined)) !== undefined;
}

/** Atomic, private, and flushed to disk when it returns; readers see either the old text or the new one. */
export async function writeDurably(path: string, text: string): Promise<void> {
  await buildAtomically(path, async (draft) => {
    const file = await open(draft, 'w', 0o600);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await giveToFolderOwner(draft);
    await rename(draft, path);
  });
  await syncFolder(dirname(path));
}

/** A rename is only durable once its folder is synced. Windows cannot open folders and does not need it. */
export async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** Files that root writes into another user's folder (`docker exec` as root) must remain usable by that user. */
export async function giveToFolderOwner(path: string): Promise<void> {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = await stat(dirname(path));
  if (uid !== 0) await chown(path, uid, gid);
}
