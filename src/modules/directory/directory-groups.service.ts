import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { EntityManager, Repository } from 'typeorm';
import { conflict } from '../../contract/domain-error.js';
import { LIMITS } from '../../contract/limits.js';
import { countText } from '../../lib/amounts.js';
import { Clock } from '../../platform/clock/clock.js';
import { mapViolations, type Violations } from '../../platform/database/database-errors.js';
import { isUuid, newId } from '../../platform/ids.js';
import type { Caller } from '../../policy/caller.js';
import { DirectoryAccess } from './directory-access.service.js';
import { DirectoryMembershipsService } from './directory-memberships.service.js';
import type { Found } from './directory-users.service.js';
import {
  addMembers,
  countMembersOf,
  countUsers,
  findMemberIds,
  findMembersOf,
  removeMembers,
} from './directory.queries.js';
import { DirectoryGroup } from './entities/directory-group.entity.js';
import {
  readGroup,
  readGroupPatch,
  type GroupChanges,
  type MemberChanges,
  type PresentedMember,
} from './scim/scim-groups.js';
import { badRequest, notFound, taken } from './scim/scim-protocol.js';
import { readFilter, readPage, type Condition, type ScimQuery, type Shown } from './scim/scim-query.js';

export interface GroupWithMembers {
  readonly group: DirectoryGroup;
  readonly members: readonly PresentedMember[];
}

type Attribute = 'id' | 'displayName' | 'externalId' | 'member';

const FILTERS: Readonly<Record<string, Attribute>> = {
  displayname: 'displayName',
  externalid: 'externalId',
  id: 'id',
  'members.value': 'member',
  members: 'member',
};

