import 'reflect-metadata';
import { startApi } from './entrypoints/start-api.js';
import { runUntilStopped } from './entrypoints/lifecycle.js';
import { superviseWorker } from './entrypoints/worker-supervisor.js';

/** The whole service by one command, `npm start`: the API in this process, a worker in another. */
runUntilStopped(
  async () => {
    const api = await startApi();
    const worker = superviseWorker(api.logger);
    // In a terminal nothing scrolls the banner away before the first request.
    if (process.stdout.isTTY) await worker.started;
    await api.printBanner();
    return {
      logger: api.logger,
      // Together: the last of the two to let go of an embedded database stops it.
      stop: async () => {
        await Promise.all([api.stop(), worker.stop()]);
      },
    };
  },
  { servesCallers: true },
);
