import 'reflect-metadata';
import { constants } from 'node:os';
import { runUntilStopped } from './lifecycle.js';
import { startWorker } from './start-worker.js';
import { lowerPriority } from '../lib/processes/priority.js';

/** The jobs alone, without a server: `npm run start:worker`. */
runUntilStopped(async () => {
  // Requests on the same machine come first.
  lowerPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  const worker = await startWorker();
  await worker.logger.flush();
  // For the supervising process, if there is one. If it has died meanwhile, the worker stops on its own.
  process.send?.('started', undefined, undefined, () => undefined);
  return worker;
});
