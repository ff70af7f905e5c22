import type { EntityManager } from 'typeorm';

/** Locks recordings until the transaction ends, in the order of their ids, so that two transactions cannot deadlock. */
export async function lockRecordings(manager: EntityManager, ids: readonly string[]): Promise<void> {
  await manager.sql`SELECT FROM recordings WHERE id = ANY (${ids}::uuid[]) ORDER BY id FOR UPDATE`;
}

export async function deleteRecordings(manager: EntityManager, ids: readonly string[]): Promise<void> {
  await manager.sql`DELETE FROM recordings WHERE id = ANY (${ids}::uuid[])`;
}
