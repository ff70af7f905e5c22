import { NestFactory } from '@nestjs/core';
import { AppModule } from '../../src/entrypoints/app.module.js';
import { FetchLimits } from '../../src/modules/fetching/fetch-limits.js';
import { Cleanup } from '../../src/platform/cleanup.js';
import { JobsService } from '../../src/platform/jobs/jobs.service.js';
import type { TestService } from './service.js';
import { MANUAL } from './settings.js';

/** Seconds in place of minutes. */
export const SHORT: Partial<FetchLimits> = {
  paceMs: 1_000,
  shortestPaceMs: 300,
  turnMs: 1_500,
  slowTurnMs: 3_000,
  checkMs: 50,
};

/** A worker of the service in this process, with short limits of fetches. Returns how to stop it. */
export async function startFetchWorker(
  { databaseUrl, dataDir }: TestService,
  limits: Partial<FetchLimits> = SHORT,
): Promise<() => Promise<void>> {
  const cleanup = new Cleanup();
  const environment = {
    DATABASE_URL: databaseUrl,
    DATA_DIR: dataDir,
    ALLOW_PRIVATE_ADDRESSES: 'true',
    LOG_LEVEL: 'silent',
    ...MANUAL,
  };
  const worker = await NestFactory.createApplicationContext(AppModule.register(cleanup, environment), {
    logger: false,
    abortOnError: false,
  });
  Object.assign(worker.get(FetchLimits), limits);
  await worker.get(JobsService).start();
  return async () => {
    await worker.close();
    await cleanup.run();
  };
}
