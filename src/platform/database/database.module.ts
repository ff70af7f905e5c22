import { type DynamicModule, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DataSource, type DataSourceOptions } from 'typeorm';
import type { Cleanup } from '../runtime/cleanup.js';
import { SETTINGS, type Settings } from '../config/settings.js';
import { AppLogger } from '../logging/app-logger.js';
import { dataSourceOptions, type DatabaseOptions } from './data-source.js';
import { DatabaseServer } from './database-server.js';
import { explainConnection } from './explain-connection.js';
import { migrateIfPending } from './pending-migrations.js';
import { run, sql } from './sql.js';
import { statementLog } from './statement-log.js';
import { NotificationsService } from './notifications.service.js';

interface Options extends Pick<DatabaseOptions, 'entities' | 'subscribers'> {
  /** For a command, which nearly always finds the database up to date. */
  readonly usesExisting?: boolean;
}

/** Opens the database, migrates it and connects TypeORM before any other provider can use it. */
@Module({})
export class DatabaseModule {
  static register({ usesExisting = false, ...more }: Options, cleanup: Cleanup): DynamicModule {
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
      useFactory: (database: DatabaseServer, settings: Settings, logger: AppLogger) => ({
        ...dataSourceOptions({
          url: database.url,
          poolSize: settings.databasePoolSize,
          ...more,
          onConnect: statementLog(logger),
        }),
        retryAttempts: 1,
        retryDelay: 0,
        toRetry: () => false,
      }),
      dataSourceFactory: (options) =>
        cleanup.hold(
          () => connectAndMigrate(options, usesExisting),
          // After a complete startup, Nest has already destroyed it.
          async (dataSource) => {
            if (dataSource.isInitialized) await dataSource.destroy();
          },
        ),
    });
    return {
      module: DatabaseModule,
      global: true,
      imports: [connection],
      providers: [server, NotificationsService],
      exports: [server, NotificationsService],
    };
  }
}

async function connectAndMigrate(
  options: DataSourceOptions | undefined,
  usesExisting: boolean,
): Promise<DataSource> {
  if (options?.type !== 'postgres' || !options.url) throw new Error('PostgreSQL options expected');
  try {
    if (usesExisting) {
      const dataSource = await new DataSource(options).initialize();
      await migrateIfPending(dataSource.manager, options.url);
      await run(dataSource.manager, sql`SELECT create_change_log_partitions(now(), 3)`);
      return dataSource;
    }
    const { migrate } = await import('./migrate.js');
    await migrate(options.url);
    return await new DataSource(options).initialize();
  } catch (error) {
    throw explainConnection(error, options.url);
  }
}
