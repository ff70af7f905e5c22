import { monitorEventLoopDelay } from 'node:perf_hooks';

/** The longest time in milliseconds for which the event loop was blocked while `work` was running. */
export async function longestBlock(work: () => Promise<unknown>): Promise<number> {
  const delays = monitorEventLoopDelay({ resolution: 5 });
  delays.enable();
  try {
    await work();
  } finally {
    delays.disable();
  }
  return delays.max / 1e6;
}
