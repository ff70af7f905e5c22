import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout } from 'node:timers/promises';

/** The delays are told between two of its own timers. */
const RESOLUTION_MS = 5;

/** The longest time in milliseconds for which the event loop was blocked while `work` was running. */
export async function longestBlock(work: () => Promise<unknown>): Promise<number> {
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delays.enable();
  try {
    await setTimeout(2 * RESOLUTION_MS);
    await work();
    await setTimeout(2 * RESOLUTION_MS);
  } finally {
    delays.disable();
  }
  return delays.max / 1e6;
}
