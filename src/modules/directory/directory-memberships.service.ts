import { Inject, Injectable } from '@nestjs/common';
import { Any, type EntityManager } from 'typeorm';
import { Clock } from '../../platform/clock/clock.js';
import { SETTINGS, type Settings } from '../../platform/config/settings.js';
import { grantableFolders, rightsFrom, type GrantRow, type GrantedRights } from '../../policy/grants.js';
import { revokeKeysOfDeparted } from '../api-keys/public/departed-keys.queries.js';
import type { MemberId } from '../organizations/entities/organization-member.entity.js';
import { DeparturesService } from '../organizations/members/departures.service.js';
import { GrantedMembershipsService } from '../organizations/members/granted-memberships.service.js';
import { LEAST_RIGHTS, ManyMembershipsService } from '../organizations/members/many-memberships.service.js';
import { findGroupsOf } from './directory.queries.js';
import { DirectoryUser } from './entities/directory-user.entity.js';

/** Recorded as who granted a membership: the directory alone, after which members may set the role, or its groups. */
const DIRECTORY = 'directory';
const GROUPS = 'directory_groups';

/** Keeps memberships as a directory says. All in transactions that have locked the organization. */
@Injectable()
export class DirectoryMembershipsService {
  /** Rows about names of groups, whichever identity provider has them. */
  private readonly grants: readonly GrantRow[];

  constructor(
    @Inject(SETTINGS) { identityProviders }: Settings,
    private readonly granted: GrantedMembershipsService,
    private readonly many: ManyMembershipsService,
    private readonly departures: DeparturesService,
    private readonly clock: Clock,
  ) {
    this.grants = identityProviders.flatMap(({ grants }) => grants).filter(({ claim }) => claim === 'groups');
  }

  /** Whether somebody is a member, however they became one. */
  async isMember(manager: EntityManager, key: MemberId): Promise<boolean> {
    return (await this.many.roleOf(manager, key)) !== null;
  }

  /**
   * Makes somebody who is active a member, if they are none, with what their groups give; otherwise with the least. 409
   * `CONFLICT` if the organization is full.
   */
  async begin(manager: EntityManager, { organizationId, userId }: DirectoryUser): Promise<void> {
    if (await this.isMember(manager, { organizationId, userId }))
      return this.follow(manager, organizationId, [userId]);
    const given = (await this.rightsOf(manager, organizationId, [userId])).get(userId) ?? null;
    const grantable = grantableFolders(this.grants, organizationId);
    const membership = { organizationId, rights: given ?? LEAST_RIGHTS, grantable };
    await this.granted.applyWithin(manager, userId, membership, given ? GROUPS : DIRECTORY);
  }

  /** Gives the users what their groups say by now, if a group with one of these names gives anything. */
  async groupChanged(
    manager: EntityManager,
    organizationId: string,
    names: readonly string[],
    userIds: readonly string[],
  ): Promise<void> {
    if (this.namesIn(organizationId).some((name) => names.includes(name)))
      await this.follow(manager, organizationId, userIds);
  }

  /**
   * Ends the membership, with sessions and API keys. 409 `CONFLICT` for the last OWNER. Who was linked without having
   * been a member keeps their sessions, and keys that are not limited to the organization: they have never agreed that it
   * decides about these.
   */
  async end(manager: EntityManager, { organizationId, userId, link }: DirectoryUser): Promise<void> {
    const role = await this.many.roleOf(manager, { organizationId, userId });
    const isStranger = link === 'linked';
    const departure = { organizationId, userId, removedBy: null, leaves: isStranger };
    if (role !== null) await this.departures.end(manager, { ...departure, role });
    const all = !isStranger && !(await this.many.isMember(manager, userId));
    await revokeKeysOfDeparted(manager, userId, all ? null : organizationId, this.clock.now());
  }

  /** Changes the memberships of those who are active. */
  private async follow(
    manager: EntityManager,
    organizationId: string,
    userIds: readonly string[],
  ): Promise<void> {
    const where = { organizationId, userId: Any([...userIds]), active: true };
    const active = await manager.getRepository(DirectoryUser).find({ select: { userId: true }, where });
    const ids = active.map(({ userId }) => userId);
    await this.many.applyWithin(manager, organizationId, {
      rights: await this.rightsOf(manager, organizationId, ids),
      grantable: grantableFolders(this.grants, organizationId),
      grantedBy: GROUPS,
      otherwise: DIRECTORY,
    });
  }

  /** What the groups of each give them; null: nothing. */
  private async rightsOf(
    manager: EntityManager,
    organizationId: string,
    userIds: readonly string[],
  ): Promise<ReadonlyMap<string, GrantedRights | null>> {
    const groups = new Map(userIds.map((id) => [id, new Set<string>()]));
    const names = this.namesIn(organizationId);
    for (const { userId, displayName } of await findGroupsOf(manager, organizationId, userIds, names))
      groups.get(userId)?.add(displayName);
    const rights = (has: ReadonlySet<string>) =>
      has.size === 0 ? null : rightsFrom(this.grants, organizationId, ({ value }) => has.has(value));
    return new Map([...groups].map(([id, has]) => [id, rights(has)]));
  }

  /** The names of groups that give something in an organization. */
  private namesIn(organizationId: string): readonly string[] {
    return this.grants.flatMap(({ organization, value }) => (organization === organizationId ? [value] : []));
  }
}
