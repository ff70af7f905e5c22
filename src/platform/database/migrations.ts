import { CreateSchema1763600000000 } from './migrations/1763600000000-create-schema.js';

/** Every migration, oldest first. A new one is added at the end and never changed after a release. */
export const MIGRATIONS = [CreateSchema1763600000000];
