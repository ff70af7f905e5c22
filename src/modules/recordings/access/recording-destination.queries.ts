import type { EntityManager } from 'typeorm';
import type { Role } from '../../../policy/roles.js';
import type { OrganizationTerms } from '../../quotas/public/quota-terms.js';

export interface DestinationRow extends OrganizationTerms {
  readonly role: Role | null;
  /** Null when there is no such active folder. */
  readonly folder_open: boolean | null;
}

/** Makes changes of this membership wait until the transaction has ended. */
export async function holdMembership(
  manager: EntityManager,
  organizationId: string,
  userId: string,
): Promise<void> {
  await manager.sql`
    SELECT FROM organization_members WHERE organization_id = ${organizationId} AND user_id = ${userId} FOR SHARE`;
}

/** Keeps the folder from being deleted until the transaction has ended. */
export async function holdFolder(
  manager: EntityManager,
  folderId: string,
  organizationId: string,
): Promise<void> {
  await manager.sql`
    SELECT FROM folders WHERE id = ${folderId} AND organization_id = ${organizationId} FOR KEY SHARE`;
}

/** Finds what the user may do in the organization and the folder; undefined if there is no such organization. */
export async function findDestination(
  manager: EntityManager,
  userId: string,
  organizationId: string,
  folderId: string | null,
): Promise<DestinationRow | undefined> {
  const [found] = await manager.sql<DestinationRow[]>`
    SELECT m.role, o.plan, o.subscription_status, o.subscription_ends_at,
           (SELECT NOT f.restricted OR EXISTS (
              SELECT FROM folder_members fm WHERE fm.folder_id = f.id AND fm.user_id = ${userId}::uuid)
            FROM folders f WHERE f.id = ${folderId}::uuid AND f.organization_id = o.id AND f.active) AS folder_open
    FROM organizations o LEFT JOIN organization_members m ON m.organization_id = o.id AND m.user_id = ${userId}::uuid
    WHERE o.id = ${organizationId}::uuid AND o.deleted_at IS NULL`;
  return found;
}
