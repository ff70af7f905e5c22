import type { EntityManager } from 'typeorm';
import { DomainError } from '../../../contract/domain-error.js';
import { User } from '../entities/user.entity.js';

/** Returns the user whose verified address this is, ignoring case. */
export async function findUserByEmail(manager: EntityManager, email: string): Promise<User | null> {
  return manager
    .getRepository(User)
    .createQueryBuilder('u')
    .where('u.emailVerified AND lower(u.email) = lower(:email)', { email })
    .getOne();
}

/**
 * Keeps the user from being deleted, and others that do the same waiting, until the transaction ends. Users are locked
 * after organizations, recordings and memberships. 401 `USER_NOT_FOUND` if they have been deleted since the request was
 * authenticated.
 */
export async function lockUser(manager: EntityManager, id: string): Promise<void> {
  const lock = { mode: 'for_no_key_update' } as const;
  const found = await manager.getRepository(User).findOne({ select: { id: true }, where: { id }, lock });
  if (!found) throw new DomainError('USER_NOT_FOUND');
}
