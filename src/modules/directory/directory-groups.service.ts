import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import SCIMMY from 'scimmy';
import { Any, type EntityManager, type Repository } from 'typeorm';
import { conflict } from '../../contract/domain-error.js';
import { DIRECTORY_LIMITS } from './directory-limits.js';
import { countText } from '../../lib/amounts.js';
import { Clock } from '../../platform/clock/clock.js';
import { mapViolations, type Violations } from '../../platform/database/database-errors.js';
import { isUuid, newId } from '../../platform/ids.js';
import type { Caller } from '../../policy/caller.js';
import { DirectoryAccess } from './directory-access.service.js';
import { DirectoryMembershipsService } from './directory-memberships.service.js';
import { findMembersOf } from './directory.queries.js';
import { DirectoryGroup, DirectoryGroupMember } from './entities/directory-group.entity.js';
import { DirectoryUser } from './entities/directory-user.entity.js';
import { NO_USER, readGroup, readGroupPatch, type SaidOfGroup } from './scim/scim-bodies.js';
import { badRequest, notFound, taken } from './scim/scim-errors.js';
import { findPage, type Filters, type Found, type ScimQuery, type Shown } from './scim/scim-query.js';

const MEMBER = {
  sql: 'EXISTS (SELECT FROM directory_group_members m WHERE m.group_id = g.id AND m.user_id = ?)',
  isId: true,
} as const;
const FILTERS: Filters = {
  displayname: { sql: 'lower(g.displayName) = lower(?)' },
  externalid: { sql: 'g.externalId = ?' },
  id: { sql: 'g.id = ?', isId: true },
  'members.value': MEMBER,
  members: MEMBER,
};

/** The groups of a directory. */
@Injectable()
export class DirectoryGroupsService {
  constructor(
    @InjectRepository(DirectoryGroup) private readonly groups: Repository<DirectoryGroup>,
    private readonly access: DirectoryAccess,
    private readonly memberships: DirectoryMembershipsService,
    private readonly clock: Clock,
  ) {}

  async list(caller: Caller, query: ScimQuery): Promise<Found<DirectoryGroup>> {
    const organizationId = await this.access.read(caller);
    const search = this.groups
      .createQueryBuilder('g')
      .where('g.organizationId = :organizationId', { organizationId })
      .orderBy({ 'g.createdAt': 'ASC', 'g.id': 'ASC' });
    return findPage(search, query, FILTERS);
  }

  async get(caller: Caller, id: string): Promise<DirectoryGroup> {
    return find(this.groups.manager, await this.access.read(caller), id);
  }

  /** Adds a group. 409 `uniqueness` for a name or external id that another has, 409 `CONFLICT` for one too many. */
  async create(caller: Caller, body: unknown): Promise<DirectoryGroup> {
    const said = readGroup(body);
    const { displayName, externalId = null } = said;
    return this.access.change(caller, async (manager, { id: organizationId }) => {
      const groups = manager.getRepository(DirectoryGroup);
      if ((await groups.countBy({ organizationId })) >= DIRECTORY_LIMITS.groups)
        throw conflict(`A directory can have at most ${countText(DIRECTORY_LIMITS.groups)} groups.`);
      const now = this.clock.now();
      const group = { id: newId(), organizationId, displayName, externalId, createdAt: now, updatedAt: now };
      await mapViolations(takenFrom(group), () => groups.insert(group));
      await this.changeMembers(manager, group, group, said);
      return group;
    });
  }

  /**
   * Makes a group what the body of a PUT says, or changes what that of a PATCH names. Returns nothing after a PATCH: the
   * reply would have to list all members.
   */
  async change(
    caller: Caller,
    id: string,
    method: 'PUT' | 'PATCH',
    body: unknown,
  ): Promise<DirectoryGroup | undefined> {
    const said = method === 'PUT' ? readGroup(body) : readGroupPatch(body);
    return this.access.change(caller, async (manager, { id: organizationId }) => {
      const before = await find(manager, organizationId, id);
      const { displayName = before.displayName, externalId = before.externalId } = said;
      const after = { ...before, displayName, externalId, updatedAt: this.clock.now() };
      await mapViolations(takenFrom(after), () =>
        manager.getRepository(DirectoryGroup).update({ id: before.id }, after),
      );
      await this.changeMembers(manager, before, after, said);
      return method === 'PUT' ? after : undefined;
    });
  }

