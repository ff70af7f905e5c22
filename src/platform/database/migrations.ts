import { CreateSchema1764000000000 } from './migrations/1_0_0/create-schema.js';
import { UpgradeSchema1796349600000 } from './migrations/1_1_0/upgrade-schema.js';

/** All migrations, oldest first. Add new ones at the end; never change one that has been released. */
export const MIGRATIONS = [CreateSchema1764000000000, UpgradeSchema1796349600000];

/** The last migration of each release that has one. */
const RELEASES = [
  ['1.0.0', CreateSchema1764000000000],
  ['1.1.0', UpgradeSchema1796349600000],
] as const;

/** Those that came after a release, oldest first; all if there was no such release. */
export function migrationsAfter(release: string): typeof MIGRATIONS {
  const last = RELEASES.findLast(([of]) => of.localeCompare(release, 'en', { numeric: true }) <= 0);
  return MIGRATIONS.slice(last ? MIGRATIONS.indexOf(last[1]) + 1 : 0);
}
