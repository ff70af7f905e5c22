import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, MoreThan, type EntityManager, type Repository } from 'typeorm';
import { Clock } from '../../platform/clock/clock.js';
import { conflict, DomainError, invalid } from '../../contract/domain-error.js';
import { PublicUrl } from '../../platform/http/server/public-url.js';
import { MailJobs, type ComposedMail } from '../../platform/mail/mail-jobs.service.js';
import { isUuid } from '../../platform/ids.js';
import type { Caller } from '../../policy/caller.js';
import { OrganizationsService, type OrganizationDetails } from './organizations.service.js';
import { OrganizationMember } from './entities/organization-member.entity.js';
import { PERSON } from '../users/public/users.queries.js';
import { OrganizationTransfer } from './entities/organization-transfer.entity.js';
import { requireRoomToOwn } from './members/members.service.js';
import { OrganizationTransactions, type LockedOrganization } from './organization-transactions.service.js';
import { EmailAllowanceService } from './email-allowance.service.js';
import { DAY_MS } from '../../lib/durations.js';
import { LIMITS } from '../../contract/limits.js';

const JOB = 'transfers.mail';

/** Identifies an offer: a later one to the same member has another time. */
interface TransferMailJob {
  readonly organizationId: string;
  readonly toUserId: string;
  /** ISO 8601. */
  readonly createdAt: string;
}

/** Hands the ownership of an organization from an OWNER to another member, once that member accepts. */
@Injectable()
export class TransfersService implements OnModuleInit {
  constructor(
    @InjectRepository(OrganizationTransfer) private readonly transfers: Repository<OrganizationTransfer>,
    private readonly organizations: OrganizationsService,
    private readonly transactions: OrganizationTransactions,
    private readonly mail: MailJobs,
    private readonly allowance: EmailAllowanceService,
    private readonly publicUrl: PublicUrl,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.mail.handle<TransferMailJob>(JOB, (job) => this.composeMail(job));
  }

  /**
   * Replaces an earlier offer, also its email if that has not been sent yet. The user must be another member and not an
   * OWNER yet. 429 `RATE_LIMITED` if the member has been sent too many emails.
   */
  async offer(caller: Caller, organizationId: string, userId: string): Promise<OrganizationTransfer> {
    return this.transactions.own(caller, organizationId, async (manager, { id }) => {
      const isOther = isUuid(userId) && userId.toLowerCase() !== caller.id;
      const [member] = isOther
        ? await manager
            .getRepository(OrganizationMember)
            .find({ where: { organizationId: id, userId, user: PERSON }, relations: { user: true } })
        : [];
      if (!member) throw invalid('user_id: must be the id of another member of the organization');
      if (member.role === 'OWNER')
        throw conflict('This member is already an OWNER; to step down, change your own role.');
      const createdAt = this.clock.now();
      const expiresAt = new Date(createdAt.getTime() + LIMITS.transferDays * DAY_MS);
      const transfer = this.transfers.create({
        organizationId: id,
        fromUserId: caller.id,
        toUserId: member.userId,
        createdAt,
        expiresAt,
      });
      await manager.getRepository(OrganizationTransfer).delete({ organizationId: id });
      await manager.getRepository(OrganizationTransfer).insert(transfer);
      if (!this.mail.enabled) return transfer;
      const { email } = member.user!;
      await this.allowance.take(manager, caller.id, email);
      const job: TransferMailJob = {
        organizationId: id,
        toUserId: member.userId,
        createdAt: createdAt.toISOString(),
      };
      await this.mail.enqueue(manager, JOB, [job], `transfer:${id}`);
      return transfer;
    });
  }

  /**
   * The caller becomes OWNER, and the member who offered it becomes ADMIN. 404 `TRANSFER_NOT_FOUND` without an offer to
   * the caller.
   */
  async accept(caller: Caller, organizationId: string): Promise<OrganizationDetails> {
    return this.transactions.change(caller, organizationId, async (manager, organization) => {
      const transfer = await this.find(manager, organization);
      if (transfer?.toUserId !== caller.id) throw new DomainError('TRANSFER_NOT_FOUND');
      const { organizationId: id, fromUserId } = transfer;
      await requireRoomToOwn(manager, caller.id);
      await manager.getRepository(OrganizationTransfer).delete({ organizationId: id });
      const members = manager.getRepository(OrganizationMember);
      await members.update({ organizationId: id, userId: caller.id }, { role: 'OWNER' });
      await members.update({ organizationId: id, userId: fromUserId }, { role: 'ADMIN' });
      return this.organizations.get(caller, id, manager);
    });
  }

  /** Cancels the offer for any OWNER, or declines it for the member it was made to. */
  async cancel(caller: Caller, organizationId: string): Promise<void> {
    await this.transactions.change(caller, organizationId, async (manager, organization) => {
      const transfer = await this.find(manager, organization);
      const mayCancel = organization.actor.role === 'OWNER' || transfer?.toUserId === caller.id;
      if (!transfer || !mayCancel) throw new DomainError('TRANSFER_NOT_FOUND');
      await manager.getRepository(OrganizationTransfer).delete({ organizationId: transfer.organizationId });
    });
  }

  /** Null once it has expired. */
  private async find(
    manager: EntityManager,
    { id }: LockedOrganization,
  ): Promise<OrganizationTransfer | null> {
    const transfer = await manager.getRepository(OrganizationTransfer).findOneBy({ organizationId: id });
    return transfer && transfer.expiresAt > this.clock.now() ? transfer : null;
  }

  private async composeMail(job: TransferMailJob): Promise<ComposedMail | null> {
    const { organizationId, toUserId, createdAt } = job;
    // None if the offer was accepted, declined, cancelled or replaced, or if the member only claims the address, which
    // may be a stranger's.
    const [offer] = await this.transfers.find({
      where: {
        organizationId,
        toUserId,
        createdAt: new Date(createdAt),
        expiresAt: MoreThan(this.clock.now()),
        organization: { deletedAt: IsNull() },
        to: { user: { emailVerified: true } },
      },
      relations: { organization: true, from: { user: true }, to: { user: true } },
    });
    if (!offer) return null;
    const { organization, from, to, expiresAt } = offer;
    const view = { organization: organization!.name, offeredBy: from!.user!.name, expiresAt };
    const url = new URL(this.publicUrl.resolve(`/api/v1/organizations/${organizationId}/transfer/accept`));
    return { to: to!.user!.email, template: 'ownership-transfer', view: { ...view, url } };
  }
}
