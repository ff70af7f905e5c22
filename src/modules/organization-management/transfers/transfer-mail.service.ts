import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource, EntityManager } from 'typeorm';
import { Clock } from '../../../platform/clock.js';
import { SETTINGS, type Settings } from '../../../platform/config/settings.js';
import { PublicUrl } from '../../../platform/http/public-url.js';
import { JobsService } from '../../../platform/jobs/jobs.service.js';
import { AppLogger } from '../../../platform/logging/app-logger.js';
import { MailError } from '../../../platform/mail/mail-error.js';
import { Mailer } from '../../../platform/mail/mailer.js';
import type { OrganizationTransfer } from '../../organizations/entities/organization-transfer.entity.js';
import { User } from '../../users/entities/user.entity.js';
import { EmailAllowanceService } from '../email-allowance.service.js';

const JOB = 'transfers.mail';
/** About a day and a half, with growing intervals. */
const MAX_ATTEMPTS = 14;

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

/** Emails members that they have been offered an organization, in jobs that are tried again. */
@Injectable()
export class TransferMailService implements OnModuleInit {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly jobs: JobsService,
    private readonly mailer: Mailer,
    private readonly allowance: EmailAllowanceService,
    private readonly publicUrl: PublicUrl,
    private readonly clock: Clock,
    private readonly logger: AppLogger,
    @Inject(SETTINGS) private readonly settings: Pick<Settings, 'mailLanguage'>,
  ) {}

  onModuleInit(): void {
    this.jobs.handle<TransferMailJob>(JOB, (job, stop) => this.run(job, stop), { lane: 'mail' });
  }

  /**
   * In the transaction of the offer, if a mail server is configured; replaces an email that has not been sent yet. 429
   * `RATE_LIMITED` if the member has been sent too many.
   */
  async enqueue(manager: EntityManager, transfer: OrganizationTransfer): Promise<void> {
    if (!this.mailer.enabled) return;
    const { organizationId, fromUserId, toUserId } = transfer;
    const { email } = await manager.findOneByOrFail(User, { id: toUserId });
    await this.allowance.take(manager, fromUserId, email);
    const job: TransferMailJob = {
      organizationId,
      toUserId,
      createdAt: transfer.createdAt.toISOString(),
    };
    const key = `transfer:${organizationId}`;
    await this.jobs.enqueue(manager, JOB, [job], { key, maxAttempts: MAX_ATTEMPTS });
  }

  private async run(job: TransferMailJob, stop: AbortSignal): Promise<void> {
    const { organizationId, toUserId, createdAt } = job;
    const [offer]: PendingOffer[] = await this.dataSource.query(PENDING_OFFER, [
      organizationId,
      toUserId,
      createdAt,
      this.clock.now(),
    ]);
    if (!offer) return;
    const { email, ...names } = offer;
    const url = new URL(this.publicUrl.of(`/api/v1/organizations/${organizationId}/transfer/accept`));
    const mail = this.mailer.render('ownership-transfer', this.settings.mailLanguage, { ...names, url });
    try {
      await this.mailer.send({ to: email, ...mail }, stop);
    } catch (error) {
      if (!(error instanceof MailError && error.permanent)) throw error;
      this.logger.warn(
        { organizationId, userId: toUserId, err: error },
        'cannot email an offer of ownership',
      );
    }
  }
}
