import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import SCIMMY from 'scimmy';
import type { EntityManager, Repository } from 'typeorm';
import { conflict } from '../../contract/domain-error.js';
import { DIRECTORY_LIMITS } from './directory-limits.js';
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
import { readUser, readUserPatch } from './scim/scim-bodies.js';
import { badRequest, notFound, taken } from './scim/scim-errors.js';
import { findPage, type Filters, type Found, type ScimQuery } from './scim/scim-query.js';

const EMAIL = { sql: 'lower(u.email) = lower(?)' };
const FILTERS: Filters = {
  username: { sql: 'lower(u.userName) = lower(?)' },
  externalid: { sql: 'u.externalId = ?' },
  id: { sql: 'u.userId = ?', isId: true },
  'emails.value': EMAIL,
  emails: EMAIL,
  'emails[type eq "work"].value': EMAIL,
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
    const search = this.people
      .createQueryBuilder('u')
      .where('u.organizationId = :organizationId', { organizationId })
      .orderBy({ 'u.createdAt': 'ASC', 'u.userId': 'ASC' });
    return findPage(search, query, FILTERS);
  }

  async get(caller: Caller, id: string): Promise<DirectoryUser> {
    return find(this.people.manager, await this.access.read(caller), id);
  }

  /**
   * Adds a person: the user whose verified address it is, of whom nothing changes, or a new one. 409 `uniqueness` for
   * one whom the directory has, 409 `CONFLICT` where there is no room.
   */
  async create(caller: Caller, body: unknown): Promise<DirectoryUser> {
    const { email, active = true, ...said } = readUser(body);
    if (email === undefined)
      throw badRequest('invalidValue', 'emails: an email address is needed, unless userName is one');
    return this.access.change(caller, async (manager, { id: organizationId }) => {
      const people = manager.getRepository(DirectoryUser);
      if ((await people.countBy({ organizationId })) >= DIRECTORY_LIMITS.users)
        throw conflict(`A directory can have at most ${countText(DIRECTORY_LIMITS.users)} users.`);
      const found = await this.findOrCreate(manager, organizationId, email, nameOf(said));
      const now = this.clock.now();
      const person = { organizationId, ...found, ...said, email, active, createdAt: now, updatedAt: now };
      await mapViolations(takenFrom(person), () => people.insert(person));
      await (active ? this.memberships.begin(manager, person) : this.memberships.end(manager, person));
      return person;
    });
  }

  /** Makes a person what the body of a PUT says, or changes what that of a PATCH names. */
  async change(caller: Caller, id: string, method: 'PUT' | 'PATCH', body: unknown): Promise<DirectoryUser> {
    const said = method === 'PUT' ? readUser(body) : readUserPatch(body);
    return this.access.change(caller, async (manager, { id: organizationId }) => {
      const before = await find(manager, organizationId, id);
      const after = { ...before, ...said, updatedAt: this.clock.now() };
      const key = { organizationId, userId: before.userId };
      await mapViolations(takenFrom(after), () => manager.getRepository(DirectoryUser).update(key, after));
      const name = nameOf(after);
      // The address never changes; otherwise, the keeper of a directory could sign in as the people in it.
      if (before.link === 'created' && name !== nameOf(before))
        await this.users.updateWithin(manager, { id: before.userId, serviceOf: null }, { name });
      if (after.active) await this.memberships.begin(manager, after);
      else if (before.active) await this.memberships.end(manager, after);
      return after;
    });
  }

  /** Removes a person from the directory and from the organization. The user remains. */
  async delete(caller: Caller, id: string): Promise<void> {
    await this.access.change(caller, async (manager, { id: organizationId }) => {
      const person = await find(manager, organizationId, id);
      await this.memberships.end(manager, person);
      await manager.getRepository(DirectoryUser).delete({ organizationId, userId: person.userId });
    });
  }

  async present(people: readonly DirectoryUser[], base: string): Promise<readonly object[]> {
    return people.map(({ userId: id, externalId, userName, displayName, active, ...user }) => {
      const { formattedName: formatted, givenName, familyName, email } = user;
      const { createdAt: created, updatedAt: lastModified } = user;
      return {
        schemas: [SCIMMY.Schemas.User.id],
        id,
        externalId,
        userName,
        displayName,
        active,
        name: { formatted, givenName, familyName },
        emails: [{ value: email, type: 'work', primary: true }],
        meta: { resourceType: 'User', created, lastModified, location: `${base}/Users/${id}` },
      };
    });
  }

  /**
   * The address of a new user counts as verified, although nobody has proven it: they could not sign in otherwise. That is
   * safe because the directory never gets a way into the account. Anyone who signs in has proven the address, to a mail
   * link or a provider, and can leave the organization; that it has named them first costs them nothing.
   */
  private async findOrCreate(
    manager: EntityManager,
    organizationId: string,
    email: string,
    name: string,
  ): Promise<Pick<DirectoryUser, 'userId' | 'link'>> {
    const known = await findUserByEmail(manager, email);
    if (!known) {
      const { id } = await this.users.createWithin(manager, {
        email,
        emailVerified: true,
        name,
        plan: 'FREE',
      });
      return { userId: id, link: 'created' };
    }
    const key = { organizationId, userId: known.id };
    if (await manager.getRepository(DirectoryUser).existsBy(key)) throw taken('emails', email);
    const isMember = await this.memberships.isMember(manager, key);
    return { userId: known.id, link: isMember ? 'member' : 'linked' };
  }
}

async function find(manager: EntityManager, organizationId: string, userId: string): Promise<DirectoryUser> {
  const people = manager.getRepository(DirectoryUser);
  const found = isUuid(userId) && (await people.findOneBy({ organizationId, userId }));
  if (!found) throw notFound(userId);
  return found;
}

const takenFrom = ({ userName, externalId }: DirectoryUser): Violations => ({
  directory_users_user_name_key: () => taken('userName', userName),
  directory_users_external_id_key: () => taken('externalId', externalId),
});

type Names = Pick<DirectoryUser, 'userName' | 'displayName' | 'formattedName' | 'givenName' | 'familyName'>;

function nameOf({ userName, displayName, formattedName, givenName, familyName }: Names): string {
  const parts = [givenName, familyName].filter((part) => part !== null).join(' ');
  return [...(displayName ?? formattedName ?? (parts || userName))].slice(0, LIMITS.name.max).join('');
}
