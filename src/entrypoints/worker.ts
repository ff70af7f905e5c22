import 'reflect-metadata';
import { constants } from 'node:os';
import { runUntilStopped } from './lifecycle.js';
import { findPort, metricsAddress } from './listening-port.js';
import { serveMetrics, UNREADABLE } from './serve-metrics.js';
import { startWorker } from './start-worker.js';
import { SUPERVISED } from './worker-supervisor.js';
import { lowerPriority } from '../lib/processes/priority.js';
import { readSettings } from '../platform/config/read-settings.js';
import { keepHeapSmall } from '../platform/runtime/start-tuning.js';
import { answerMetrics } from '../platform/telemetry/process-metrics.js';

/** The jobs alone, without a server: `npm run start:worker`. */
runUntilStopped(async () => {
  // Requests on the same machine come first.
  lowerPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  const settings = readSettings();
  const isSupervised = process.argv[2] === SUPERVISED;
  const metrics = isSupervised ? null : metricsAddress(settings);
  if (metrics) await findPort(metrics);
  const worker = await startWorker();
  keepHeapSmall();
  const { logger } = worker;
  if (isSupervised && settings.metrics) answerMetrics((error) => logger.warn({ err: error }, UNREADABLE));
  const stopMetrics = metrics
    ? await serveMetrics(settings, logger, () => [{ role: 'worker', number: 1, child: null }])
    : () => undefined;
  await logger.flush();
  // For the supervising process, if there is one. If it has died meanwhile, the worker stops on its own.
  process.send?.('started', undefined, undefined, () => undefined);
  return {
    logger,
    stop: async () => {
      stopMetrics();
      await worker.stop();
    },
  };
});
