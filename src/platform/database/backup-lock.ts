import type { Client, ClientBase, Pool } from 'pg';
import { LOCKS } from './lock-numbers.js';
import { runOn, sql } from './sql.js';

/**
 * Makes jobs wait that remove what a backup has yet to copy, until the connection is closed, however it ends. False if
 * another backup does so already.
 */
export async function holdRemovals(client: Client): Promise<boolean> {
  const [lock] = await runOn<{ held: boolean }>(
    client,
    sql`SELECT pg_try_advisory_lock(${LOCKS.backup}::bigint) AS held`,
  );
  return lock?.held === true;
}

export async function areRemovalsHeld(client: Pick<ClientBase | Pool, 'query'>): Promise<boolean> {
  const [lock] = await runOn<{ held: boolean }>(
    client,
    sql`SELECT EXISTS (
      SELECT FROM pg_locks WHERE locktype = 'advisory' AND granted AND objsubid = 1
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
        AND (classid::bigint << 32) | objid::bigint = ${LOCKS.backup}::bigint) AS held`,
  );
  return lock?.held === true;
}
