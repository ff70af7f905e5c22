import { LessThanOrEqual, type EntityManager } from 'typeorm';
import { conflict } from '../../../contract/domain-error.js';
import { LIMITS } from '../../../contract/limits.js';
import { findUserByEmail } from '../../users/public/users.queries.js';
import { OrganizationMember } from '../entities/organization-member.entity.js';
import { Invitation } from './entities/invitation.entity.js';
import { deleteExpiredTo } from './invitations.queries.js';

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
  await deleteExpiredTo(manager, email, { organizationId, now });
  const invitations = manager.getRepository(Invitation);
  if ((await invitations.countBy({ organizationId })) < LIMITS.invitations) return;
  await invitations.delete({ organizationId, expiresAt: LessThanOrEqual(now) });
  if ((await invitations.countBy({ organizationId })) < LIMITS.invitations) return;
  throw conflict(
    `An organization can have at most ${LIMITS.invitations} pending invitations. Delete some first.`,
  );
}
