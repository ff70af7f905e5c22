/** PostgreSQL schema of graphile-worker's queue. */
export const JOBS_SCHEMA = 'graphile_worker';
