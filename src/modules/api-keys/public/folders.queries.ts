import type { EntityManager } from 'typeorm';
import { sql } from '../../../platform/database/sql.js';
import { isUuid } from '../../../platform/ids.js';

/** Returns the organizations of those of the folders that belong to an organization of the user. */
export async function findFoldersOf(
  manager: EntityManager,
  userId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await sql(manager)<{ id: string; organizationId: string }>`
    SELECT f.id, f.organization_id AS "organizationId" FROM folders f JOIN organization_members m USING (organization_id)
    WHERE m.user_id = ${userId}::uuid AND f.id = ANY (${ids.filter(isUuid)}::uuid[]) AND f.deleted_at IS NULL`;
  return new Map(rows.map(({ id, organizationId }) => [id, organizationId]));
}
