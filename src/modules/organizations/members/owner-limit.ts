import type { EntityManager } from 'typeorm';
import { conflict } from '../../../contract/domain-error.js';
import { LIMITS } from '../../../contract/limits.js';
import { OrganizationMember } from '../entities/organization-member.entity.js';
import { lockUser } from '../../users/public/users.queries.js';

/** Before a user becomes OWNER of another organization: 409 `CONFLICT` for an OWNER of too many. */
export async function requireRoomToOwn(manager: EntityManager, userId: string): Promise<void> {
  // Simultaneous requests wait here, so that none misses the organization of another.
  await lockUser(manager, userId);
  const owned = await manager.getRepository(OrganizationMember).countBy({ userId, role: 'OWNER' });
  if (owned < LIMITS.ownedOrganizations) return;
  throw conflict(
    `A user can be OWNER of at most ${LIMITS.ownedOrganizations} organizations; one of theirs must be transferred or deleted first.`,
  );
}
