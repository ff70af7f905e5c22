import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { EntityManager, Repository } from 'typeorm';
import { conflict } from '../../contract/domain-error.js';
import { LIMITS } from '../../contract/limits.js';
import { countText } from '../../lib/amounts.js';
import { Clock } from '../../platform/clock/clock.js';
import { mapViolations, type Violations } from '../../platform/database/database-errors.js';
import { isUuid } from '../../platform/ids.js';
import type { Caller } from '../../policy/caller.js';
import { findUserByEmail } from '../users/public/users.queries.js';
import { UsersService } from '../users/users.service.js';
import { DirectoryAccess } from './directory-access.service.js';
import { DirectoryMembershipsService } from './directory-memberships.service.js';
import { DirectoryUser } from './entities/directory-user.entity.js';
import { badRequest, notFound, taken } from './scim/scim-protocol.js';
import { readFilter, readPage, type Condition, type ScimQuery } from './scim/scim-query.js';
import { patchUser, readUser, type Described } from './scim/scim-users.js';

/** Resources of a page, and how many there are in all. */
export interface Found<T> {
  readonly rows: readonly T[];
  readonly total: number;
  readonly startIndex: number;
}

type Attribute = 'id' | 'userName' | 'externalId' | 'email';

const FILTERS: Readonly<Record<string, Attribute>> = {
  username: 'userName',
  externalid: 'externalId',
  id: 'id',
  'emails.value': 'email',
  emails: 'email',
  'emails[type eq "work"].value': 'email',
};

/** With the value of the filter in place of `?`. */
const CONDITIONS: Readonly<Record<Attribute, string>> = {
  id: 'u.userId = ?',
  userName: 'lower(u.userName) = lower(?)',
  externalId: 'u.externalId = ?',
  email: 'lower(u.email) = lower(?)',
};

/** The people of a directory. */
@Injectable()
export class DirectoryUsersService {
  constructor(
    @InjectRepository(DirectoryUser) private readonly people: Repository<DirectoryUser>,
    private readonly access: DirectoryAccess,
    private readonly memberships: DirectoryMembershipsService,
    private readonly users: UsersService,
    private readonly clock: Clock,
  ) {}

  async list(caller: Caller, query: ScimQuery): Promise<Found<DirectoryUser>> {
    const organizationId = await this.access.read(caller);
    const { startIndex, count } = readPage(query);
    const search = this.people
      .createQueryBuilder('u')
      .where('u.organizationId = :organizationId', { organizationId })
      .orderBy({ 'u.createdAt': 'ASC', 'u.userId': 'ASC' })
      .offset(startIndex - 1)
      .limit(count);
    readFilter(query, FILTERS).forEach((condition, index) => {
      const name = `value${index}`;
      search.andWhere(sqlOf(condition).replaceAll('?', `:${name}`), { [name]: condition.value });
    });
    // TypeORM takes a limit of 0 for none.
    const [rows, total] = count === 0 ? [[], await search.getCount()] : await search.getManyAndCount();
    return { rows, total, startIndex };
  }

  async get(caller: Caller, id: string): Promise<DirectoryUser> {
    return find(this.people.manager, await this.access.read(caller), id);
  }

  /**
   * Adds a person: the user whose verified address it is, of whom nothing changes, or a new one. 409 `uniqueness` for
   * one whom the directory has, 409 `CONFLICT` where there is no room.
   */
  async create(caller: Caller, body: unknown): Promise<DirectoryUser> {
    const { email, active = true, ...described } = readUser(body);
    if (email === undefined)
      throw badRequest('invalidValue', 'emails: an email address is needed, unless userName is one');
    return this.access.change(caller, async (manager, { id: organizationId }) => {
      const people = manager.getRepository(DirectoryUser);
      if ((await people.countBy({ organizationId })) >= LIMITS.directoryUsers)
        throw conflict(`A directory can have at most ${countText(LIMITS.directoryUsers)} users.`);
      const { userId, link } = await this.findOrCreate(manager, organizationId, { ...described, email });
      const now = this.clock.now();
      const times = { createdAt: now, updatedAt: now };
      const person = { organizationId, userId, link, email, active, ...described, ...times };
      await mapViolations(violationsOf(described), () => people.insert(person));
      if (active) await this.memberships.begin(manager, person);
      return person;
    });
  }

