import 'reflect-metadata';
import { runUntilStopped } from './entrance.js';
import { startWorker } from './job-worker.js';
import { lowerPriority } from './platform/priority.js';

/** The jobs alone, without a server: `npm run start:worker`. */
runUntilStopped(() => {
  lowerPriority();
  return startWorker();
});
