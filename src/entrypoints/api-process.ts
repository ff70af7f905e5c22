import { FIRST, type ListeningMessage } from './api-processes.js';
import { runUntilStopped } from './lifecycle.js';
import { UNREADABLE } from './serve-metrics.js';
import { readSettings } from '../platform/config/read-settings.js';

// What cannot be sent because the primary process is gone; then Node ends this one.
process.on('error', () => undefined);

/** One of several processes that serve the API on one port. */
runUntilStopped(
  async () => {
    const isFirst = process.argv[2] === FIRST;
    const [{ startApi }, { answerMetrics }] = await Promise.all([
      import('./start-api.js'),
      import('../platform/telemetry/process-metrics.js'),
    ]);
    const api = await startApi({ loadsDemo: isFirst });
    if (readSettings().metrics) answerMetrics((error) => api.logger.warn({ err: error }, UNREADABLE));
    const message: ListeningMessage = { listens: isFirst ? await api.introduce() : '' };
    process.send?.(message);
    return api;
  },
  { servesCallers: true },
);
