import { setFlagsFromString } from 'node:v8';

/** Percent that the heap may grow by, of what was in use when garbage was last collected. */
const GROWTH = 140;

/**
 * Keeps the memory of a process that answers requests near what it uses. Left to itself V8 lets garbage pile up to
 * several times as much, in no hurry where requests leave short-lived objects only.
 */
export function keepHeapSmall(): void {
  setFlagsFromString(`--heap-growing-percent=${GROWTH}`);
}
