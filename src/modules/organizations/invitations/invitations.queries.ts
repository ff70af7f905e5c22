import { LessThanOrEqual, type EntityManager } from 'typeorm';
import { Invitation } from './entities/invitation.entity.js';

/** Finds the restricted folders of invitations, by their ids. */
export async function findFoldersOfInvitations(
  manager: EntityManager,
  invitationIds: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const rows = await manager.sql<{ id: string; folders: string[] }[]>`
    SELECT invitation_id AS id, json_agg(folder_id ORDER BY folder_id) AS folders FROM invitation_folders
    WHERE invitation_id = ANY (${invitationIds}::uuid[]) GROUP BY invitation_id`;
  return new Map(rows.map(({ id, folders }) => [id, folders]));
}

/** Returns whether any of the ids is not that of an active, restricted folder of the organization. */
export async function hasUnusableFolders(
  manager: EntityManager,
  organizationId: string,
  folderIds: readonly string[],
): Promise<boolean> {
  const unusable = await manager.sql<object[]>`
    SELECT id FROM unnest(${folderIds}::uuid[]) AS given (id)
    WHERE NOT EXISTS (SELECT FROM folders f
      WHERE f.organization_id = ${organizationId}::uuid AND f.id = given.id AND f.active AND f.restricted)`;
  return unusable.length > 0;
}

/** Deletes an invitation to this address, ignoring case, that has expired. */
export async function deleteExpiredTo(
  manager: EntityManager,
  email: string,
  { organizationId, now }: { readonly organizationId: string; readonly now: Date },
): Promise<void> {
  await manager
    .getRepository(Invitation)
    .createQueryBuilder()
    .delete()
    .where({ organizationId, expiresAt: LessThanOrEqual(now) })
    .andWhere('lower(email) = lower(:email)', { email })
    .execute();
}
