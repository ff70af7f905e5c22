import { setFlagsFromString } from 'node:v8';

/** How far the heap may grow before the next garbage collection, in percent of what was in use after the last one. */
const GROWTH = 140;

/**
 * Keeps the heap of a process that serves requests close to what is in use. By default V8 lets garbage grow to several
 * times that, as it is in no hurry to collect short-lived objects.
 */
export function keepHeapSmall(): void {
  setFlagsFromString(`--heap-growing-percent=${GROWTH}`);
}
