import { Injectable } from '@nestjs/common';
import { Any, type EntityManager } from 'typeorm';
import { DomainError } from '../../../contract/domain-error.js';
import { AppLogger } from '../../../platform/logging/app-logger.js';
import type { GrantedRights } from '../../../policy/grants.js';
import { ROLES, type Role } from '../../../policy/roles.js';
import { OrganizationMember, type MemberId } from '../entities/organization-member.entity.js';
import { GrantedMembershipsService } from './granted-memberships.service.js';
import { openFolders } from './opened-folders.js';

export const LEAST_RIGHTS: GrantedRights = { role: 'VIEWER', folderIds: [] };

/** What somebody outside says about many members of an organization. */
export interface GrantedToMany {
  /** By user. Null: nothing; the least then replaces what `grantedBy` gave, and what others have set stays. */
  readonly rights: ReadonlyMap<string, GrantedRights | null>;
  /** All restricted folders that may be granted; of others, members keep those that they have. */
  readonly grantable: readonly string[];
  /** Recorded with what is given, and with the least that replaces it. */
  readonly grantedBy: string;
  readonly otherwise: string;
}

/** Keeps many memberships at once, with a number of statements that does not grow with them, except for OWNERs. */
@Injectable()
export class ManyMembershipsService {
  constructor(
    private readonly one: GrantedMembershipsService,
    private readonly logger: AppLogger,
  ) {}

  /** Returns the role of a user in an organization; null if they are no member. */
  async roleOf(manager: EntityManager, key: MemberId): Promise<Role | null> {
    return (await manager.getRepository(OrganizationMember).findOneBy({ ...key }))?.role ?? null;
  }

  /** Whether a user is a member of any organization. */
  async isMember(manager: EntityManager, userId: string): Promise<boolean> {
    return manager.getRepository(OrganizationMember).existsBy({ userId });
  }

  /**
   * Changes those who are members, in a transaction that has locked the organization. What it must not lose, its last
   * OWNER, or cannot have, an OWNER of too many, is left as it is, with a line in the log.
   */
  async applyWithin(
    manager: EntityManager,
    organizationId: string,
    { rights, grantable, grantedBy, otherwise }: GrantedToMany,
  ): Promise<void> {
    const members = manager.getRepository(OrganizationMember);
    const found = await members.findBy({ organizationId, userId: Any([...rights.keys()]) });
    const changes = found
      .filter((member) => rights.get(member.userId) || member.grantedBy === grantedBy)
      .map((member) => {
        const given = rights.get(member.userId);
        return { ...member, to: given ?? LEAST_RIGHTS, by: given ? grantedBy : otherwise };
      });
    // Becoming or ceasing to be an OWNER has conditions of its own.
    const isAlone = ({ role, to }: (typeof changes)[number]): boolean =>
      role !== to.role && (role === 'OWNER' || to.role === 'OWNER');
    const together = changes.filter((change) => !isAlone(change));
    for (const role of ROLES)
      for (const by of [grantedBy, otherwise]) {
        const changed = together.filter(
          (change) =>
            change.to.role === role && change.by === by && (change.role !== role || change.grantedBy !== by),
        );
        const userId = Any(changed.map((change) => change.userId));
        if (changed.length > 0) await members.update({ organizationId, userId }, { role, grantedBy: by });
      }
    await openFolders(
      manager,
      organizationId,
      grantable,
      new Map(together.map(({ userId, to }) => [userId, new Set(to.folderIds)])),
    );
    for (const { userId, to, by } of changes.filter(isAlone))
      try {
        const granted = { organizationId, rights: to, grantable };
        // A savepoint: nothing of what is refused stays.
        await manager.transaction((part) => this.one.applyWithin(part, userId, granted, by));
      } catch (error) {
        if (!(error instanceof DomainError)) throw error;
        this.logger.warn(
          { userId, organizationId, grantedBy: by, err: error },
          'a role could not be granted',
        );
      }
  }
}
