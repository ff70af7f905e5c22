import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource, EntityManager } from 'typeorm';
import { Clock } from '../../../platform/clock.js';
import { PublicUrl } from '../../../platform/http/public-url.js';
import { MailJobs, type ComposedMail } from '../../../platform/mail/mail-jobs.service.js';
import type { OrganizationTransfer } from '../../organizations/entities/organization-transfer.entity.js';
import { User } from '../../users/entities/user.entity.js';
import { EmailAllowanceService } from '../email-allowance.service.js';

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

/** Emails members who have been offered an organization. */
@Injectable()
export class TransferMailService implements OnModuleInit {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly mail: MailJobs,
    private readonly allowance: EmailAllowanceService,
    private readonly publicUrl: PublicUrl,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.mail.handle<TransferMailJob>(JOB, (job) => this.compose(job));
  }

  /**
   * In the transaction of the offer, if a mail server is configured; replaces an email that has not been sent yet. 429
   * `RATE_LIMITED` if the member has been sent too many.
   */
  async enqueue(manager: EntityManager, transfer: OrganizationTransfer): Promise<void> {
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

  private async compose(job: TransferMailJob): Promise<ComposedMail | null> {
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
