import { FIRST, type ListeningMessage } from './api-processes.js';
import { runUntilStopped } from './lifecycle.js';
import { loadLargePackages } from '../platform/runtime/large-packages.js';

// What cannot be sent because the primary process is gone; then Node ends this one.
process.on('error', () => undefined);

/** One of several processes that serve the API on one port. */
runUntilStopped(
  async () => {
    const isFirst = process.argv[2] === FIRST;
    await loadLargePackages();
    const { startApi } = await import('./start-api.js');
    const api = await startApi({ loadsDemo: isFirst });
    const message: ListeningMessage = { listens: isFirst ? await api.introduce() : '' };
    process.send?.(message);
    return api;
  },
  { servesCallers: true },
);
