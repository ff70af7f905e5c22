/**
 * A thread that kills its process when the parent is gone, or when the main thread hangs. Its own event loop keeps
 * running while a parser loops endlessly in the main one. The limit is measured in CPU time, because a busy or
 * suspended machine is not the file's fault.
 */
import { workerData } from 'node:worker_threads';
import { ENDED_BY_HANG, type WatchData } from './watched-process.js';

const CHECK_INTERVAL_MS = 250;

const { parent, hangSeconds, shared } = workerData as WatchData;
const state = new Int32Array(shared);
let beat = Atomics.load(state, 0);
let beatAt = cpuSeconds();

setInterval(() => {
  if (process.ppid !== parent) process.kill(process.pid, 'SIGKILL');
  const used = cpuSeconds();
  const current = Atomics.load(state, 0);
  if (current !== beat) {
    beat = current;
    beatAt = used;
  } else if (used - beatAt > hangSeconds) {
    process.kill(process.pid, ENDED_BY_HANG);
  }
}, CHECK_INTERVAL_MS);

/** CPU time of the whole process, including its decoder threads. */
function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}
