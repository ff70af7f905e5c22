import { CreateSchema1764000000000 } from './migrations/1_0_0/create-schema.js';
import { UpgradeSchema1796349600000 } from './migrations/1_1_0/upgrade-schema.js';

/** With the release that brought each. Add new ones at the end; never change one that has been released. */
const BY_RELEASE = [
  ['1.0.0', CreateSchema1764000000000],
  ['1.1.0', UpgradeSchema1796349600000],
] as const;

/** All migrations, oldest first. */
export const MIGRATIONS = BY_RELEASE.map(([, migration]) => migration);

/** Those that came after a release, oldest first. */
export const migrationsAfter = (release: string): typeof MIGRATIONS =>
  BY_RELEASE.filter(([of]) => of.localeCompare(release, 'en', { numeric: true }) > 0).map(
    ([, migration]) => migration,
  );
