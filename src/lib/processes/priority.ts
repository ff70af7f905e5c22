import { readdirSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';

const CHECK_MS = 100;

/** Lowers the priority, which only root may raise. On Linux it is per thread, so each running thread is changed. */
export function lowerPriority(niceness: number): void {
  const threads = process.platform === 'linux' ? readdirSync('/proc/self/task').map(Number) : [process.pid];
  for (const thread of threads) {
    try {
      if (getPriority(thread) < niceness) setPriority(thread, niceness);
    } catch {
      // The thread has ended, or it is not permitted here; the work does not depend on it.
    }
  }
}

/** Lowers the priority after this CPU time: long work yields to short work. Returns whether it has done so. */
export function lowerPriorityAfter(seconds: number, niceness: number): () => boolean {
  let isLowered = false;
  const timer = setInterval(() => {
    const { user, system } = process.cpuUsage();
    if (user + system < seconds * 1_000_000) return;
    clearInterval(timer);
    lowerPriority(niceness);
    isLowered = true;
  }, CHECK_MS).unref();
  return () => isLowered;
}
