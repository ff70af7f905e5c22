import { execFile } from 'node:child_process';
import { constants, existsSync } from 'node:fs';
import { chmod, cp, lstat, mkdir, readFile, stat, symlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { EmbeddedPostgresError, errorCode } from './embedded-postgres.error.js';
import { createFolder, removeAbandoned, type PostgresLayout } from './folders.js';
import { run, type ServerUser } from './programs.js';

/** Where a server user of its own, who may not enter the folder of `node_modules`, finds the binaries. */
const ROOTS_CACHE = '/var/cache/meeting-recording-service';

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
  const usable = (await completeIfWritable(found.root)) && (await runsFor(user, found));
  const root = usable ? found.root : await copyOf(found, layout, user);
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
    throw new EmbeddedPostgresError(
      `No embedded PostgreSQL is installed for ${name}. Set DATABASE_URL to use your own PostgreSQL server.`,
      { cause: error },
    );
  }
}

/** Tried out rather than derived from file modes, as symlinks, ACLs and mounts matter too. */
async function runsFor(user: ServerUser, { root }: PlatformPackage): Promise<boolean> {
  if (user.uid === undefined) return true;
  const started = run(join(root, 'native', 'bin', 'postgres'), ['--version'], { cwd: '/', user });
  return started.then(
    () => true,
    () => false,
  );
}

/** A copy made once: root's where others can read but not write, a regular user's beside the data. */
async function copyOf(found: PlatformPackage, layout: PostgresLayout, user: ServerUser): Promise<string> {
  const folder = user.uid === undefined ? layout.home : ROOTS_CACHE;
  const target = join(folder, `postgresql-${found.version}-${process.arch}`);
  if (existsSync(target)) return target;
  try {
    await mkdir(folder, { recursive: true });
    await removeAbandoned(target);
    await createFolder(target, async (copy) => {
      await cp(join(found.root, 'native'), join(copy, 'native'), {
        recursive: true,
        verbatimSymlinks: true,
        mode: constants.COPYFILE_FICLONE,
      });
      await complete(copy);
      // The umask during installation or of this process may have hidden the files from the server's user.
      if (user.uid !== undefined) await promisify(execFile)('chmod', ['-R', 'a+rX', folder]);
    });
    return target;
  } catch (error) {
    throw new EmbeddedPostgresError(
      `The user who runs the database cannot use the PostgreSQL binaries in ${found.root}, and they cannot be ` +
        `copied to ${folder}: ${String(error)}`,
      { cause: error },
    );
  }
}

async function completeIfWritable(root: string): Promise<boolean> {
  try {
    await complete(root);
    return true;
  } catch (error) {
    if (['EACCES', 'EPERM', 'EROFS'].includes(errorCode(error) ?? '')) return false;
    throw error;
  }
}

/** Adds the links and execute bits that are missing where npm skipped the install script or an archive lost modes. */
async function complete(root: string): Promise<void> {
  if (process.platform === 'win32') return;
  const list = await readFile(join(root, 'native', 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    const link = join(root, target);
    if (await lstat(link).catch(() => undefined)) continue;
    await symlink(basename(source), link).catch((error: unknown) => {
      // Another process was faster.
      if (errorCode(error) !== 'EEXIST') throw error;
    });
  }
  for (const name of ['initdb', 'postgres', 'pg_ctl']) {
    const program = join(root, 'native', 'bin', name);
    const { mode } = await stat(program);
    if ((mode & 0o100) === 0) await chmod(program, mode | 0o111);
  }
}
