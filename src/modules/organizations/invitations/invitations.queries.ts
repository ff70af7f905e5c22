import { LessThanOrEqual, type EntityManager } from 'typeorm';
import { Invitation } from './entities/invitation.entity.js';
import { conflict } from '../../../contract/domain-error.js';
import { LIMITS } from '../../../contract/limits.js';
import { findUserByEmail } from '../../users/public/users.queries.js';
import { OrganizationMember } from '../entities/organization-member.entity.js';
import { sql } from '../../../platform/database/sql.js';

export async function findFoldersOfInvitations(
  manager: EntityManager,
  invitationIds: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const rows = await sql(manager)<{ id: string; folders: string[] }>`
    SELECT invitation_id AS id, json_agg(folder_id ORDER BY folder_id) AS folders FROM invitation_folders
    WHERE invitation_id = ANY (${invitationIds}::uuid[]) GROUP BY invitation_id`;
  return new Map(rows.map(({ id, folders }) => [id, folders]));
}

/**
 * Runs in a transaction that has locked the organization. 409 `CONFLICT` for a member, and if there are too
 * many invitations. Expired ones make room for new ones.
 */
export async function requireRoomToInvite(
  manager: EntityManager,
  email: string,
  { organizationId, now }: { readonly organizationId: string; readonly now: Date },
): Promise<void> {
  const user = await findUserByEmail(manager, email);
  const members = manager.getRepository(OrganizationMember);
  if (user && (await members.existsBy({ organizationId, userId: user.id }))) {
    throw conflict(
      'This person is already a member of the organization; PATCH /api/v1/organizations/{id}/members/{userId} changes their role.',
    );
  }
  await sql(manager)`
    DELETE FROM invitations
    WHERE organization_id = ${organizationId} AND expires_at <= ${now} AND lower(email) = lower(${email}::text)`;
  const invitations = manager.getRepository(Invitation);
  if ((await invitations.countBy({ organizationId })) < LIMITS.invitations) return;
  await invitations.delete({ organizationId, expiresAt: LessThanOrEqual(now) });
  if ((await invitations.countBy({ organizationId })) < LIMITS.invitations) return;
  throw conflict(
    `An organization can have at most ${LIMITS.invitations} pending invitations. Delete some first.`,
  );
}
