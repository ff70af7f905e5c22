import type { EntityManager } from 'typeorm';

/** Creates the partitions of the change log for this month and the next ones. */
export async function createPartitions(manager: EntityManager): Promise<void> {
  await manager.sql`SELECT create_change_log_partitions(now(), 3)`;
}

/** Deletes at most `limit` events that were published before a time. Returns how many. */
export async function deleteEventsBefore(manager: EntityManager, time: Date, limit: number): Promise<number> {
  const [, deleted] = await manager.sql<[unknown[], number]>`
    WITH old AS (SELECT position FROM events WHERE published_at < ${time} ORDER BY published_at LIMIT ${limit}::int)
    DELETE FROM events USING old WHERE events.position = old.position`;
  return deleted;
}
