import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource, EntityManager } from 'typeorm';
import { Clock } from '../../../platform/clock/clock.js';
import { DomainError } from '../../../contract/domain-error.js';
import { PublicUrl } from '../../../platform/http/server/public-url.js';
import { MailJobs, type ComposedMail } from '../../../platform/mail/mail-jobs.service.js';
import { isUuid } from '../../../platform/ids.js';
import type { Caller } from '../../../policy/caller.js';
import { OrganizationDetailsService, type OrganizationDetails } from '../organization-details.service.js';
import { OrganizationMember } from '../entities/organization-member.entity.js';
import { OrganizationTransfer } from '../entities/organization-transfer.entity.js';
import { requireRoomToOwn } from '../members/owner-limit.js';
import { OrganizationTransactions, type LockedOrganization } from '../organization-transactions.service.js';
import { User } from '../../users/entities/user.entity.js';
import { EmailAllowanceService } from '../email-allowance.service.js';

const DAYS = 7;
const DAY_MS = 24 * 60 * 60 * 1000;

const JOB = 'transfers.mail';

/** Identifies an offer: a later one to the same member has another time. */
interface TransferMailJob {
  readonly organizationId: string;
  readonly toUserId: string;
  /** ISO 8601. */
  readonly createdAt: string;
}

interface PendingOffer {
  readonly organization: string;
  readonly offeredBy: string;
  readonly email: string;
  readonly expiresAt: Date;
}

/**
 * None if the offer was accepted, declined, cancelled or replaced, or if the member only claims the address, which may be a
 * stranger's. $4: the time.
 */
const PENDING_OFFER = `
  SELECT o.name AS organization, sender.name AS "offeredBy", recipient.email, offer.expires_at AS "expiresAt"
  FROM organization_transfers offer
  JOIN organizations o ON o.id = offer.organization_id AND o.deleted_at IS NULL
  JOIN users sender ON sender.id = offer.from_user_id
  JOIN users recipient ON recipient.id = offer.to_user_id AND recipient.email_verified
  WHERE offer.organization_id = $1 AND offer.to_user_id = $2 AND offer.created_at = $3 AND offer.expires_at > $4`;

/** Hands the ownership of an organization from an OWNER to another member, once that member accepts. */
@Injectable()
export class TransfersService implements OnModuleInit {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly organizations: OrganizationTransactions,
    private readonly mail: MailJobs,
    private readonly allowance: EmailAllowanceService,
    private readonly details: OrganizationDetailsService,
    private readonly publicUrl: PublicUrl,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.mail.handle<TransferMailJob>(JOB, (job) => this.composeMail(job));
  }

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
      await this.enqueueMail(manager, transfer);
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

  /**
   * In the transaction of the offer, if a mail server is configured; replaces an email that has not been sent yet. 429
   * `RATE_LIMITED` if the member has been sent too many.
   */
  private async enqueueMail(manager: EntityManager, transfer: OrganizationTransfer): Promise<void> {
    if (!this.mail.enabled) return;
    const { organizationId, fromUserId, toUserId } = transfer;
    const { email } = await manager.findOneByOrFail(User, { id: toUserId });
    await this.allowance.take(manager, fromUserId, email);
    const job: TransferMailJob = {
      organizationId,
      toUserId,
      createdAt: transfer.createdAt.toISOString(),
    };
    await this.mail.enqueue(manager, JOB, [job], `transfer:${organizationId}`);
  }

  private async composeMail(job: TransferMailJob): Promise<ComposedMail | null> {
    const { organizationId, toUserId, createdAt } = job;
    const [offer]: PendingOffer[] = await this.dataSource.query(PENDING_OFFER, [
      organizationId,
      toUserId,
      createdAt,
      this.clock.now(),
    ]);
    if (!offer) return null;
    const { email, ...view } = offer;
    const url = new URL(this.publicUrl.of(`/api/v1/organizations/${organizationId}/transfer/accept`));
    return { to: email, template: 'ownership-transfer', view: { ...view, url } };
  }
}
