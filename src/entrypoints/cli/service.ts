import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import type { DynamicModule, INestApplicationContext, Provider, Type } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Clock } from '../../platform/clock/clock.js';
import { Cleanup } from '../../platform/runtime/cleanup.js';
import { readSettings } from '../../platform/config/read-settings.js';
import { SETTINGS } from '../../platform/config/settings.js';
import { DatabaseModule } from '../../platform/database/database.module.js';
import { LoggingModule } from '../../platform/logging/logging.module.js';
import { requireDatabase } from './existing-database.js';
import type { Database } from './reader.js';

type Work = (service: INestApplicationContext) => Promise<void>;

/** Runs `work` with the service without its HTTP server: same settings, database and modules. */
export async function withService(work: Work, database: Database = {}): Promise<void> {
  await requireDatabase(readSettings(), database);
  const { AppModule } = await import('../app.module.js');
  await withModule((cleanup) => AppModule.register(cleanup, undefined, 'stderr'), work);
}

/** What `withProviders` starts. */
interface Parts {
  readonly entities?: Type[];
  readonly providers?: readonly Provider[];
}

/**
 * Runs `work` with settings, the migrated database and these providers only, in half the time that the service takes to
 * start; also without what refuses to start if a sealing key is missing.
 */
export async function withProviders(
  { entities = [], providers = [] }: Parts,
  work: Work,
  database: Database = {},
): Promise<void> {
  const settings = readSettings();
  await requireDatabase(settings, database);
  const module = (cleanup: Cleanup): DynamicModule => ({
    module: Providers,
    global: true,
    imports: [
      LoggingModule.register('stderr'),
      DatabaseModule.register({ entities, usesExisting: true }, cleanup),
      TypeOrmModule.forFeature(entities),
    ],
    providers: [{ provide: SETTINGS, useValue: settings }, Clock, ...providers],
    exports: [SETTINGS],
  });
  await withModule(module, work);
}

class Providers {}

async function withModule(module: (cleanup: Cleanup) => DynamicModule, work: Work): Promise<void> {
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
