import type { EntityManager } from 'typeorm';
import { run, sql, type Sql } from '../../platform/database/sql.js';

const AT_ONCE = 200;

export const ofOrganization = (organizationId: string): Sql => sql`organization_id = ${organizationId}::uuid`;

/** The personal ones of users that have been deleted. */
export const OF_NOBODY = sql`owner_id IS NULL AND organization_id IS NULL`;

export async function deleteSome(manager: EntityManager, recordings: Sql): Promise<string[]> {
  const rows = await run<{ id: string }>(
    manager,
    sql`WITH batch AS (SELECT id FROM recordings WHERE ${recordings} LIMIT ${AT_ONCE}::int FOR UPDATE),
        gone AS (DELETE FROM recordings r USING batch WHERE r.id = batch.id RETURNING r.id)
        SELECT id FROM gone`,
  );
  return rows.map(({ id }) => id);
}
