import { NestFactory } from '@nestjs/core';
import { AppModule } from './app.module.js';
import type { RunningService } from './lifecycle.js';
import { workerHealthAddress } from './listening-port.js';
import { serveWorkerHealth } from './worker-health.js';
import { HealthService } from '../modules/health/health.service.js';
import { SETTINGS, type Settings } from '../platform/config/settings.js';
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
    // Its lines may be in one stream with those of the API.
    logger.pino.setBindings({ role: 'worker' });
    context.useLogger(logger);
    await announceConfinement(logger);
    const address = workerHealthAddress(context.get<Settings>(SETTINGS));
    const health = address && (await serveWorkerHealth(context.get(HealthService), address));
    await context.get(JobsService).start();
    logger.info(health ? { healthPort: health.port } : {}, 'worker started');
    return {
      logger,
      stop: async () => {
        await context.close();
        health?.close();
        await cleanup.run();
      },
    };
  } catch (error) {
    await cleanup.run();
    throw error;
  }
}
