import { readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';

const LOOK_EVERY_MS = 5;

/**
 * The longest time in milliseconds for which this thread kept the event loop busy while `work` was running: its CPU
 * time between two turns of a timer. Elsewhere than on Linux, what the clock says, which includes what other processes
 * took.
 */
export async function longestBlock(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let last = busyMs();
  const look = (): void => {
    const now = busyMs();
    longest = Math.max(longest, now - last);
    last = now;
  };
  const timer = setInterval(look, LOOK_EVERY_MS);
  try {
    await setTimeout(2 * LOOK_EVERY_MS);
    await work();
    await setTimeout(2 * LOOK_EVERY_MS);
  } finally {
    clearInterval(timer);
  }
  return longest;
}

/** CPU time of the main thread so far. */
function busyMs(): number {
  if (process.platform !== 'linux') return performance.now();
  const [nanoseconds] = readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ');
  return Number(nanoseconds) / 1e6;
}
