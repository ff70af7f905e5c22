import { readdirSync } from 'node:fs';
import { constants, setPriority } from 'node:os';

/**
 * Lowers the priority of this process, so that request handling on the same machine comes first. On Linux the priority is
 * per thread, so the threads that Node has already started are changed one by one.
 */
export function lowerPriority(): void {
  const threads = process.platform === 'linux' ? readdirSync('/proc/self/task').map(Number) : [process.pid];
  for (const thread of threads) setPriority(thread, constants.priority.PRIORITY_BELOW_NORMAL);
}
