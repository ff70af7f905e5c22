import { refuseTaken, type Metadata } from '../../../contract/external-ids.js';
import {
  findTakenExternalIds,
  type ExternalIdClaim,
  type Named,
} from '../../../platform/database/external-ids/external-ids.queries.js';
import { escapeLike, sql } from '../../../platform/database/sql.js';
import { IsNull, type EntityManager } from 'typeorm';
import { required } from '../../../contract/domain-error.js';
import { isUuid } from '../../../platform/ids.js';
import { cursorPage, type CursorPage, type CursorPosition } from '../../../platform/http/replies/cursor.js';
import { User } from '../entities/user.entity.js';

/** Matches users who are not service accounts. */
export const PERSON = { serviceOf: IsNull() };

export interface UserPage {
  readonly search?: string;
  readonly externalId?: string;
  /** Only those with at least this. */
  readonly metadata?: Metadata;
  readonly limit: number;
  readonly after?: CursorPosition;
}

/** Returns the user whose verified address this is, ignoring case. */
export async function findUserByEmail(manager: EntityManager, email: string): Promise<User | null> {
  return manager
    .getRepository(User)
    .createQueryBuilder('u')
    .where('u.emailVerified AND lower(u.email) = lower(:email)', { email })
    .getOne();
}

/** Finds a user who is not a service account. */
export const findPerson = async (manager: EntityManager, id: string): Promise<User | null> =>
  isUuid(id) ? manager.getRepository(User).findOneBy({ id, ...PERSON }) : null;

/** Returns a page of all people, newest first, without service accounts; `search` matches a part of name or e-mail address, ignoring case. */
export async function listUsers(
  manager: EntityManager,
  { search, externalId, metadata, limit, after }: UserPage,
): Promise<CursorPage<User>> {
  const query = manager
    .getRepository(User)
    .createQueryBuilder('u')
    .where('u.serviceOf IS NULL')
    .orderBy({ 'u.createdAt': 'DESC', 'u.id': 'DESC' })
    .limit(limit + 1);
  if (search) {
    const pattern = `%${escapeLike(search)}%`;
    query.andWhere("lower(u.name || ' ' || u.email) LIKE lower(:pattern)", { pattern });
  }
  if (externalId !== undefined) query.andWhere('u.externalId = :externalId', { externalId });
  if (metadata) {
    // The second condition is that of the index.
    const contains = `u.metadata @> :metadata::jsonb AND u.metadata <> '{}'`;
    query.andWhere(contains, { metadata: JSON.stringify(metadata) });
  }
  if (after) query.andWhere('(u.createdAt, u.id) < (:createdAt, :id)', after);
  return cursorPage(await query.getMany(), limit, (user) => user);
}

export type LockedUser = Pick<User, 'id' | 'serviceOf'>;

/**
 * Keeps the user from being deleted, and others that do the same waiting, until the transaction ends. Users are locked
 * after organizations, recordings and memberships. 401 `USER_NOT_FOUND` if they have been deleted since the request was
 * authenticated.
 */
export async function lockUser(manager: EntityManager, id: string): Promise<LockedUser> {
  const lock = { mode: 'for_no_key_update' } as const;
  const select = { id: true, serviceOf: true } as const;
  const found = await manager.getRepository(User).findOne({ select, where: { id }, lock });
  return required(found, 'USER_NOT_FOUND');
}

/**
 * Waits for others that give this external id, and returns who has it already: another user, or another service account
 * of the same organization.
 */
export const findTakenOfUser = (
  manager: EntityManager,
  { serviceOf, ...claim }: LockedUser & ExternalIdClaim,
): Promise<ReadonlyMap<string, Named>> =>
  findTakenExternalIds(
    manager,
    [claim],
    (externalIds) => sql`
      SELECT id, external_id AS "externalId" FROM users
      WHERE external_id = ANY (${externalIds}::text[]) AND service_of IS NOT DISTINCT FROM ${serviceOf}::uuid`,
  );

/** Refuses such an external id: 409 `CONFLICT`. */
export async function requireFreeForUser(
  manager: EntityManager,
  user: LockedUser & ExternalIdClaim,
): Promise<void> {
  const taken = await findTakenOfUser(manager, user);
  refuseTaken(taken, user.serviceOf === null ? 'user' : 'service account');
}
