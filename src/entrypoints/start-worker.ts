import { NestFactory } from '@nestjs/core';
import { AppModule } from './app.module.js';
import type { RunningService } from './lifecycle.js';
import { Cleanup } from '../platform/runtime/cleanup.js';
import { JobsService } from '../platform/jobs/jobs.service.js';
import { announceConfinement, confinement } from '../lib/processes/confinement.js';
import { AppLogger } from '../platform/logging/app-logger.js';

/** Starts running jobs, on an open, migrated database. */
export async function startWorker(environment?: Readonly<Record<string, string>>): Promise<RunningService> {
  const cleanup = new Cleanup();
  // Meanwhile, the rest of the service starts.
  void confinement();
  try {
    const context = await NestFactory.createApplicationContext(AppModule.register(cleanup, environment), {
      logger: false,
      abortOnError: false,
    });
    const logger = context.get(AppLogger);
    context.useLogger(logger);
    await announceConfinement(logger);
    await context.get(JobsService).start();
    logger.info('worker started');
    return {
      logger,
      stop: async () => {
        await context.close();
        await cleanup.run();
      },
    };
  } catch (error) {
    await cleanup.run();
    throw error;
  }
}
