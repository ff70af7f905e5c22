import type { Client, ClientBase, Pool } from 'pg';
import { LOCKS } from './lock-numbers.js';
import { sql } from './sql.js';

/** Holds jobs that remove what a backup has yet to copy, until the connection is closed. False if another does. */
export async function holdRemovals(client: Client): Promise<boolean> {
  const [lock] = await sql(client)<{ held: boolean }>`
    SELECT pg_try_advisory_lock(${LOCKS.backup}::bigint) AS held`;
  return lock?.held === true;
}

export async function areRemovalsHeld(client: Pick<ClientBase | Pool, 'query'>): Promise<boolean> {
  const [lock] = await sql(client)<{ held: boolean }>`
    SELECT EXISTS (
      SELECT FROM pg_locks WHERE locktype = 'advisory' AND granted AND objsubid = 1
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
        AND (classid::bigint << 32) | objid::bigint = ${LOCKS.backup}::bigint) AS held`;
  return lock?.held === true;
}