  async delete(caller: Caller, id: string): Promise<void> {
    await this.access.change(caller, async (manager, { id: organizationId }) => {
      const group = await find(manager, organizationId, id);
      const had = await findMemberIds(manager, group.id);
      await manager.getRepository(DirectoryGroup).delete({ id: group.id });
      await this.memberships.groupChanged(manager, organizationId, [group.displayName], had);
    });
  }

  /** Presents groups with their members; leaves out the last groups if they have too many in total. */
  async present(groups: readonly DirectoryGroup[], base: string, shown: Shown): Promise<readonly object[]> {
    const members = new Map(groups.map(({ id }): [string, { value: string; display: string }[]] => [id, []]));
    // Of one group, there are never too many.
    const limit = DIRECTORY_LIMITS.pageMembers + 1;
    const rows = shown('members') ? await findMembersOf(this.groups.manager, [...members.keys()], limit) : [];
    for (const { groupId, userId, name } of rows)
      members.get(groupId)?.push({ value: userId, display: name });
    const cut = rows.length < limit ? undefined : rows.at(-1)?.groupId;
    const end = cut === undefined ? groups.length : groups.findIndex(({ id }) => id === cut);
    return groups.slice(0, end).map(({ id, externalId, displayName, createdAt: created, updatedAt }) => {
      const location = `${base}/Groups/${id}`;
      const meta = { resourceType: 'Group', created, lastModified: updatedAt, location };
      const schemas = [SCIMMY.Schemas.Group.id];
      return { schemas, id, externalId, displayName, members: members.get(id), meta };
    });
  }

  /** Changes who is in a group, and the memberships of everybody for whom that, or its new name, makes a difference. */
  private async changeMembers(
    manager: EntityManager,
    before: DirectoryGroup,
    { id: groupId, organizationId, displayName }: DirectoryGroup,
    { all, removed, added }: SaidOfGroup,
  ): Promise<void> {
    const members = manager.getRepository(DirectoryGroupMember);
    const isRenamed = before.displayName !== displayName;
    const had = all || isRenamed ? await findMemberIds(manager, groupId) : [];
    const leaving = [...removed, ...(all ? had.filter((id) => !added.has(id)) : [])];
    if (leaving.length > 0) await members.delete({ groupId, userId: Any(leaving) });
    if (added.size > 0) {
      const named = { organizationId, userId: Any([...added]) };
      if ((await manager.getRepository(DirectoryUser).countBy(named)) < added.size)
        throw badRequest('invalidValue', NO_USER);
      const rows = [...added].map((userId) => ({ organizationId, groupId, userId }));
      await members.createQueryBuilder().insert().values(rows).orIgnore().execute();
    }
    const concerned = new Set([...leaving, ...added, ...(isRenamed ? had : [])]);
    const names = [before.displayName, displayName];
    await this.memberships.groupChanged(manager, organizationId, names, [...concerned]);
  }
}

async function find(manager: EntityManager, organizationId: string, id: string): Promise<DirectoryGroup> {
  const found = isUuid(id) && (await manager.getRepository(DirectoryGroup).findOneBy({ id, organizationId }));
  if (!found) throw notFound(id);
  return found;
}

async function findMemberIds(manager: EntityManager, groupId: string): Promise<readonly string[]> {
  const members = manager.getRepository(DirectoryGroupMember);
  return (await members.findBy({ groupId })).map(({ userId }) => userId);
}

const takenFrom = ({ displayName, externalId }: DirectoryGroup): Violations => ({
  directory_groups_display_name_key: () => taken('displayName', displayName),
  directory_groups_external_id_key: () => taken('externalId', externalId),
});
