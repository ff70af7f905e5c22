import type { EntityManager } from 'typeorm';
import { run, sql } from '../../platform/database/sql.js';

/**
 * Expression that identifies the database in use, the same for all that are connected to it. A copy of the data folder,
 * or a restored backup, has the same content but another server, which was started at another microsecond.
 */
export const INSTANCE = sql`left(encode(sha256(convert_to(
  concat(extract(epoch FROM pg_postmaster_start_time()), ' ', current_database()), 'UTF8')), 'hex'), 16)`;

export async function findInstance(manager: EntityManager): Promise<string> {
  const [row] = await run<{ instance: string }>(manager, sql`SELECT ${INSTANCE} AS instance`);
  return row!.instance;
}
