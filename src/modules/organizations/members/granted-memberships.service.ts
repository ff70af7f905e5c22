import { Injectable } from '@nestjs/common';
import { Any, DataSource, type EntityManager } from 'typeorm';
import { DomainError } from '../../../contract/domain-error.js';
import { transactionBy } from '../../../platform/database/transaction-by.js';
import { AppLogger } from '../../../platform/logging/app-logger.js';
import { changedBy, type ChangedBy } from '../../../policy/caller.js';
import type { GrantedRights, GrantScope } from '../../../policy/grants.js';
import { ROLES } from '../../../policy/roles.js';
import { OrganizationMember } from '../entities/organization-member.entity.js';
import { openFolders } from '../folders.service.js';
import { OrganizationTransactions } from '../organization-transactions.service.js';
import { DeparturesService } from './departures.service.js';
import { endOffers, MembersService, requireRoomToOwn } from './members.service.js';

/** What somebody outside says about a person in an organization. */
export interface GrantedMembership extends GrantScope {
  /** Null: it grants nothing any longer. */
  readonly rights: GrantedRights | null;
}

/** What an identity provider or a directory gives a person. */
export interface MemberGrant extends GrantedRights {
  readonly userId: string;
  /** Recorded as who has granted the membership; null: an invitation, or another member. */
  readonly grantedBy: string | null;
  /** Changes only a membership that this has granted. */
  readonly replaces?: string;
}

type Change = MemberGrant & { readonly member: OrganizationMember };

/** Keeps memberships as an identity provider or a directory says, which goes before what members have set. */
@Injectable()
export class GrantedMembershipsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly transactions: OrganizationTransactions,
    private readonly members: MembersService,
    private readonly departures: DeparturesService,
    private readonly logger: AppLogger,
  ) {}

  /** Returns all memberships of a user. */
  membershipsOf(manager: EntityManager, userId: string): Promise<readonly OrganizationMember[]> {
    return manager.getRepository(OrganizationMember).findBy({ userId });
  }

  /**
   * Begins, changes or ends the membership. Ends only one that `grantedBy` has granted. What the organization must not
   * lose, its last OWNER, or cannot have, such as one member too many, is left as it is, with a line in the log.
   */
  async apply(userId: string, granted: GrantedMembership, grantedBy: string, by: ChangedBy): Promise<void> {
    const { organizationId, rights } = granted;
    await this.unlessRefused({ userId, organizationId, grantedBy }, () =>
      transactionBy(this.dataSource, changedBy(by), async (manager) => {
        if (!(await this.transactions.lockIfExists(manager, organizationId))) return;
        const key = { organizationId, userId };
        const member = await manager.getRepository(OrganizationMember).findOneBy(key);
        // Who was a member before gets other rights, and remains one without them.
        if (rights)
          return this.begin(manager, granted, {
            userId,
            ...rights,
            grantedBy: member ? member.grantedBy : grantedBy,
          });
        if (member?.grantedBy === grantedBy)
          await this.departures.end(manager, { ...key, role: member.role, removedBy: null });
      }),
    );
  }

  /**
   * Makes somebody a member, or changes their membership, in a transaction that has locked the organization. 409
   * `CONFLICT` if it is full.
   */
  async begin(manager: EntityManager, scope: GrantScope, grant: MemberGrant): Promise<void> {
    const { organizationId } = scope;
    const { userId, role, grantedBy } = grant;
    if (await manager.getRepository(OrganizationMember).existsBy({ organizationId, userId }))
      return this.change(manager, scope, [grant]);
    await this.members.join(manager, organizationId, { userId, role, grantedBy });
    await openFolders(manager, scope, [grant]);
  }

  /**
   * Changes those who are members, in a transaction that has locked the organization, with a number of statements that
   * does not grow with them, except for OWNERs. What the organization must not lose, its last OWNER, or cannot have, an
   * OWNER of too many, is left as it is, with a line in the log.
   */
  async change(manager: EntityManager, scope: GrantScope, grants: readonly MemberGrant[]): Promise<void> {
    const { organizationId } = scope;
    const named = { organizationId, userId: Any(grants.map(({ userId }) => userId)) };
    const found = await manager.getRepository(OrganizationMember).findBy(named);
    const members = new Map(found.map((member) => [member.userId, member]));
    const changes = grants.flatMap((grant): Change[] => {
      const member = members.get(grant.userId);
      const isReplaced = grant.replaces === undefined || grant.replaces === member?.grantedBy;
      return member && isReplaced ? [{ ...grant, member }] : [];
    });
    const together = changes.filter((change) => !changesOwner(change));
    await writeChanges(manager, scope, together);
    for (const change of changes.filter(changesOwner)) {
      const { userId, role, grantedBy, member } = change;
      await this.unlessRefused({ userId, organizationId, grantedBy }, () =>
        // A savepoint: nothing of what is refused stays.
        manager.transaction(async (part) => {
          await this.departures.requireOtherOwner(part, member, role);
          if (role === 'OWNER') await requireRoomToOwn(part, userId);
          await writeChanges(part, scope, [change]);
        }),
      );
    }
  }

  private async unlessRefused(what: object, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      this.logger.warn({ ...what, err: error }, 'a membership could not be granted');
    }
  }
}

/** Becoming or ceasing to be an OWNER has conditions of its own. */
const changesOwner = ({ role, member }: Change): boolean =>
  role !== member.role && (role === 'OWNER' || member.role === 'OWNER');

async function writeChanges(
  manager: EntityManager,
  scope: GrantScope,
  changes: readonly Change[],
): Promise<void> {
  const { organizationId } = scope;
  for (const role of ROLES)
    for (const grantedBy of new Set(changes.map((change) => change.grantedBy))) {
      const changed = changes
        .filter((change) => change.role === role && change.grantedBy === grantedBy)
        .filter(({ member }) => member.role !== role || member.grantedBy !== grantedBy);
      const key = { organizationId, userId: Any(changed.map(({ userId }) => userId)) };
      if (changed.length > 0)
        await manager.getRepository(OrganizationMember).update(key, { role, grantedBy });
    }
  const moved = changes.filter(({ role, member }) => role !== member.role).map(({ userId }) => userId);
  if (moved.length > 0) await endOffers(manager, { organizationId, userId: Any(moved) });
  await openFolders(manager, scope, changes);
}
