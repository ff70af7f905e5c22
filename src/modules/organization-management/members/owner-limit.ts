import type { EntityManager } from 'typeorm';
import { DomainError } from '../../../contract/domain-error.js';
import { LIMITS } from '../../../contract/limits.js';
import { lockUser } from '../../users/users.service.js';

const OWNED = `SELECT count(*)::int AS owned FROM organization_members WHERE user_id = $1 AND role = 'OWNER'`;

/** Before a user becomes OWNER of another organization: 409 `CONFLICT` for an OWNER of too many. */
export async function requireRoomToOwn(manager: EntityManager, userId: string): Promise<void> {
  // Simultaneous requests wait here, so that none misses the organization of another.
  await lockUser(manager, userId);
  const [row]: { owned: number }[] = await manager.query(OWNED, [userId]);
  if ((row?.owned ?? 0) < LIMITS.ownedOrganizations) return;
  throw new DomainError(
    'CONFLICT',
    `A user can be OWNER of at most ${LIMITS.ownedOrganizations} organizations.`,
  );
}
