/**
 * A thread that ends its process when the parent has gone, when the main thread computes without end, or when the process
 * has used up its CPU time. Its own event loop runs on when a parser goes round in circles in the main one. CPU time is the
 * measure of both, as a machine that is busy or asleep is no fault of the file.
 */
import { workerData } from 'node:worker_threads';
import { BEAT, CPU_MS, ENDED_BY, type WatchData } from './watched-process.js';

const LOOK_EVERY_MS = 250;

const { parent, hangSeconds, shared } = workerData as WatchData;
const state = new Int32Array(shared);
let beat = Atomics.load(state, BEAT);
let beatAt = cpuSeconds();

setInterval(() => {
  if (process.ppid !== parent) process.kill(process.pid, 'SIGKILL');
  const used = cpuSeconds();
  const current = Atomics.load(state, BEAT);
  if (current !== beat) {
    beat = current;
    beatAt = used;
  } else if (used - beatAt > hangSeconds) {
    process.kill(process.pid, ENDED_BY.hang);
  }
  if (1000 * used > Atomics.load(state, CPU_MS)) process.kill(process.pid, ENDED_BY.cpu);
}, LOOK_EVERY_MS);

/** Of the whole process, with the threads of its decoders. */
function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}
