import type { Topic } from '../1_0_0/topic.js';

/** What runs on this database, on whatever host; and when it was backed up. */
export const PROCESSES: Topic = {
  up: [
    // Written every few seconds by every process, and worth nothing once these have ended.
    `CREATE UNLOGGED TABLE processes (
      id uuid CONSTRAINT processes_pkey PRIMARY KEY,
      host text NOT NULL,
      pid integer NOT NULL,
      role text NOT NULL CONSTRAINT processes_role_check CHECK (role IN ('api', 'worker')),
      version text NOT NULL,
      started_at timestamptz(3) NOT NULL,
      seen_at timestamptz(3) NOT NULL,
      slowest jsonb NOT NULL
    )`,
    `CREATE TABLE backups (
      finished_at timestamptz(3) CONSTRAINT backups_pkey PRIMARY KEY,
      host text NOT NULL,
      media boolean NOT NULL,
      problems integer NOT NULL
    )`,
  ],
  down: ['DROP TABLE backups', 'DROP TABLE processes'],
};
