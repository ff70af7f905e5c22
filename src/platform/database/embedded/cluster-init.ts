import { randomBytes } from 'node:crypto';
import { chown, mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buildAtomically, removeDeadAttempts } from './attempts.js';
import { EmbeddedPostgresError, errorCode, explainFileError } from './embedded-postgres.error.js';
import type { PostgresBinaries } from './postgres-binaries.js';
import {
  clusterLayout,
  exists,
  giveToFolderOwner,
  readIfPresent,
  syncFolder,
  writeDurably,
  type PostgresLayout,
} from './postgres-layout.js';
import { ownDataDirectory, run } from './processes.js';
import type { ServerUser } from './accounts.js';

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

/** Creates the cluster if there is none. Processes may race: the first rename wins, the others use its cluster. */
export async function ensureCluster(context: ClusterContext): Promise<void> {
  const { layout, onEvent } = context;
  await removeDeadAttempts(layout.cluster);
  if (!(await exists(layout.cluster))) {
    onEvent(`Creating the database in ${layout.home}`);
    await buildAtomically(layout.cluster, (attempt) => buildCluster(context, attempt)).catch(
      (error: unknown) => {
        throw explainFileError(error, layout.home);
      },
    );
  }
  await assertVersion(context);
}

async function buildCluster(context: ClusterContext, attempt: string): Promise<void> {
  const { binaries, layout, settings, user } = context;
  const { data, password } = clusterLayout(attempt);
  await mkdir(attempt, { mode: 0o700 });
  await giveToFolderOwner(attempt);
  await mkdir(data, { mode: 0o700 });
  if (user.uid !== undefined && user.gid !== undefined) await chown(data, user.uid, user.gid);

  // Skip syncing only for databases that are disposable anyway (fsync=off).
  const sync = settings['fsync'] === 'off' ? ['--no-sync'] : [];
  await runStep(context, data, binaries.initdb, ['-D', ownDataDirectory(data), ...INITDB_ARGUMENTS, ...sync]);
  await writeFile(join(data, 'pg_hba.conf'), HOST_RULES);

  const secret = randomBytes(24).toString('hex');
  const single = [
    '--single',
    '-D',
    ownDataDirectory(data),
    '-c',
    'exit_on_error=on',
    ...settingArguments(settings),
  ];
  await runStep(context, data, binaries.postgres, [...single, 'template1'], databaseStatements(secret));
  await writeDurably(password, secret);

  await rename(attempt, layout.cluster).catch(async (error: unknown) => {
    if (!(await exists(layout.cluster))) throw error;
  });
  await syncFolder(layout.home);
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

export function settingArguments(settings: Readonly<Record<string, string>>): string[] {
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

async function runStep(
  { layout, user }: ClusterContext,
  cwd: string,
  file: string,
  args: string[],
  input?: string,
): Promise<void> {
  const { code, output } = await run(file, args, input === undefined ? { cwd, user } : { cwd, user, input });
  if (code === 0) return;
  const reason =
    INITDB_REASONS.find(([pattern]) => pattern.test(output))?.[1] ?? 'PostgreSQL could not create it';
  const lines = output.trim().split('\n').slice(-8).join('\n');
  throw new EmbeddedPostgresError(`Cannot create the database in ${layout.home}: ${reason}.\n${lines}`);
}

async function assertVersion({ layout, binaries }: ClusterContext): Promise<void> {
  const found = (await readIfPresent(join(layout.data, 'PG_VERSION')).catch(unreadable(layout)))?.trim();
  if (found === binaries.majorVersion) return;
  throw new EmbeddedPostgresError(
    found === undefined
      ? `${layout.data} is not a PostgreSQL data directory. Restore it from a backup, or move ${layout.cluster} away.`
      : `The database in ${layout.home} was created by PostgreSQL ${found}, but this service includes PostgreSQL ` +
          `${binaries.majorVersion}. Start the version of the service that created it and move the data with pg_dump.`,
  );
}

function unreadable(layout: PostgresLayout): (error: unknown) => never {
  return (error) => {
    throw errorCode(error) === 'EISDIR' ? error : explainFileError(error, layout.home);
  };
}
