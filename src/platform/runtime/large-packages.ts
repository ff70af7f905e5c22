/** Packages of hundreds of files each. */
const LARGE_PACKAGES = ['class-validator', 'graphile-worker', 'rxjs', 'typeorm'];

/** Loads them before the service does: without source maps, even if those are enabled, as theirs take long to parse. */
export async function loadLargePackages(): Promise<void> {
  const areMapsEnabled = process.sourceMapsEnabled;
  process.setSourceMapsEnabled(false);
  await Promise.all(LARGE_PACKAGES.map((name) => import(name)));
  process.setSourceMapsEnabled(areMapsEnabled);
}
