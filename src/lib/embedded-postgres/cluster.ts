import type { ServerUser, PostgresBinaries } from './layout.js';
import type { PostgresLayout } from './layout.js';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, chown, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { EmbeddedPostgresError, errorCode, explainFileError } from './embedded-postgres.error.js';
import { createFolder, removeAbandoned } from './folders.js';
import { ownDataDirectory, run, settingArguments } from './programs.js';

export interface ClusterContext {
  readonly layout: PostgresLayout;
  readonly binaries: PostgresBinaries;
  readonly user: ServerUser;
  readonly settings: Readonly<Record<string, string>>;
  readonly onEvent: (message: string) => void;
}

/** The service's role cannot become a superuser, and superusers cannot log in at all. */
const HOST_RULES = '# Written by meeting-recording-service.\nhost all mrs 127.0.0.1/32 scram-sha-256\n';

/** PostgreSQL's built-in `C.UTF-8`: lower() and ILIKE fold Unicode the same way on every machine. */
const INITDB_ARGUMENTS = [
  '--username=postgres',
  '--auth=reject',
  '--encoding=UTF8',
  '--locale=C',
  '--locale-provider=builtin',
  '--builtin-locale=C.UTF-8',
];

const INITDB_REASONS: readonly (readonly [RegExp, string])[] = [
  [/No space left on device|Disk quota exceeded/, 'the disk is full'],
  [
    /could not look up effective user ID/,
    `PostgreSQL requires this user to be listed in /etc/passwd. Run the service as a user who is, or set DATABASE_URL`,
  ],
];

export function postgresLayout(dataDir: string): PostgresLayout {
  const home = join(dataDir, 'postgres');
  return { home, ...clusterLayout(join(home, 'cluster')), log: join(home, 'postgres.log') };
}

function clusterLayout(cluster: string): Pick<PostgresLayout, 'cluster' | 'data' | 'password'> {
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

/** Creates the cluster if there is none. */
export async function ensureCluster(context: ClusterContext): Promise<void> {
  const { layout, onEvent } = context;
  await removeAbandoned(layout.cluster);
  if (!existsSync(layout.cluster)) {
    onEvent(`Creating the database in ${layout.home}`);
    await createFolder(layout.cluster, (attempt) => fillCluster(context, attempt));
  }
  await assertVersion(context);
}

async function fillCluster(context: ClusterContext, attempt: string): Promise<void> {
  const { binaries, settings, user } = context;
  const { data, password } = clusterLayout(attempt);
  await mkdir(data, { mode: 0o700 });
  if (user.uid !== undefined && user.gid !== undefined) await chown(data, user.uid, user.gid);

  // Skip syncing only for databases that are disposable anyway (fsync=off).
  const sync = settings['fsync'] === 'off' ? ['--no-sync'] : [];
  const inData = ['-D', ownDataDirectory(data)];
  await runStep(context, data, binaries.initdb, [...inData, ...INITDB_ARGUMENTS, ...sync]);
  await writeFile(join(data, 'pg_hba.conf'), HOST_RULES);

  const secret = randomBytes(24).toString('hex');
  const single = [
    '--single',
    ...inData,
    ...settingArguments({ exit_on_error: 'on', ...settings }),
    'template1',
  ];
  await runStep(context, data, binaries.postgres, single, databaseStatements(secret));
  await writeFile(password, secret, { mode: 0o600, flush: true });
}

/** One statement per line, as single-user mode requires. pg_monitor lets the role see who else is connected. */
function databaseStatements(secret: string): string {
  return [
    `CREATE ROLE mrs LOGIN CREATEDB PASSWORD '${secret}';`,
    'GRANT pg_monitor TO mrs;',
    'CREATE DATABASE mrs OWNER mrs;',
    '',
  ].join('\n');
}

async function runStep(
  { layout, user }: ClusterContext,
  cwd: string,
  file: string,
  args: string[],
  input?: string,
): Promise<void> {
  try {
    await run(file, args, { cwd, user, input });
  } catch (error) {
    const { message, stdout = '', stderr = '' } = error as Error & { stdout?: string; stderr?: string };
    const output = stdout + stderr || message;
    const reason =
      INITDB_REASONS.find(([pattern]) => pattern.test(output))?.[1] ?? 'PostgreSQL could not create it';
    const lines = output.trim().split('\n').slice(-8).join('\n');
    throw new EmbeddedPostgresError(`Cannot create the database in ${layout.home}: ${reason}.\n${lines}`);
  }
}

async function assertVersion({ layout, binaries }: ClusterContext): Promise<void> {
  const found = (await readIfPresent(join(layout.data, 'PG_VERSION')))?.trim();
  if (found === binaries.majorVersion) return;
  throw new EmbeddedPostgresError(
    found === undefined
      ? `${layout.data} is not a PostgreSQL data directory. Restore it from a backup, or move ${layout.cluster} away.`
      : `The database in ${layout.home} was created by PostgreSQL ${found}, but this service includes PostgreSQL ` +
          `${binaries.majorVersion}. Start the version of the service that created it and move the data with backup and restore.`,
  );
}

export async function readPassword({ password }: PostgresLayout): Promise<string> {
  const found = (await readIfPresent(password))?.trim();
  if (found) return found;
  throw new EmbeddedPostgresError(`${password} is missing. Restore it from a backup of the data folder.`);
}

export async function readIfPresent(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}
