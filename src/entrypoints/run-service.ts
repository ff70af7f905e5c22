import { showIntroduction } from './banner.js';
import { runUntilStopped, type RunningService } from './lifecycle.js';
import { apiAddress, findPort, workerHealthAddress } from './listening-port.js';
import { startCluster } from './start-cluster.js';
import { superviseWorker } from './worker-supervisor.js';
import { announceConfinement } from '../lib/processes/confinement.js';
import { readSettings } from '../platform/config/read-settings.js';
import type { Settings } from '../platform/config/settings.js';
import { loadLargePackages } from '../platform/runtime/large-packages.js';

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
      return count === 1
        ? startHere(settings, hasWorker)
        : startCluster(settings, { port, processes: count, hasWorker, stopping });
    },
    { servesCallers: true },
  );
}

/** The API in this process. */
async function startHere({ dataDir }: Settings, hasWorker: boolean): Promise<RunningService> {
  await loadLargePackages();
  // Not in the primary process of a cluster, which stays small.
  const { startApi } = await import('./start-api.js');
  const api = await startApi({ loadsDemo: true });
  const worker = hasWorker ? superviseWorker(api.logger) : null;
  if (!worker) await announceConfinement(api.logger);
  // In a terminal nothing scrolls the banner away before the first request.
  if (process.stdout.isTTY) await worker?.started;
  showIntroduction(await api.introduce(), dataDir);
  return {
    logger: api.logger,
    // Together: the last of the two to let go of an embedded database stops it.
    stop: async () => {
      await Promise.all([api.stop(), worker?.stop()]);
    },
  };
}
