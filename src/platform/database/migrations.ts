import { CreateSchema1764000000000 } from './migrations/1_0_0/create-schema.js';
import { UpgradeSchema1796349600000 } from './migrations/1_1_0/upgrade-schema.js';

/** All migrations, oldest first. Add new ones at the end; never change one that has been released. */
export const MIGRATIONS = [CreateSchema1764000000000, UpgradeSchema1796349600000];
