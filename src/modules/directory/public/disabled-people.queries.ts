import type { EntityManager } from 'typeorm';
import { sql } from '../../../platform/database/sql.js';

/** Returns the ids of the organizations whose directories have disabled somebody: nobody else makes them a member there. */
export async function findDisabledIn(manager: EntityManager, userId: string): Promise<readonly string[]> {
  const rows = await sql(manager)<{ id: string }>`
    SELECT organization_id AS id FROM directory_users WHERE user_id = ${userId}::uuid AND NOT active`;
  return rows.map(({ id }) => id);
}
