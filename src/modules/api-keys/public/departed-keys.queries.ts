import { ArrayContainedBy, IsNull, type EntityManager } from 'typeorm';
import { lockUser } from '../../users/public/users.queries.js';
import { ApiKey } from '../entities/api-key.entity.js';

/**
 * Revokes the API keys of somebody whose membership has ended, in the same transaction: those that reach no other
 * organization than this one; null: all. Keys that are being created wait.
 */
export async function revokeKeysOfDeparted(
  manager: EntityManager,
  userId: string,
  organizationId: string | null,
  now: Date,
): Promise<void> {
  await lockUser(manager, userId);
  const limited = organizationId !== null && { organizationIds: ArrayContainedBy([organizationId]) };
  const working = { userId, signedInBy: IsNull(), revokedAt: IsNull(), ...limited };
  await manager.getRepository(ApiKey).update(working, { revokedAt: now });
}
