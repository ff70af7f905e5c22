import type { Topic } from './topic.js';

/** What belongs to the service itself. */
export const SERVICE: Topic = {
  up: [
    // The keys, which are not in the database, that something in it is encrypted with.
    `CREATE TABLE sealing_keys (
      id text CONSTRAINT sealing_keys_pkey PRIMARY KEY,
      created_at timestamptz NOT NULL DEFAULT now()
    )`,

    // Everything that is counted over all processes, as rate-limiter-flexible wants it. A crash of PostgreSQL may empty the table.
    `CREATE UNLOGGED TABLE rate_limits (
      key text CONSTRAINT rate_limits_pkey PRIMARY KEY,
      points integer NOT NULL DEFAULT 0,
      expire bigint
    )`,
  ],
  down: [`DROP TABLE rate_limits, sealing_keys`],
};
