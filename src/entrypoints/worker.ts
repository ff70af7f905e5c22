import 'reflect-metadata';
import { runUntilStopped } from './lifecycle.js';
import { startWorker } from './start-worker.js';
import { lowerPriority } from '../platform/priority.js';

/** The jobs alone, without a server: `npm run start:worker`. */
runUntilStopped(async () => {
  lowerPriority();
  const worker = await startWorker();
  await worker.logger.flush();
  // To the process that supervises this one, if any.
  process.send?.('started');
  return worker;
});
