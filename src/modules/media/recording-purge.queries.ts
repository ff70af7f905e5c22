import type { EntityManager } from 'typeorm';

const AT_ONCE = 200;

/** Deletes some recordings of an organization, and returns their ids. */
export async function deleteSomeOfOrganization(
  manager: EntityManager,
  organizationId: string,
): Promise<string[]> {
  const rows = await manager.sql<{ id: string }[]>`
    WITH batch AS (SELECT id FROM recordings WHERE organization_id = ${organizationId}::uuid LIMIT ${() => String(AT_ONCE)} FOR UPDATE),
    gone AS (DELETE FROM recordings r USING batch WHERE r.id = batch.id RETURNING r.id)
    SELECT id FROM gone`;
  return rows.map(({ id }) => id);
}

/** Deletes some personal recordings of users that have been deleted, and returns their ids. */
export async function deleteSomeOfNobody(manager: EntityManager): Promise<string[]> {
  const rows = await manager.sql<{ id: string }[]>`
    WITH batch AS (
      SELECT id FROM recordings WHERE owner_id IS NULL AND organization_id IS NULL LIMIT ${() => String(AT_ONCE)} FOR UPDATE),
    gone AS (DELETE FROM recordings r USING batch WHERE r.id = batch.id RETURNING r.id)
    SELECT id FROM gone`;
  return rows.map(({ id }) => id);
}
