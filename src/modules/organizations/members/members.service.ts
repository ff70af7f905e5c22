import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager, type FindOperator } from 'typeorm';
import { Clock } from '../../../platform/clock/clock.js';
import { mapViolations, type Violations } from '../../../platform/database/database-errors.js';
import { conflict, invalid, required } from '../../../contract/domain-error.js';
import { LIMITS } from '../../../contract/limits.js';
import { isUuid } from '../../../platform/ids.js';
import type { Caller } from '../../../policy/caller.js';
import {
  isManager,
  mayChangeMember,
  mayRemoveMember,
  type Manager,
  type MemberFlags,
} from '../../../policy/management.js';
import { ROLES, type Role, type ServiceRole } from '../../../policy/roles.js';
import { membershipColumns } from '../entities/membership.columns.js';
import { OrganizationMember, type MemberId } from '../entities/organization-member.entity.js';
import type { NameListQuery, NamePage } from '../name-list.queries.js';
import { OrganizationsService } from '../organizations.service.js';
import { OrganizationTransfer } from '../entities/organization-transfer.entity.js';
import { forbidden, MEMBERSHIP } from '../public/organization-requirements.queries.js';
import { OrganizationTransactions, type LockedOrganization } from '../organization-transactions.service.js';
import { addFolderMembers } from '../folders.service.js';
import { findPerson, lockUser, PERSON } from '../../users/public/users.queries.js';
import { findDisabledWebhooks, findMember, listMembers, type Member } from './members.queries.js';
import { DeparturesService, type Departed } from './departures.service.js';
import type { DisabledWebhook } from '../public/departure.response.dto.js';
import { countText } from '../../../lib/amounts.js';

export interface UpdatedMember extends Member {
  readonly disabledWebhooks: readonly DisabledWebhook[];
}

export interface PutMember extends UpdatedMember {
  readonly isNew: boolean;
}

/** A membership that begins. */
export interface NewMember {
  readonly userId: string;
  readonly role: Role;
  readonly flags?: Partial<MemberFlags>;
  /** Restricted folders that are opened to the member. */
  readonly folderIds?: readonly string[];
  /** The identity provider or directory that makes them one, if any. */
  readonly grantedBy?: string | null;
}

const CHANGE = 'change this member in this way';

