import { CreateSchema1764000000000 } from './migrations/1_0_0/create-schema.js';
import { UpgradeSchema1796349600000 } from './migrations/1_1_0/upgrade-schema.js';

/** All migrations, oldest first. Add new ones at the end; never change one that has been released. */
export const MIGRATIONS = [CreateSchema1764000000000, UpgradeSchema1796349600000];

/** The last one of each release that has any, oldest first: what `mrs rollback` goes back to. */
export const LAST_MIGRATIONS: Readonly<Record<string, (typeof MIGRATIONS)[number]>> = {
  '1.0.0': CreateSchema1764000000000,
  '1.1.0': UpgradeSchema1796349600000,
};
