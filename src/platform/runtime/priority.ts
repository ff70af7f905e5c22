import { readdirSync } from 'node:fs';
import { constants, getPriority, setPriority } from 'node:os';

/**
 * Lowers the priority of this process, so that request handling on the same machine comes first. On Linux the priority
 * is per thread, so the threads that Node has already started are changed one by one. A process that was started with a
 * lower one keeps it: only root may raise it.
 */
export function lowerPriority(): void {
  const threads = process.platform === 'linux' ? readdirSync('/proc/self/task').map(Number) : [process.pid];
  const { PRIORITY_BELOW_NORMAL } = constants.priority;
  for (const thread of threads) {
    if (getPriority(thread) < PRIORITY_BELOW_NORMAL) setPriority(thread, PRIORITY_BELOW_NORMAL);
  }
}
