import { NestFactory } from '@nestjs/core';
import type { DynamicModule, INestApplicationContext } from '@nestjs/common';
import { AppModule } from '../app.module.js';
import { Cleanup } from '../../platform/runtime/cleanup.js';
import { readSettings } from '../../platform/config/read-settings.js';
import { SettingsModule } from '../../platform/config/settings.module.js';
import { DatabaseModule } from '../../platform/database/database.module.js';
import { LoggingModule } from '../../platform/logging/logging.module.js';
import { requireDatabase } from './existing-database.js';

interface Database {
  /** Whether the command may create the database, and then says where. */
  readonly creates?: boolean;
}

/** Runs `work` with the service without its HTTP server: same settings, database and modules. */
export async function withService(
  work: (service: INestApplicationContext) => Promise<void>,
  database: Database = {},
): Promise<void> {
  await withModule((cleanup) => AppModule.register(cleanup, undefined, 'stderr'), work, database);
}

/**
 * Runs `work` with settings and the migrated database only, without what refuses to start if a sealing key is missing.
 */
export async function withDatabase(work: (context: INestApplicationContext) => Promise<void>): Promise<void> {
  await withModule(DatabaseOnly.register, work);
}

class DatabaseOnly {
  static register(this: void, cleanup: Cleanup): DynamicModule {
    return {
      module: DatabaseOnly,
      imports: [
        SettingsModule.register(),
        LoggingModule.register('stderr'),
        DatabaseModule.register({ entities: [] }, cleanup),
      ],
    };
  }
}

async function withModule(
  module: (cleanup: Cleanup) => DynamicModule,
  work: (context: INestApplicationContext) => Promise<void>,
  database: Database = {},
): Promise<void> {
  await requireDatabase(readSettings(), database);
  const cleanup = new Cleanup();
  try {
    const service = await NestFactory.createApplicationContext(module(cleanup), {
      logger: false,
      abortOnError: false,
    });
    try {
      await work(service);
    } finally {
      await service.close();
    }
  } finally {
    await cleanup.run();
  }
}
