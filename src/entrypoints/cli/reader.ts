import 'reflect-metadata';
import { DataSource, type EntityManager } from 'typeorm';
import { ApiKey } from '../../modules/api-keys/entities/api-key.entity.js';
import { Organization } from '../../modules/organizations/entities/organization.entity.js';
import { User } from '../../modules/users/entities/user.entity.js';
import { readSettings } from '../../platform/config/read-settings.js';
import type { Settings } from '../../platform/config/settings.js';
import { dataSourceOptions } from '../../platform/database/data-source.js';
import { DatabaseServer } from '../../platform/database/database-server.js';
import { explainConnection } from '../../platform/database/explain-connection.js';
import { migrateIfPending } from '../../platform/database/pending-migrations.js';
import { statementLog } from '../../platform/database/statement-log.js';
import { AppLogger } from '../../platform/logging/app-logger.js';
import { requireDatabase } from './existing-database.js';

/** What a command that only reads works with. */
export interface Reader {
  readonly settings: Settings;
  readonly manager: EntityManager;
  /** URL of the database in use. */
  readonly url: string;
}

interface Server {
  readonly settings: Settings;
  readonly url: string;
  readonly logger: AppLogger;
}

export interface Database {
  /** Whether the command may create the database, and then says where. */
  readonly creates?: boolean;
}

/** Runs `work` beside the database server that settings name, which is started if it is the embedded one. */
export async function withDatabaseServer(
  work: (server: Server) => Promise<void>,
  database: Database = {},
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

/**
 * Runs `work` on the database alone. Nest and the modules of the service take more than a second to load, and what only
 * reads needs neither.
 */
export async function withReader(
  work: (reader: Reader) => Promise<void>,
  { migrates = true } = {},
): Promise<void> {
  await withDatabaseServer(async ({ settings, url, logger }) => {
    const dataSource = await connect(url, logger, migrates);
    try {
      await work({ settings, manager: dataSource.manager, url });
    } finally {
      await dataSource.destroy();
    }
  });
}

async function connect(url: string, logger: AppLogger, migrates: boolean): Promise<DataSource> {
  const entities = [User, Organization, ApiKey];
  const options = dataSourceOptions({ url, poolSize: 1, entities, onConnect: statementLog(logger) });
  try {
    const dataSource = await new DataSource(options).initialize();
    if (migrates) await migrateIfPending(dataSource.manager, url);
    return dataSource;
  } catch (error) {
    throw explainConnection(error, url);
  }
}
