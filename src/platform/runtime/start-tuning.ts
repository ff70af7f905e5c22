import { setFlagsFromString } from 'node:v8';

/** How far the heap may grow before the next garbage collection, in percent of what was in use after the last one. */
const GROWTH = 140;

/** Keeps the heap of a serving process close to what is in use: by default, V8 lets it grow to several times that. */
export function keepHeapSmall(): void {
  setFlagsFromString(`--heap-growing-percent=${GROWTH}`);
}

/** Packages of hundreds of files each. */
const LARGE_PACKAGES = ['class-validator', 'graphile-worker', 'rxjs', 'typeorm'];

/** Loads them before the service does: without source maps, even if those are enabled, as theirs take long to parse. */
export async function loadLargePackages(): Promise<void> {
  const areMapsEnabled = process.sourceMapsEnabled;
  process.setSourceMapsEnabled(false);
  await Promise.all(LARGE_PACKAGES.map((name) => import(name)));
  process.setSourceMapsEnabled(areMapsEnabled);
}
