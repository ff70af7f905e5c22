import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '../../platform/clock/clock.js';
import { SETTINGS, type Settings } from '../../platform/config/settings.js';
import { grantableFolders, rightsFrom, type GrantRow } from '../../policy/grants.js';
import { revokeKeysOfDeparted } from '../api-keys/public/departed-keys.queries.js';
import type { MemberId } from '../organizations/entities/organization-member.entity.js';
import { DeparturesService } from '../organizations/members/departures.service.js';
import {
  GrantedMembershipsService,
  type MemberGrant,
} from '../organizations/members/granted-memberships.service.js';
import { findGroupsOf } from './directory.queries.js';
import type { DirectoryUser } from './entities/directory-user.entity.js';

/** Recorded as who granted a membership: the directory alone, after which members may set the role, or its groups. */
const DIRECTORY = 'directory';
const GROUPS = 'directory_groups';
/** For somebody to whom no group gives anything; it replaces what groups gave them, not what members have set. */
const LEAST = { role: 'VIEWER', folderIds: [], grantedBy: DIRECTORY, replaces: GROUPS } as const;

/** Keeps memberships as a directory says. All in transactions that have locked the organization. */
@Injectable()
export class DirectoryMembershipsService {
  /** Rows about names of groups, whichever identity provider has them. */
  private readonly grants: readonly GrantRow[];

  constructor(
    @Inject(SETTINGS) { identityProviders }: Settings,
    private readonly granted: GrantedMembershipsService,
    private readonly departures: DeparturesService,
    private readonly clock: Clock,
  ) {
    this.grants = identityProviders.flatMap(({ grants }) => grants).filter(({ claim }) => claim === 'groups');
  }

  /** Whether somebody is a member, however they became one. */
  async isMember(manager: EntityManager, { organizationId, userId }: MemberId): Promise<boolean> {
    const memberships = await this.granted.membershipsOf(manager, userId);
    return memberships.some((one) => one.organizationId === organizationId);
  }

  /**
   * Gives somebody who is active what their groups say, and makes them a member if they are none. 409 `CONFLICT` if the
   * organization is full.
   */
  async begin(manager: EntityManager, { organizationId, userId }: DirectoryUser): Promise<void> {
    for (const grant of await this.grantsTo(manager, organizationId, [userId]))
      await this.granted.begin(manager, this.scopeOf(organizationId), grant);
  }

  /** Gives members what their groups say by now, if a group with one of these names gives anything. */
  async groupChanged(
    manager: EntityManager,
    organizationId: string,
    names: readonly string[],
    userIds: readonly string[],
  ): Promise<void> {
    if (!this.namesIn(organizationId).some((name) => names.includes(name))) return;
    const grants = await this.grantsTo(manager, organizationId, userIds);
    await this.granted.change(manager, this.scopeOf(organizationId), grants);
  }

  /**
   * Ends the membership, with sessions and API keys. 409 `CONFLICT` for the last OWNER. Somebody who was linked without
   * having been a member keeps their sessions, and keys that are not limited to the organization: they have never agreed
   * that it decides about these.
   */
  async end(manager: EntityManager, { organizationId, userId, link }: DirectoryUser): Promise<void> {
    const isStranger = link === 'linked';
    const memberships = await this.granted.membershipsOf(manager, userId);
    const ending = memberships.find((one) => one.organizationId === organizationId);
    if (ending) await this.departures.end(manager, { ...ending, removedBy: null, leaves: isStranger });
    const keepsOthers = isStranger || memberships.some((one) => one !== ending);
    await revokeKeysOfDeparted(manager, userId, keepsOthers ? organizationId : null, this.clock.now());
  }

  /** What the groups of each of the users who are active give them. */
  private async grantsTo(
    manager: EntityManager,
    organizationId: string,
    userIds: readonly string[],
  ): Promise<readonly MemberGrant[]> {
    const people = await findGroupsOf(manager, organizationId, userIds, this.namesIn(organizationId));
    return people.map(({ userId, groups }) => {
      const rights = groups && rightsFrom(this.grants, organizationId, ({ value }) => groups.includes(value));
      return { userId, ...(rights ? { ...rights, grantedBy: GROUPS } : LEAST) };
    });
  }

  /** The names of groups that give something in an organization. */
  private namesIn(organizationId: string): readonly string[] {
    return this.grants.flatMap(({ organization, value }) => (organization === organizationId ? [value] : []));
  }

  private scopeOf(organizationId: string) {
    return { organizationId, grantable: grantableFolders(this.grants, organizationId) };
  }
}
