import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '../../../platform/clock.js';
import { DomainError } from '../../../contract/domain-error.js';
import { isUuid } from '../../../platform/ids.js';
import type { Caller } from '../../../policy/caller.js';
import {
  OrganizationDetailsService,
  type OrganizationDetails,
} from '../../organizations/organization-details.service.js';
import { OrganizationMember } from '../../organizations/entities/organization-member.entity.js';
import { OrganizationTransfer } from '../../organizations/entities/organization-transfer.entity.js';
import { requireRoomToOwn } from '../members/owner-limit.js';
import { OrganizationTransactions, type LockedOrganization } from '../organization-transactions.service.js';
import { TransferMailService } from './transfer-mail.service.js';

const DAYS = 7;
const DAY_MS = 24 * 60 * 60 * 1000;

/** Hands the ownership of an organization from an OWNER to another member, once that member accepts. */
@Injectable()
export class TransfersService {
  constructor(
    private readonly organizations: OrganizationTransactions,
    private readonly mails: TransferMailService,
    private readonly details: OrganizationDetailsService,
    private readonly clock: Clock,
  ) {}

  /** Replaces an earlier offer, and is emailed. The user must be another member and not an OWNER yet. */
  async offer(caller: Caller, organizationId: string, userId: string): Promise<OrganizationTransfer> {
    return this.organizations.own(caller, organizationId, async (manager, { id }) => {
      const member =
        isUuid(userId) && userId.toLowerCase() !== caller.id
          ? await manager.findOneBy(OrganizationMember, { organizationId: id, userId })
          : null;
      if (!member) throw new DomainError('VALIDATION_ERROR', 'user_id: must be the id of another member');
      if (member.role === 'OWNER') throw new DomainError('CONFLICT', 'This member is already an OWNER.');
      const createdAt = this.clock.now();
      const expiresAt = new Date(createdAt.getTime() + DAYS * DAY_MS);
      const transfer = manager.create(OrganizationTransfer, {
        organizationId: id,
        fromUserId: caller.id,
        toUserId: member.userId,
        createdAt,
        expiresAt,
      });
      await manager.delete(OrganizationTransfer, { organizationId: id });
      await manager.insert(OrganizationTransfer, transfer);
      await this.mails.enqueue(manager, transfer);
      return transfer;
    });
  }

  /**
   * The caller becomes OWNER, and the member who offered it becomes ADMIN. 404 `TRANSFER_NOT_FOUND` without an offer to the
   * caller.
   */
  async accept(caller: Caller, organizationId: string): Promise<OrganizationDetails> {
    return this.organizations.change(caller, organizationId, async (manager, organization) => {
      const transfer = await this.find(manager, organization);
      if (transfer?.toUserId !== caller.id) throw new DomainError('TRANSFER_NOT_FOUND');
      const { organizationId: id, fromUserId } = transfer;
      await requireRoomToOwn(manager, caller.id);
      await manager.delete(OrganizationTransfer, { organizationId: id });
      await manager.update(OrganizationMember, { organizationId: id, userId: caller.id }, { role: 'OWNER' });
      await manager.update(OrganizationMember, { organizationId: id, userId: fromUserId }, { role: 'ADMIN' });
      return this.details.get(caller, id, manager);
    });
  }

  /** By any OWNER, or declined by the member it was offered to. */
  async cancel(caller: Caller, organizationId: string): Promise<void> {
    await this.organizations.change(caller, organizationId, async (manager, organization) => {
      const transfer = await this.find(manager, organization);
      const mayCancel = organization.actor.role === 'OWNER' || transfer?.toUserId === caller.id;
      if (!transfer || !mayCancel) throw new DomainError('TRANSFER_NOT_FOUND');
      await manager.delete(OrganizationTransfer, { organizationId: transfer.organizationId });
    });
  }

  /** Null once it has expired. */
  private async find(
    manager: EntityManager,
    { id }: LockedOrganization,
  ): Promise<OrganizationTransfer | null> {
    const transfer = await manager.findOneBy(OrganizationTransfer, { organizationId: id });
    return transfer && transfer.expiresAt > this.clock.now() ? transfer : null;
  }
}
