import { workerData } from 'node:worker_threads';

/**
 * A thread that ends its process when the parent has gone. Its own event loop runs on when a parser goes round in circles
 * in the main one, which would then never hear of the end of its parent. Its data is the process id of the parent.
 */
const LOOK_EVERY_MS = 500;

const parent: unknown = workerData;

setInterval(() => {
  if (process.ppid !== parent) process.kill(process.pid, 'SIGKILL');
}, LOOK_EVERY_MS);