/** Lists and changes memberships. All changes of an organization's rights happen here, with the organization locked. */
@Injectable()
export class MembersService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly organizations: OrganizationsService,
    private readonly transactions: OrganizationTransactions,
    private readonly departures: DeparturesService,
    private readonly clock: Clock,
  ) {}

  /** Returns all members, ordered by name, to a member. Flags are for those who manage members, and for the member. */
  async list(caller: Manager, organizationId: string, query: NameListQuery = {}): Promise<NamePage<Member>> {
    const manages = isManager(await this.organizations.requireMember(caller, organizationId));
    const page = await listMembers(this.dataSource.manager, organizationId, query);
    const rows = page.rows.map((row) => (manages || row.id === caller.id ? row : { ...row, features: null }));
    return { ...page, rows };
  }

  /** 404 `MEMBER_NOT_FOUND`; 403 `FORBIDDEN` by policy; 409 `CONFLICT` for the last OWNER, or an OWNER of too many. */
  async update(
    who: Manager,
    organizationId: string,
    userId: string,
    changes: { readonly role?: Role; readonly flags?: Partial<MemberFlags> },
  ): Promise<UpdatedMember> {
    return this.transactions.change(who, organizationId, async (manager, organization) => {
      const { flags } = changes;
      const member = await requireMembership(manager, organization, userId);
      const change = { role: changes.role, flags: flags !== undefined };
      const { actor } = organization;
      const allows = (by: string | null) => (role: Role) =>
        mayChangeMember({ userId: by, role }, member, change);
      const permits = allows(actor.userId);
      if (!permits(actor.role)) throw forbidden(actor.role, CHANGE, allows(null));
      MEMBERSHIP.note({ organizationId, whole: true, what: CHANGE, roles: ROLES.filter(permits) });
      const { role = member.role } = changes;
      return this.change(manager, member, { role, flags });
    });
  }

  /**
   * Makes a user a member, or changes the one that they are, for an operator. 404 `NOT_FOUND` for no such user; 409
   * `CONFLICT` as when a member joins or is changed.
   */
  async put(
    who: Caller,
    organizationId: string,
    userId: string,
    given: Pick<NewMember, 'role' | 'flags'>,
  ): Promise<PutMember> {
    return this.transactions.operate(who, organizationId, async (manager, { id }) => {
      const user = required(await findPerson(manager, userId), 'NOT_FOUND', 'User not found.');
      const key = { organizationId: id, userId: user.id };
      const member = await manager.getRepository(OrganizationMember).findOneBy(key);
      if (member) return { ...(await this.change(manager, member, given)), isNew: false };
      await this.join(manager, id, { userId: user.id, ...given });
      const joined = required(await findMember(manager, key), 'MEMBER_NOT_FOUND');
      return { ...joined, disabledWebhooks: [], isNew: true };
    });
  }

  private async change(
    manager: EntityManager,
    member: OrganizationMember,
    { role, flags }: Pick<NewMember, 'role' | 'flags'>,
  ): Promise<UpdatedMember> {
    await this.departures.requireOtherOwner(manager, member, role);
    if (role === 'OWNER' && member.role !== 'OWNER') await requireRoomToOwn(manager, member.userId);
    const key = { organizationId: member.organizationId, userId: member.userId };
    await manager.getRepository(OrganizationMember).update(key, { role, ...membershipColumns(flags) });
    if (role !== member.role) await endOffers(manager, key);
    const updated = required(await findMember(manager, key), 'MEMBER_NOT_FOUND');
    return { ...updated, disabledWebhooks: await findDisabledWebhooks(manager, key) };
  }

  /**
   * Members can remove themselves to leave. `newOwner` becomes the owner of the recordings; see `DeparturesService`.
   * `takeOverWebhooks`: whether the one who removes them becomes responsible for their webhooks.
   */
  async remove(
    who: Manager,
    organizationId: string,
    userId: string,
    { newOwner, takeOverWebhooks = false }: { newOwner?: string; takeOverWebhooks?: boolean },
  ): Promise<Departed> {
    return this.transactions.change(who, organizationId, async (manager, organization) => {
      const member = await requireMembership(manager, organization, userId);
      if (!mayRemoveMember(organization.actor, member)) {
        throw forbidden(organization.actor.role, 'remove this member', (role) =>
          mayRemoveMember({ userId: null, role }, member),
        );
      }
      const { userId: removedBy } = organization.actor;
      if (takeOverWebhooks && (removedBy === null || removedBy === member.userId)) {
        throw invalid('webhooks: a member who leaves cannot take them over');
      }
      const webhooksTo = takeOverWebhooks ? (removedBy ?? undefined) : undefined;
      const leaves = removedBy === member.userId;
      return this.departures.end(manager, { ...member, newOwner, removedBy, leaves, webhooksTo });
    });
  }

  /**
   * Gives a service account another role, in a transaction that has locked the organization. Returns the webhooks that
   * this has disabled.
   */
  async setRole(
    manager: EntityManager,
    key: MemberId,
    role: ServiceRole,
  ): Promise<readonly DisabledWebhook[]> {
    await manager.getRepository(OrganizationMember).update({ ...key }, { role });
    return findDisabledWebhooks(manager, key);
  }

  /** Adds an existing user. 409 `CONFLICT` for a member. In a transaction that has locked the organization. */
  async join(
    manager: EntityManager,
    organizationId: string,
    { userId, role, grantedBy, flags = {}, folderIds = [] }: NewMember,
  ): Promise<void> {
    const members = await manager.getRepository(OrganizationMember).countBy({ organizationId });
    if (members >= LIMITS.members) {
      throw conflict(
        `An organization can have at most ${countText(LIMITS.members)} members; remove one first.`,
      );
    }
    await (role === 'OWNER' ? requireRoomToOwn : lockUser)(manager, userId);
    const createdAt = this.clock.now();
    const member = { organizationId, userId, role, grantedBy, ...membershipColumns(flags), createdAt };
    await mapViolations(ALREADY_MEMBER, () => manager.getRepository(OrganizationMember).insert(member));
    await addFolderMembers(
      manager,
      organizationId,
      folderIds.map((folderId) => ({ folderId, userId })),
    );
  }
}

const ALREADY_MEMBER: Violations = {
  organization_members_pkey: () => conflict('This user is already a member of the organization.'),
};

async function requireMembership(
  manager: EntityManager,
  { id: organizationId }: LockedOrganization,
  userId: string,
): Promise<OrganizationMember> {
  const members = manager.getRepository(OrganizationMember);
  const member = isUuid(userId) && (await members.findOneBy({ organizationId, userId, user: PERSON }));
  return required(member, 'MEMBER_NOT_FOUND');
}

/** When roles change: what a former OWNER has offered is no longer theirs to give, and a new OWNER needs no offer. */
export async function endOffers(
  manager: EntityManager,
  { organizationId, userId }: { organizationId: string; userId: string | FindOperator<string> },
): Promise<void> {
  const offers = [{ fromUserId: userId }, { toUserId: userId }];
  const ended = offers.map((offer) => ({ ...offer, organizationId }));
  await manager.getRepository(OrganizationTransfer).delete(ended);
}

/** Before a user becomes OWNER of another organization: 409 `CONFLICT` for an OWNER of too many. */
export async function requireRoomToOwn(manager: EntityManager, userId: string): Promise<void> {
  // Simultaneous requests wait here, so that none misses the organization of another.
  await lockUser(manager, userId);
  const owned = await manager.getRepository(OrganizationMember).countBy({ userId, role: 'OWNER' });
  if (owned < LIMITS.ownedOrganizations) return;
  throw conflict(
    `A user can be OWNER of at most ${LIMITS.ownedOrganizations} organizations; one of theirs must be transferred or deleted first.`,
  );
}
