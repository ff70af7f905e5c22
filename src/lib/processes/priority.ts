import { readdirSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';

const CHECK_MS = 100;

/**
 * Lowers the priority of this process to this niceness, unless it is lower already: only root may raise it. On Linux the
 * priority is per thread, so the threads that are running are changed one by one.
 */
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

/**
 * Lowers the priority once the process has used so many seconds of CPU time: somebody waits for what is short, and what
 * is long makes way. Returns a function that says whether it has.
 */
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
