import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** How far the heap may grow before the next garbage collection, in percent of what was in use after the last one. */
const GROWTH = 140;
const CHECK_MS = 15_000;
/** A process that computes less than this share of the time is idle. */
const IDLE = 0.05;
/** How much larger than after the last collection the heap of an idle process is collected. */
const GROWN = 1.15;

const heapSize = (): number => getHeapStatistics().total_heap_size;

/**
 * Keeps the heap of a process close to what is in use. By default, V8 lets it grow to several times that, and keeps what
 * the start or a load needed until the next one; collecting takes a tenth of a second, when nobody waits for it.
 */
export function keepHeapSmall(): void {
  setFlagsFromString(`--heap-growing-percent=${GROWTH}`);
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  let kept = 0;
  let before = process.cpuUsage();
  setInterval(() => {
    const { user, system } = process.cpuUsage(before);
    before = process.cpuUsage();
    if (user + system > IDLE * CHECK_MS * 1_000 || heapSize() < GROWN * kept) return;
    collect();
    kept = heapSize();
  }, CHECK_MS).unref();
}
