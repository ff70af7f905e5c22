import { CreateSchema1763600000000 } from './migrations/1763600000000-create-schema.js';
import { CreateUploads1763700000000 } from './migrations/1763700000000-create-uploads.js';

/** Every migration, oldest first. A new one is added at the end and never changed after a release. */
export const MIGRATIONS = [CreateSchema1763600000000, CreateUploads1763700000000];