  /** Makes a person what the body of a PUT says. */
  async replace(caller: Caller, id: string, body: unknown): Promise<DirectoryUser> {
    const described = readUser(body);
    return this.change(caller, id, () => described);
  }

  /** Changes what the body of a PATCH names. */
  async patch(caller: Caller, id: string, body: unknown): Promise<DirectoryUser> {
    return this.change(caller, id, (person) => patchUser(body, person));
  }

  /** Removes a person from the directory and from the organization. The user remains. */
  async delete(caller: Caller, id: string): Promise<void> {
    await this.access.change(caller, async (manager, { id: organizationId }) => {
      const person = await find(manager, organizationId, id);
      await this.memberships.end(manager, person);
      await manager.getRepository(DirectoryUser).delete({ organizationId, userId: person.userId });
    });
  }

  private async change(
    caller: Caller,
    id: string,
    describe: (person: DirectoryUser) => Described | Promise<Described>,
  ): Promise<DirectoryUser> {
    return this.access.change(caller, async (manager, { id: organizationId }) => {
      const before = await find(manager, organizationId, id);
      const { email = before.email, active = before.active, ...described } = await describe(before);
      const after = { ...before, ...described, email, active, updatedAt: this.clock.now() };
      const key = { organizationId, userId: before.userId };
      await mapViolations(violationsOf(described), () =>
        manager.getRepository(DirectoryUser).update(key, after),
      );
      const name = nameOf(after);
      // The address never changes: whoever keeps a directory could then sign in as the people in it.
      if (before.link === 'created' && name !== nameOf(before))
        await this.users.renameWithin(manager, before.userId, name);
      if (active) await this.memberships.begin(manager, after);
      else if (before.active) await this.memberships.end(manager, after);
      return after;
    });
  }

  /**
   * The address of a new user counts as verified, although nobody has proven it: they could not sign in otherwise. That is
   * safe because the directory never gets a way into the account. Whoever signs in has proven the address, to a mail
   * link or a provider, and can leave the organization; that it has named them first costs them nothing.
   */
  private async findOrCreate(
    manager: EntityManager,
    organizationId: string,
    person: Omit<Described, 'active'> & { readonly email: string },
  ): Promise<Pick<DirectoryUser, 'userId' | 'link'>> {
    const { email } = person;
    const known = await findUserByEmail(manager, email);
    if (!known) {
      const name = nameOf(person);
      const { id } = await this.users.createWithin(manager, {
        email,
        emailVerified: true,
        name,
        plan: 'FREE',
      });
      return { userId: id, link: 'created' };
    }
    const key = { organizationId, userId: known.id };
    if (await manager.getRepository(DirectoryUser).existsBy(key))
      throw taken('emails: the directory has another user with this address');
    const isMember = await this.memberships.isMember(manager, organizationId, known.id);
    return { userId: known.id, link: isMember ? 'member' : 'linked' };
  }
}

function sqlOf({ attribute, value }: Condition<Attribute>): string {
  return attribute === 'id' && !isUuid(value) ? 'FALSE' : CONDITIONS[attribute];
}

async function find(manager: EntityManager, organizationId: string, id: string): Promise<DirectoryUser> {
  const key = { organizationId, userId: id };
  const found = isUuid(id) && (await manager.getRepository(DirectoryUser).findOneBy(key));
  if (!found) throw notFound('user');
  return found;
}

const violationsOf = ({ userName }: Pick<Described, 'userName'>): Violations => ({
  directory_users_user_name_key: () => taken(`userName: the directory has another user ${userName}`),
  directory_users_external_id_key: () => taken('externalId: the directory has another user with it'),
});

type Names = Pick<Described, 'userName' | 'displayName' | 'formattedName' | 'givenName' | 'familyName'>;

function nameOf({ userName, displayName, formattedName, givenName, familyName }: Names): string {
  const parts = [givenName, familyName].filter((part) => part !== null).join(' ');
  const name = displayName ?? formattedName ?? (parts === '' ? userName : parts);
  return [...name].slice(0, LIMITS.name.max).join('');
}
