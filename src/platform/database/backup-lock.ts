import type { Client } from 'pg';
import { LOCKS } from './lock-numbers.js';
import { type Database, sql } from './sql.js';

/** Holds jobs that remove what a backup has yet to copy, until the connection is closed. False if another does. */
export const holdRemovals = (client: Client): Promise<boolean> =>
  sql(client).value<boolean>`SELECT pg_try_advisory_lock(${LOCKS.backup}::bigint)`;

export const areRemovalsHeld = (client: Database): Promise<boolean> =>
  sql(client).value<boolean>`
    SELECT EXISTS (
      SELECT FROM pg_locks WHERE locktype = 'advisory' AND granted AND objsubid = 1
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
        AND (classid::bigint << 32) | objid::bigint = ${LOCKS.backup}::bigint)`;
