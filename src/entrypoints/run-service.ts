import { startApiProcesses } from './api-processes.js';
import { showIntroduction } from './banner.js';
import { runUntilStopped, type RunningService } from './lifecycle.js';
import { apiAddress, findPort, metricsAddress, workerHealthAddress } from './listening-port.js';
import { serveMetrics } from './serve-metrics.js';
import { logStart } from './start-line.js';
import { superviseWorker } from './worker-supervisor.js';
import { announceConfinement } from '../lib/processes/confinement.js';
import { readSettings } from '../platform/config/read-settings.js';
import type { Settings } from '../platform/config/settings.js';
import { DatabaseServer } from '../platform/database/servers/database-server.js';
import { keepLimits } from '../platform/http/requests/keep-limits.js';
import { AppLogger } from '../platform/logging/app-logger.js';
import { keepPlaces } from '../platform/runtime/places.js';

interface Parts {
  /** Processes that serve the API, unless `WEB_CONCURRENCY` says how many. */
  readonly processes: number;
  /** Whether jobs run as well, in another process. */
  readonly hasWorker: boolean;
}

/** Runs the API, in this process or in several others, until it is stopped. */
export function runService({ processes, hasWorker }: Parts): void {
  runUntilStopped(
    async (stopping) => {
      const settings = readSettings();
      const count = settings.webConcurrency ?? processes;
      // Before anything is made: what a first start shows would be lost if it failed after that.
      const port = await findPort(apiAddress(settings));
      const health = hasWorker && workerHealthAddress(settings);
      if (health) await findPort(health);
      const metrics = metricsAddress(settings);
      if (metrics) await findPort(metrics);
      return count === 1
        ? startHere(settings, hasWorker)
        : startCluster(settings, { port, processes: count, hasWorker, stopping });
    },
    { servesCallers: true },
  );
}

/** The API in this process. */
async function startHere(settings: Settings, hasWorker: boolean): Promise<RunningService> {
  // Read by the worker too.
  const { env } = process;
  env['WEB_CONCURRENCY'] ??= '1';
  // Not in the primary process of a cluster, which stays small.
  const { startApi } = await import('./start-api.js');
  const api = await startApi({ loadsDemo: true });
  logStart(api.logger, hasWorker ? 'all' : 'api');
  const worker = hasWorker ? superviseWorker(api.logger) : null;
  if (!worker) await announceConfinement(api.logger);
  // In a terminal nothing scrolls the banner away before the first request.
  if (process.stdout.isTTY) await worker?.started;
  const stopMetrics = await serveMetrics(settings, api.logger, () => [
    { role: 'api', number: 1, child: null },
    ...(worker?.running() ?? []),
  ]);
  showIntroduction(await api.introduce(), settings.dataDir);
  return {
    logger: api.logger,
    // Together: the last of the two to let go of an embedded database stops it.
    stop: async () => {
      stopMetrics();
      await Promise.all([api.stop(), worker?.stop()]);
    },
  };
}

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
async function startCluster(
  settings: Settings,
  { port, processes, hasWorker, stopping }: ClusterOptions,
): Promise<RunningService> {
  const logger = AppLogger.to('stdout', settings.logLevel);
  logStart(logger, hasWorker ? 'all' : 'api');
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
  const stopMetrics = await serveMetrics(settings, logger, () => [
    ...api.running(),
    ...(worker?.running() ?? []),
  ]);
  await logger.flush();
  showIntroduction(api.introduction, settings.dataDir);
  return {
    logger,
    stop: async () => {
      stopMetrics();
      await Promise.all([api.stop(), worker?.stop()]);
      await database.release();
    },
  };
}
