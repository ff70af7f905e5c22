import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { AppModule } from './app.module.js';
import { runUntilStopped, type Running } from './entrance.js';
import { Cleanup } from './platform/cleanup.js';
import { JobsService } from './platform/jobs/jobs.service.js';
import { lowerPriority } from './platform/priority.js';
import { AppLogger } from './platform/logging/app-logger.js';

/** The jobs alone, without a server: `npm run start:worker`. */
runUntilStopped(startWorker);

async function startWorker(): Promise<Running> {
  lowerPriority();
  const cleanup = new Cleanup();
  try {
    const context = await NestFactory.createApplicationContext(AppModule.register(cleanup), {
      logger: false,
      abortOnError: false,
    });
    const logger = context.get(AppLogger);
    context.useLogger(logger);
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
