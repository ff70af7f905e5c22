import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '../../../platform/clock/clock.js';
import { mapViolations, type Violations } from '../../../platform/database/database-errors.js';
import { DomainError } from '../../../contract/domain-error.js';
import { LIMITS } from '../../../contract/limits.js';
import { isUuid } from '../../../platform/ids.js';
import {
  mayChangeMember,
  mayRemoveMember,
  type Manager,
  type MemberFlags,
} from '../../../policy/management.js';
import { FEATURES } from '../../../policy/plans.js';
import type { Role } from '../../../policy/roles.js';
import { OrganizationMember } from '../entities/organization-member.entity.js';
import { OrganizationsService, type Member } from '../organizations.service.js';
import { OrganizationTransfer } from '../entities/organization-transfer.entity.js';
import { forbidden } from '../public/forbidden.error.js';
import { OrganizationTransactions, type LockedOrganization } from '../organization-transactions.service.js';
import { addFolderMembers } from '../folders/folder-members.js';
import { lockUser } from '../../users/public/users.queries.js';
import { DeparturesService, type Departed, type DisabledWebhook } from './departures.service.js';
import { requireRoomToOwn } from './owner-limit.js';

export interface MemberChanges {
  readonly role?: Role;
  readonly flags?: Partial<MemberFlags>;
}

export interface UpdatedMember {
  readonly member: Member;
  readonly disabledWebhooks: readonly DisabledWebhook[];
}

/** A membership that begins. */
export interface NewMember {
  readonly userId: string;
  readonly role: Role;
  readonly flags?: Partial<MemberFlags>;
  /** Restricted folders that are opened to the member. */
  readonly folderIds?: readonly string[];
}

/** Changes memberships. Every change of an organization's rights goes through here, with the organization locked. */
@Injectable()
export class MembersService {
  constructor(
    private readonly organizations: OrganizationTransactions,
    private readonly departures: DeparturesService,
    private readonly listed: OrganizationsService,
    private readonly clock: Clock,
  ) {}

  /** 404 `MEMBER_NOT_FOUND`; 403 `FORBIDDEN` as the policy says; 409 `CONFLICT` for the last OWNER, or an OWNER of too many. */
  async update(
    who: Manager,
    organizationId: string,
    userId: string,
    changes: MemberChanges,
  ): Promise<UpdatedMember> {
    return this.organizations.change(who, organizationId, async (manager, organization) => {
      const { flags } = changes;
      const member = await findMember(manager, organization, userId);
      if (!mayChangeMember(organization.actor, member, { role: changes.role, flags: flags !== undefined })) {
        throw forbidden(organization.actor.role, 'change this member in this way');
      }
      const { role = member.role } = changes;
      await this.departures.requireOtherOwner(manager, member, role);
      if (role === 'OWNER' && member.role !== 'OWNER') await requireRoomToOwn(manager, member.userId);
      const key = { organizationId: member.organizationId, userId: member.userId };
      await manager.update(OrganizationMember, key, { role, ...columnsOf(flags) });
      if (role !== member.role) await endTransfers(manager, key);
      return {
        member: await this.listed.member(organization.id, userId, manager),
        disabledWebhooks: await this.departures.disabledWebhooks(manager, organization.id, userId),
      };
    });
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
    return this.organizations.change(who, organizationId, async (manager, organization) => {
      const member = await findMember(manager, organization, userId);
      if (!mayRemoveMember(organization.actor, member)) {
        throw forbidden(organization.actor.role, 'remove this member');
      }
      const { userId: removedBy } = organization.actor;
      if (takeOverWebhooks && (removedBy === null || removedBy === member.userId)) {
        throw new DomainError('VALIDATION_ERROR', 'webhooks: a member who leaves cannot take them over');
      }
      const webhooksTo = takeOverWebhooks ? (removedBy ?? undefined) : undefined;
      return this.departures.end(manager, { ...member, newOwner, removedBy, webhooksTo });
    });
  }

  /** Adds an existing user. 409 `CONFLICT` for a member. In a transaction that has locked the organization. */
  async join(
    manager: EntityManager,
    organizationId: string,
    { userId, role, flags = {}, folderIds = [] }: NewMember,
  ): Promise<void> {
    const members = await manager.countBy(OrganizationMember, { organizationId });
    if (members >= LIMITS.members) {
      throw new DomainError('CONFLICT', `An organization can have at most ${LIMITS.members} members.`);
    }
    await (role === 'OWNER' ? requireRoomToOwn : lockUser)(manager, userId);
    const member = { organizationId, userId, role, ...columnsOf(flags), createdAt: this.clock.now() };
    await mapViolations(ALREADY_MEMBER, () => manager.insert(OrganizationMember, member));
    await addFolderMembers(
      manager,
      organizationId,
      folderIds.map((folderId) => ({ folderId, userId })),
    );
  }
}

const ALREADY_MEMBER: Violations = {
  organization_members_pkey: () =>
    new DomainError('CONFLICT', 'This user is already a member of the organization.'),
};

/** What a former OWNER has offered is no longer theirs to give, and a new OWNER needs no offer. */
async function endTransfers(
  manager: EntityManager,
  { organizationId, userId }: Pick<OrganizationMember, 'organizationId' | 'userId'>,
): Promise<void> {
  await manager.delete(OrganizationTransfer, [
    { organizationId, fromUserId: userId },
    { organizationId, toUserId: userId },
  ]);
}

async function findMember(
  manager: EntityManager,
  { id: organizationId }: LockedOrganization,
  userId: string,
): Promise<OrganizationMember> {
  const member = isUuid(userId)
    ? await manager.findOneBy(OrganizationMember, { organizationId, userId })
    : null;
  if (!member) throw new DomainError('MEMBER_NOT_FOUND');
  return member;
}

/** Only the given ones; TypeORM leaves undefined columns as they are, and new ones at their default. */
function columnsOf({ viewAllRecordings, viewFolderRecordings, ...given }: Partial<MemberFlags> = {}) {
  const features = FEATURES.flatMap((name) => (given[name] === undefined ? [] : [[name, given[name]]]));
  return { features: Object.fromEntries(features) as object, viewAllRecordings, viewFolderRecordings };
}
