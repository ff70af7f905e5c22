import { type DynamicModule, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DataSource, type DataSourceOptions } from 'typeorm';
import type { Cleanup } from '../runtime/cleanup.js';
import { SETTINGS, type Settings } from '../config/settings.js';
import { AppLogger } from '../logging/app-logger.js';
import { dataSourceOptions, SESSION, type DatabaseOptions } from './data-source.js';
import { planConnections, type ConnectionNeeds } from './servers/connection-plan.js';
import { DatabaseServer } from './servers/database-server.js';
import { explainConnection } from './servers/explain-connection.js';
import { migrate } from './migrate.js';
import { Replica } from './servers/replica.js';
import { statementLog } from './statement-log.js';
import { NotificationsService } from './notifications.service.js';

interface DatabaseModuleOptions extends Pick<DatabaseOptions, 'subscribers'> {
  readonly needs: (settings: Settings) => ConnectionNeeds;
}

/** Opens the database, migrates it and connects TypeORM before any other provider can use it. */
@Module({})
export class DatabaseModule {
  static register({ needs, ...more }: DatabaseModuleOptions, cleanup: Cleanup): DynamicModule {
    const server = {
      provide: DatabaseServer,
      inject: [SETTINGS, AppLogger],
      useFactory: (settings: Settings, logger: AppLogger) =>
        cleanup.hold(
          () => DatabaseServer.open(settings, logger),
          (database) => database.release(),
        ),
    };
    const connection = TypeOrmModule.forRootAsync({
      extraProviders: [],
      inject: [DatabaseServer, SETTINGS, AppLogger],
      useFactory: async (database: DatabaseServer, settings: Settings, logger: AppLogger) => ({
        ...dataSourceOptions({
          ...(await migrated(database, logger)).pool,
          poolSize: await planned(database, needs(settings), settings.databasePoolSize),
          ...more,
          onConnect: statementLog(logger),
        }),
        retryAttempts: 1,
        retryDelay: 0,
        toRetry: () => false,
      }),
      dataSourceFactory: (options) =>
        cleanup.hold(
          () => connect(options),
          // After a complete startup, Nest has already destroyed it.
          async (dataSource) => {
            if (dataSource.isInitialized) await dataSource.destroy();
          },
        ),
    });
    const replica = {
      provide: Replica,
      inject: [DataSource, DatabaseServer, SETTINGS, AppLogger],
      useFactory: async (
        primary: DataSource,
        { pool }: DatabaseServer,
        settings: Settings,
        logger: AppLogger,
      ) => {
        const { databaseReplicaUrl: url, databasePoolSize: poolSize } = settings;
        if (url === undefined) return null;
        const options = { url, primaryUrl: pool.url, poolSize, onConnect: statementLog(logger) };
        return cleanup.hold(
          () => Replica.open(primary, options, logger),
          (opened) => opened.close(),
        );
      },
    };
    return {
      module: DatabaseModule,
      global: true,
      imports: [connection],
      providers: [server, replica, NotificationsService],
      exports: [server, NotificationsService],
    };
  }
}

/** Plans the connections of this process, and returns the size of its pool. */
async function planned(database: DatabaseServer, needs: ConnectionNeeds, poolSize: number): Promise<number> {
  database.plan = await planConnections(database.url, database.url !== database.pool.url, needs);
  return Math.min(poolSize, database.plan.pool);
}

async function migrated(database: DatabaseServer, logger: AppLogger): Promise<DatabaseServer> {
  const { url, pool } = database;
  await migrate(url).catch(explainConnection(url));
  if (pool.link.pooling === 'transaction' && pool.link.statementTimeout === 0)
    logger.warn(
      { connectQuery: SESSION },
      'The pooler of DATABASE_URL sets no limits: set its connect_query',
    );
  return database;
}

async function connect(options: DataSourceOptions | undefined): Promise<DataSource> {
  if (options?.type !== 'postgres' || !options.url) throw new Error('PostgreSQL options expected');
  return new DataSource(options).initialize().catch(explainConnection(options.url));
}
