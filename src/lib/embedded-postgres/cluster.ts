import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chown, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PostgresBinaries } from './binaries.js';
import { EmbeddedPostgresError } from './embedded-postgres.error.js';
import {
  clusterLayout,
  createFolder,
  readIfPresent,
  removeAbandoned,
  type PostgresLayout,
} from './folders.js';
import { ownDataDirectory, run, settingArguments, type ServerUser } from './programs.js';

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
  // One statement per line, as single-user mode requires. pg_monitor lets the role see who else is connected.
  const statements = [
    `CREATE ROLE mrs LOGIN CREATEDB PASSWORD '${secret}';`,
    'GRANT pg_monitor TO mrs;',
    'CREATE DATABASE mrs OWNER mrs;',
  ];
  const options = settingArguments({ exit_on_error: 'on', ...settings });
  const single = ['--single', ...inData, ...options, 'template1'];
  await runStep(context, data, binaries.postgres, single, `${statements.join('\n')}\n`);
  await writeFile(password, secret, { mode: 0o600, flush: true });
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
