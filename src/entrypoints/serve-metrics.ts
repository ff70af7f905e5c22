import { explainPort, metricsAddress } from './listening-port.js';
import type { Settings } from '../platform/config/settings.js';
import type { AppLogger } from '../platform/logging/app-logger.js';
import type { MetricSource } from '../platform/telemetry/scrape.js';

export const UNREADABLE = 'metrics could not be read';

/** Serves the metrics of `sources` if the settings say so; returns how to stop. Loads what that needs only then. */
export async function serveMetrics(
  settings: Settings,
  logger: AppLogger,
  sources: () => readonly MetricSource[],
): Promise<() => void> {
  const address = metricsAddress(settings);
  if (!settings.metrics || !address) return () => undefined;
  const { listenForScrapes } = await import('../platform/telemetry/metrics-server.js');
  try {
    const { port, close } = await listenForScrapes(settings.metrics, sources, (error) =>
      logger.error({ err: error }, UNREADABLE),
    );
    logger.info({ metricsPort: port }, 'metrics are served');
    return close;
  } catch (error) {
    throw await explainPort(error, address);
  }
}
