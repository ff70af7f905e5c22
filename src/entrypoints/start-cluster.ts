import { startApiProcesses } from './api-processes.js';
import { showIntroduction } from './banner.js';
import type { RunningService } from './lifecycle.js';
import { superviseWorker } from './worker-supervisor.js';
import { announceConfinement } from '../lib/processes/confinement.js';
import type { Settings } from '../platform/config/settings.js';
import { DatabaseServer } from '../platform/database/database-server.js';
import { keepLimits } from '../platform/http/requests/cluster-limiter.js';
import { AppLogger } from '../platform/logging/app-logger.js';
import { keepPlaces } from '../platform/runtime/keep-places.js';

interface ClusterOptions {
  /** That of all processes, also of those that are started later. */
  readonly port: number;
  readonly processes: number;
  readonly hasWorker: boolean;
  /** Aborts when the service is to stop. */
  readonly stopping: AbortSignal;
}

/**
 * Starts the API in several processes on one port. This process, the primary, hands them the connections and counts for
 * them what holds for all of them together; it serves no requests, and holds the embedded database, which thus outlives
 * each of them.
 */
export async function startCluster(
  settings: Settings,
  { port, processes, hasWorker, stopping }: ClusterOptions,
): Promise<RunningService> {
  const logger = AppLogger.to('stdout', settings.logLevel);
  keepLimits();
  keepPlaces();
  const api = await startApiProcesses(processes, port, logger);
  if (stopping.aborted) return { logger, stop: api.stop };
  const database = await DatabaseServer.open(settings, logger).catch(async (error: unknown) => {
    await api.stop();
    throw error;
  });
  const allListen = api.startOthers();
  const worker = hasWorker ? superviseWorker(logger) : null;
  if (!worker) await announceConfinement(logger);
  // In a terminal nothing scrolls the banner away before the first request.
  if (process.stdout.isTTY) await Promise.all([allListen, worker?.started]);
  await logger.flush();
  showIntroduction(api.introduction, settings.dataDir);
  return {
    logger,
    stop: async () => {
      await Promise.all([api.stop(), worker?.stop()]);
      await database.release();
    },
  };
}
