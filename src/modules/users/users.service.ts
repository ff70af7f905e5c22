import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { EntityManager, Repository } from 'typeorm';
import { Clock } from '../../platform/clock/clock.js';
import { mapViolations, type Violations } from '../../platform/database/database-errors.js';
import type { CursorPage } from '../../platform/http/replies/cursor.js';
import { mergedMetadata, type MetadataChanges } from '../../contract/external-ids.js';
import { conflict, DomainError, required } from '../../contract/domain-error.js';
import { isUuid, newId } from '../../platform/ids.js';
import type { UserPlan } from '../../policy/plans.js';
import { User } from './entities/user.entity.js';
import {
  findTakenOfUser,
  listUsers,
  requireFreeForUser,
  type LockedUser,
  type UserPage,
} from './public/users.queries.js';
import { changedBy, type ChangedBy } from '../../policy/caller.js';
import { transactionBy } from '../../platform/database/transaction-by.js';

export type NewUser = Pick<User, 'email' | 'emailVerified' | 'name'> &
  Partial<Pick<User, 'id' | 'serviceOf' | 'externalId' | 'metadata'>> & { readonly plan: UserPlan };

/** What can be changed about a user. */
export type UserChanges = Partial<Pick<User, 'email' | 'name' | 'plan' | 'operator' | 'externalId'>> & {
  /** Whether an address is vouched for; without it, the one that is set is. */
  readonly emailVerified?: boolean;
  readonly metadata?: MetadataChanges;
};

/** A user as they are to be. Without `plan` and `metadata`, an existing one keeps theirs. */
export type GivenUser = Omit<NewUser, 'id' | 'serviceOf' | 'plan'> & Partial<Pick<NewUser, 'plan'>>;

@Injectable()
export class UsersService {
  constructor(
    @InjectRepository(User) private readonly users: Repository<User>,
    private readonly clock: Clock,
  ) {}

  /** Creates a user for the host or an operator. 409 `CONFLICT` if the address is verified, as another user's is. */
  async create(input: NewUser, by: ChangedBy): Promise<User> {
    return transactionBy(this.users.manager.dataSource, changedBy(by), (manager) =>
      this.createWithin(manager, input),
    );
  }

  /** Returns the user with this external id, created if nobody has it: of several at once, one creates. */
  async findOrCreate(
    externalId: string,
    input: NewUser,
    by: ChangedBy,
  ): Promise<{ readonly user: User; readonly isNew: boolean }> {
    const id = newId();
    return transactionBy(this.users.manager.dataSource, changedBy(by), async (manager) => {
      const taken = await findTakenOfUser(manager, { id, serviceOf: null, externalId });
      const found = taken.get(id);
      if (found) return { user: await manager.findOneByOrFail(User, { id: found.id }), isNew: false };
      return { user: await this.createWithin(manager, { ...input, id, externalId }), isNew: true };
    });
  }

  /** Creates a user in a transaction. 409 `CONFLICT` if the address is verified, as another user's is. */
  async createWithin(manager: EntityManager, input: NewUser): Promise<User> {
    const user = this.users.create({
      id: newId(),
      operator: false,
      serviceOf: null,
      createdAt: this.clock.now(),
      ...input,
      externalId: input.externalId ?? null,
      metadata: input.metadata ?? {},
    });
    await requireFreeForUser(manager, user);
    await mapViolations(taken(input.email), () => manager.getRepository(User).insert(user));
    return user;
  }

  /**
   * Notes, in the transaction of `manager`, that the user has proven that the address is theirs. 403 `FORBIDDEN` if
   * another user has, or if theirs is a different one by now.
   */
  async verifyWithin(manager: EntityManager, id: string, email: string): Promise<void> {
    const { affected } = await mapViolations(VERIFIED, () =>
      manager
        .getRepository(User)
        .createQueryBuilder()
        .update()
        .set({ emailVerified: true })
        .where('id = :id AND lower(email) = lower(:email)', { id, email })
        .execute(),
    );
    if (affected === 0) throw VERIFIED.users_email_key();
  }

  /** Changes what needs no proof, in the transaction of `manager`. 409 `CONFLICT` for an external id that is taken. */
  async updateWithin(
    manager: EntityManager,
    user: LockedUser,
    changes: Partial<Pick<User, 'name' | 'externalId' | 'metadata'>>,
  ): Promise<void> {
    await requireFreeForUser(manager, { ...user, externalId: changes.externalId });
    await manager.getRepository(User).update({ id: user.id }, changes);
  }

  /** Deletes the user in the transaction of `manager`, which has ended their membership and handed over what they own. */
  async deleteWithin(manager: EntityManager, id: string): Promise<void> {
    await manager.getRepository(User).delete({ id });
  }

  /** Returns the user. 404 `NOT_FOUND` when there is none. */
  async get(id: string): Promise<User> {
    return required(isUuid(id) && (await this.users.findOneBy({ id })), 'NOT_FOUND', NO_USER);
  }

  /**
   * Returns the user as changed. Only operators and the host set addresses, and vouch for them. 404 `NOT_FOUND`; 409
   * `CONFLICT` when another user's verified address is the same, and for anything but the name of a service account.
   */
  async update(
    id: string,
    { metadata: given, ...changes }: UserChanges,
    by: ChangedBy,
    { replaces = false } = {},
  ): Promise<User> {
    const { id: userId } = await this.get(id);
    await transactionBy(this.users.manager.dataSource, changedBy(by), async (manager) => {
      const users = manager.getRepository(User);
      const lock = { mode: 'for_no_key_update' } as const;
      const user = required(await users.findOne({ where: { id: userId }, lock }), 'NOT_FOUND', NO_USER);
      const metadata = mergedMetadata(replaces ? {} : user.metadata, given);
      const columns = { ...changes, metadata, emailVerified: isKnownAs(user, changes) };
      const { name: _, ...others } = columns;
      if (user.serviceOf !== null && Object.values(others).some((value) => value !== undefined))
        throw conflict('Of a service account, only the name can be changed.');
      await requireFreeForUser(manager, { ...user, externalId: changes.externalId });
      await mapViolations(taken(changes.email), () => users.update({ id: userId }, columns));
    });
    return this.get(userId);
  }

  /** Returns a page of all people, newest first; `search` matches a part of name or e-mail address, ignoring case. */
  async list(page: UserPage): Promise<CursorPage<User>> {
    return listUsers(this.users.manager, page);
  }
}

const NO_USER = 'User not found.';

/** Whether a changed address is known to be theirs: one that nobody vouches for is if it was. Undefined: not changed. */
function isKnownAs(user: User, { email, emailVerified = true }: UserChanges): boolean | undefined {
  if (email === undefined) return undefined;
  return emailVerified || (user.emailVerified && email.toLowerCase() === user.email.toLowerCase());
}

const VERIFIED = {
  users_email_key: () => new DomainError('FORBIDDEN', 'This is the email address of another user.'),
};

const taken = (email = ''): Violations => ({
  users_email_key: () => conflict(`A user ${email} already exists.`),
});