const CONDITIONS: Readonly<Record<Attribute, string>> = {
  id: 'g.id = ?',
  displayName: 'lower(g.displayName) = lower(?)',
  externalId: 'g.externalId = ?',
  member: 'EXISTS (SELECT FROM directory_group_members m WHERE m.group_id = g.id AND m.user_id = ?)',
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

  /** Returns a page of groups. With members, it ends before there are too many of these. */
  async list(caller: Caller, query: ScimQuery, shown: Shown): Promise<Found<GroupWithMembers>> {
    const organizationId = await this.access.read(caller);
    const { startIndex, count } = readPage(query);
    const search = this.groups
      .createQueryBuilder('g')
      .where('g.organizationId = :organizationId', { organizationId })
      .orderBy({ 'g.createdAt': 'ASC', 'g.id': 'ASC' })
      .offset(startIndex - 1)
      .limit(count);
    readFilter(query, FILTERS).forEach((condition, index) => {
      const name = `value${index}`;
      search.andWhere(sqlOf(condition).replaceAll('?', `:${name}`), { [name]: condition.value });
    });
    const [rows, total] = count === 0 ? [[], await search.getCount()] : await search.getManyAndCount();
    return { rows: await this.withMembers(rows, shown), total, startIndex };
  }

  async get(caller: Caller, id: string, shown: Shown): Promise<GroupWithMembers> {
    return this.withItsMembers(await find(this.groups.manager, await this.access.read(caller), id), shown);
  }

  /** Adds a group. 409 `uniqueness` for a name or external id that another has, 409 `CONFLICT` for one too many. */
  async create(caller: Caller, body: unknown, shown: Shown): Promise<GroupWithMembers> {
    const { displayName, externalId = null, members } = readGroup(body);
    const created = await this.access.change(caller, async (manager, { id: organizationId }) => {
      const groups = manager.getRepository(DirectoryGroup);
      if ((await groups.countBy({ organizationId })) >= LIMITS.directoryGroups)
        throw conflict(`A directory can have at most ${countText(LIMITS.directoryGroups)} groups.`);
      const now = this.clock.now();
      const group = { id: newId(), organizationId, displayName, externalId, createdAt: now, updatedAt: now };
      await mapViolations(violationsOf(displayName), () => groups.insert(group));
      await this.changeMembers(manager, group, group, members);
      return group;
    });
    return this.withItsMembers(created, shown);
  }

  /** Makes a group what the body of a PUT says. */
  async replace(caller: Caller, id: string, body: unknown, shown: Shown): Promise<GroupWithMembers> {
    return this.withItsMembers(await this.change(caller, id, readGroup(body)), shown);
  }

  /** Changes what the body of a PATCH names. */
  async patch(caller: Caller, id: string, body: unknown): Promise<void> {
    await this.change(caller, id, readGroupPatch(body));
  }

  async delete(caller: Caller, id: string): Promise<void> {
    await this.access.change(caller, async (manager, { id: organizationId }) => {
      const group = await find(manager, organizationId, id);
      const had = await findMemberIds(manager, { organizationId, groupId: group.id });
      await manager.getRepository(DirectoryGroup).delete({ id: group.id });
      if (this.memberships.matters(organizationId, group.displayName))
        await this.memberships.follow(manager, organizationId, had);
    });
  }

  private async change(caller: Caller, id: string, changes: GroupChanges): Promise<DirectoryGroup> {
    return this.access.change(caller, async (manager, { id: organizationId }) => {
      const before = await find(manager, organizationId, id);
      const { displayName = before.displayName, externalId = before.externalId, members } = changes;
      const after = { ...before, displayName, externalId, updatedAt: this.clock.now() };
      const groups = manager.getRepository(DirectoryGroup);
      await mapViolations(violationsOf(displayName), () => groups.update({ id: before.id }, after));
      await this.changeMembers(manager, before, after, members);
      return after;
    });
  }

  /** Changes who is in a group, and the memberships of everybody for whom that, or its other name, makes a difference. */
  private async changeMembers(
    manager: EntityManager,
    before: DirectoryGroup,
    { id: groupId, organizationId, displayName }: DirectoryGroup,
    { all, removed, added }: MemberChanges,
  ): Promise<void> {
    const group = { organizationId, groupId };
    const isRenamed = before.displayName !== displayName;
    const had = all || isRenamed ? await findMemberIds(manager, group) : [];
    const leaving = all ? had.filter((id) => !added.has(id)) : [...removed];
    const gone = leaving.length === 0 ? [] : await removeMembers(manager, group, leaving);
    const wanted = [...added];
    const come = wanted.length === 0 ? [] : await addMembers(manager, group, wanted);
    if (come.length < wanted.length && (await countUsers(manager, organizationId, wanted)) < wanted.length)
      throw badRequest(
        'invalidValue',
        'members: each must have the id of a user of this directory as its value',
      );
    const matters = [before.displayName, displayName].some((name) =>
      this.memberships.matters(organizationId, name),
    );
    if (!matters) return;
    const concerned = new Set([...gone, ...come, ...(isRenamed ? had : [])]);
    await this.memberships.follow(manager, organizationId, [...concerned]);
  }

  private async withItsMembers(group: DirectoryGroup, shown: Shown): Promise<GroupWithMembers> {
    const [found] = await this.withMembers([group], shown);
    return found!;
  }

  private async withMembers(
    groups: readonly DirectoryGroup[],
    shown: Shown,
  ): Promise<readonly GroupWithMembers[]> {
    if (groups.length === 0 || !shown('members')) return groups.map((group) => ({ group, members: [] }));
    const { manager } = this.groups;
    const counts = await countMembersOf(
      manager,
      groups.map(({ id }) => id),
    );
    let sum = 0;
    // The first one has at most as many as a page.
    const page = groups.filter(({ id }) => (sum += counts.get(id) ?? 0) <= LIMITS.directoryPageMembers);
    const members = new Map(page.map(({ id }): [string, PresentedMember[]] => [id, []]));
    for (const { groupId, userId, name } of await findMembersOf(manager, [...members.keys()]))
      members.get(groupId)?.push({ value: userId, display: name });
    return page.map((group) => ({ group, members: members.get(group.id) ?? [] }));
  }
}

function sqlOf({ attribute, value }: Condition<Attribute>): string {
  const needsId = attribute === 'id' || attribute === 'member';
  return needsId && !isUuid(value) ? 'FALSE' : CONDITIONS[attribute];
}

async function find(manager: EntityManager, organizationId: string, id: string): Promise<DirectoryGroup> {
  const found = isUuid(id) && (await manager.getRepository(DirectoryGroup).findOneBy({ id, organizationId }));
  if (!found) throw notFound('group');
  return found;
}

const violationsOf = (displayName: string): Violations => ({
  directory_groups_display_name_key: () =>
    taken(`displayName: the directory has another group ${displayName}`),
  directory_groups_external_id_key: () => taken('externalId: the directory has another group with it'),
});
