/** PostgreSQL schema that graphile-worker keeps its queue in. */
export const JOBS_SCHEMA = 'graphile_worker';
