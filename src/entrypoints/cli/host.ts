import 'reflect-metadata';
import type { Type } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { hasDatabase } from '../../lib/embedded-postgres/embedded-postgres.js';
import { asLine, isStorable } from '../../lib/text.js';
import { ApiKey } from '../../modules/api-keys/entities/api-key.entity.js';
import { Organization } from '../../modules/organizations/entities/organization.entity.js';
import { OneTimeSecret } from '../../modules/sign-in/entities/one-time-secret.entity.js';
import { User } from '../../modules/users/entities/user.entity.js';
import { findUserByEmail } from '../../modules/users/public/users.queries.js';
import { readSettings } from '../../platform/config/read-settings.js';
import { SETTINGS, StartError, type Settings } from '../../platform/config/settings.js';
import { withClient } from '../../platform/database/connection.js';
import { dataSourceOptions } from '../../platform/database/data-source.js';
import { asStartError, DatabaseServer } from '../../platform/database/servers/database-server.js';
import { explainConnection, serverOf } from '../../platform/database/servers/explain-connection.js';
import { migrateIfPending } from '../../platform/database/pending-migrations.js';
import { sql } from '../../platform/database/sql.js';
import { statementLog } from '../../platform/database/statement-log.js';
import { isUuid } from '../../platform/ids.js';
import { AppLogger } from '../../platform/logging/app-logger.js';
import { Cleanup } from '../../platform/runtime/cleanup.js';
import { notFound } from './exit-status.js';

/** What a command on the data of this host works with. */
export interface Host {
  readonly settings: Settings;
  readonly manager: EntityManager;
  /** URL of the database in use. */
  readonly url: string;
}

export interface Service extends Host {
  readonly get: <Provider>(type: Type<Provider>) => Provider;
}

interface Database {
  /** Whether the command may create the database, and then says where. */
  readonly creates?: boolean;
}

interface Access extends Database {
  readonly migrates?: boolean;
  /** Whether the command makes changes that are recorded in the change log. */
  readonly writes?: boolean;
}

type Location = Pick<Settings, 'databaseUrl' | 'dataDir'>;

/** Where the database of these settings is, for messages: the folder, or server and name. */
export const placeOf = ({ databaseUrl, dataDir }: Location): string =>
  databaseUrl === undefined ? dataDir : serverOf(databaseUrl);

/** Throws a `StartError` if the settings lead to no database: a mistyped folder would become a new, empty one. */
export async function requireDatabase(settings: Location, { creates = false }: Database = {}): Promise<void> {
  const { databaseUrl, dataDir } = settings;
  const isEmbedded = databaseUrl === undefined;
  if (await (isEmbedded ? hasDatabase(dataDir).catch(asStartError) : hasTables(databaseUrl))) return;
  const place = placeOf(settings);
  if (!creates)
    throw new StartError(
      isEmbedded
        ? `No database in ${place}: set DATA_DIR to the data folder of a service that has been started`
        : `No tables of the service in ${place}: set DATABASE_URL to the database of a service that has been started`,
    );
  const created = isEmbedded ? 'a new database' : 'the tables of the service';
  process.stderr.write(`Creating ${created} in ${place}\n`);
}

/** Runs `work` with the database server that settings name, which is started if it is the embedded one. */
export async function withDatabaseServer(
  work: (server: Omit<Host, 'manager'> & { readonly logger: AppLogger }) => Promise<void>,
  database?: Database,
): Promise<void> {
  const settings = readSettings();
  await requireDatabase(settings, database);
  const logger = AppLogger.to('stderr', settings.logLevel);
  const server = await DatabaseServer.open(settings, logger);
  try {
    await work({ settings, url: server.url, logger });
  } finally {
    await server.release();
  }
}

/** Runs `work` on the database alone, migrated unless `migrates` is false: faster, and without any sealing key. */
export async function withDatabase(work: (host: Host) => Promise<void>, access: Access = {}): Promise<void> {
  await withDatabaseServer(async ({ settings, url, logger }) => {
    const entities = [User, Organization, ApiKey, OneTimeSecret];
    const dataSource = new DataSource(
      dataSourceOptions({ url, poolSize: 2, entities, onConnect: statementLog(logger) }),
    );
    try {
      await connect(dataSource, url, access).catch(explainConnection(url));
      await work({ settings, manager: dataSource.manager, url });
    } finally {
      if (dataSource.isInitialized) await dataSource.destroy();
    }
  }, access);
}

/** Runs `work` with the service without its HTTP server: same settings, database and modules. */
export async function withService(
  work: (service: Service) => Promise<void>,
  database?: Database,
): Promise<void> {
  await requireDatabase(readSettings(), database);
  const [{ NestFactory }, { AppModule }] = await Promise.all([
    import('@nestjs/core'),
    import('../app.module.js'),
  ]);
  const cleanup = new Cleanup();
  try {
    const context = await NestFactory.createApplicationContext(
      AppModule.register(cleanup, undefined, 'stderr'),
      { logger: false, abortOnError: false },
    );
    try {
      const get = <Provider>(type: Type<Provider>): Provider => context.get(type);
      const { manager } = get(DataSource);
      const { url } = context.get(DatabaseServer);
      await work({ get, manager, settings: context.get<Settings>(SETTINGS), url });
    } finally {
      await context.close();
    }
  } finally {
    await cleanup.run();
  }
}

async function connect(
  dataSource: DataSource,
  url: string,
  { migrates = true, writes = false }: Access,
): Promise<void> {
  await dataSource.initialize();
  if (migrates) await migrateIfPending(dataSource.manager, url);
  // The service may not have run for long.
  if (writes) await sql(dataSource)`SELECT create_change_log_partitions(now(), 3)`;
}

/** Whether the database has been used by a service. Throws a `StartError` if it cannot be reached. */
export const hasTables = (url: string): Promise<boolean> =>
  withClient(
    url,
    { connectionTimeoutMillis: 5_000 },
    (client) => sql(client).value<boolean>`SELECT to_regclass('migrations') IS NOT NULL`,
  ).catch(explainConnection(url));

/** How a command names a user (`ofUser`). */
export interface UserOptions {
  readonly email?: string;
  readonly id?: string;
}

export const namedUser = (host: Host, { email, id }: UserOptions): Promise<User> =>
  id === undefined ? requireUser(host, '--email', email) : requireUser(host, '--id', id);

export const findUserId = async (host: Host, options: UserOptions): Promise<string | undefined> =>
  (options.email ?? options.id) === undefined ? undefined : (await namedUser(host, options)).id;

/** The user with the verified email address, or the id, that an option gives. */
export async function requireUser({ manager, settings }: Host, option: string, value = ''): Promise<User> {
  const given = asLine(value);
  const user = isUuid(given)
    ? await manager.getRepository(User).findOneBy({ id: given })
    : isStorable(given)
      ? await findUserByEmail(manager, given)
      : null;
  if (user) return user;
  // Anyone may have claimed an address without proving it: only the host knows which of them is meant.
  throw notFound(
    `${option}: there is no user "${value}" in ${placeOf(settings)}; for users with an unverified address, use the id (see users list)`,
  );
}
