import { NestFactory } from '@nestjs/core';
import { AppModule } from '../../src/entrypoints/app.module.js';
import { FetchLimits } from '../../src/modules/uploads/fetching/fetch-pace.js';
import { Cleanup } from '../../src/platform/runtime/cleanup.js';
import { JobsService } from '../../src/platform/jobs/jobs.service.js';
import type { TestService } from './service.js';
import { MANUAL } from './settings.js';

/** Less than a hundredth of the real limits; a source may send more in return. */
export const SHORT = {
  paceMs: 400,
  slowBytesPerSecond: 250_000,
  shortestPaceMs: 120,
  sliceMs: 600,
  slowSliceMs: 1_200,
  longestMs: new FetchLimits().longestMs,
} satisfies Partial<FetchLimits>;

export interface FetchWorker {
  /** They apply at once, also to fetches that are running. */
  limit(limits: Partial<FetchLimits>): void;
  stop(): Promise<void>;
}

/** A worker of the service in this process, with short limits of fetches. */
export async function startFetchWorker({ databaseUrl, dataDir }: TestService): Promise<FetchWorker> {
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
  const limit = (limits: Partial<FetchLimits>): void => void Object.assign(worker.get(FetchLimits), limits);
  limit(SHORT);
  await worker.get(JobsService).start();
  return {
    limit,
    stop: async () => {
      await worker.close();
      await cleanup.run();
    },
  };
}
