import { chmod, readFile, stat, symlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { EmbeddedPostgresError, errorCode, OWN_DATABASE_HINT } from './embedded-postgres.error.js';
import { cachedCopyOf } from './binary-cache.js';
import { isReachable } from './reachable.js';
import { exists, type PostgresLayout } from './postgres-layout.js';
import type { ServerUser } from './accounts.js';

export interface PostgresBinaries {
  readonly initdb: string;
  readonly postgres: string;
  readonly pgCtl: string;
  readonly majorVersion: string;
}

interface PlatformPackage {
  readonly root: string;
  readonly version: string;
  /** `.exe` on Windows. */
  readonly suffix: string;
}

/** The binaries for this platform, repaired if necessary, in a folder that the server's user can reach. */
export async function locateBinaries(layout: PostgresLayout, user: ServerUser): Promise<PostgresBinaries> {
  const found = await platformPackage();
  const usable = (await complete(found)) && (await isReachable(join(found.root, 'native'), user));
  const root = usable
    ? found.root
    : await cachedCopyOf(found, layout, user, async (copy) => {
        if (!(await complete({ ...found, root: copy }))) throw new Error(`${copy} is not writable`);
      });
  const bin = (name: string): string => join(root, 'native', 'bin', name + found.suffix);
  return {
    initdb: bin('initdb'),
    postgres: bin('postgres'),
    pgCtl: bin('pg_ctl'),
    majorVersion: found.version.split('.')[0] ?? '',
  };
}

async function platformPackage(): Promise<PlatformPackage> {
  const name = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  try {
    const { postgres } = (await import(`@embedded-postgres/${name}`)) as { postgres: string };
    const root = dirname(dirname(dirname(postgres)));
    const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string };
    await stat(postgres);
    return { root, version, suffix: basename(postgres).replace('postgres', '') };
  } catch (error) {
    throw new EmbeddedPostgresError(`No embedded PostgreSQL is installed for ${name}. ${OWN_DATABASE_HINT}`, {
      cause: error,
    });
  }
}

/**
 * npm may have skipped the package's install script, and archives lose file modes: adds missing symlinks between the
 * shared libraries and missing execute bits. False if something is missing and the folder is read-only.
 */
async function complete(found: PlatformPackage): Promise<boolean> {
  if (process.platform === 'win32') return true;
  try {
    await addMissingLinks(found.root);
    for (const name of ['initdb', 'postgres', 'pg_ctl'])
      await addExecuteBit(join(found.root, 'native', 'bin', name));
    return true;
  } catch (error) {
    if (['EACCES', 'EPERM', 'EROFS'].includes(errorCode(error) ?? '')) return false;
    throw error;
  }
}

async function addMissingLinks(root: string): Promise<void> {
  const list = await readFile(join(root, 'native', 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    if (await exists(join(root, target))) continue;
    await symlink(basename(source), join(root, target)).catch((error: unknown) => {
      // Another process was faster.
      if (errorCode(error) !== 'EEXIST') throw error;
    });
  }
}

async function addExecuteBit(path: string): Promise<void> {
  const { mode } = await stat(path);
  if ((mode & 0o100) === 0) await chmod(path, mode | 0o111);
}
