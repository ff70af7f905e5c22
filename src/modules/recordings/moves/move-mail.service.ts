import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource, EntityManager } from 'typeorm';
import { SETTINGS, type Settings } from '../../../platform/config/settings.js';
import { PublicUrl } from '../../../platform/http/public-url.js';
import { JobsService } from '../../../platform/jobs/jobs.service.js';
import { AppLogger } from '../../../platform/logging/app-logger.js';
import { MailError } from '../../../platform/mail/mail-error.js';
import { Mailer } from '../../../platform/mail/mailer.js';
import { EmailAllowanceService } from '../../organization-management/email-allowance.service.js';

const JOB = 'recordings.mail';
/** About a day and a half, with growing intervals. */
const MAX_ATTEMPTS = 14;

/** What somebody moved of somebody else at once. */
export interface ForeignMove {
  readonly movedBy: string;
  readonly ownerId: string;
  /** Where they are now. */
  readonly organizationId: string;
  /** How many. */
  readonly recordings: number;
}

interface Names {
  readonly email: string;
  readonly movedBy: string;
  readonly organization: string;
}

/** None for one that the user only claims: it may be a stranger's. */
const ADDRESS = 'SELECT email FROM users WHERE id = $1 AND email_verified';

/** None if the owner has left the organization. */
const NAMES = `
  SELECT owner.email, mover.name AS "movedBy", o.name AS organization
  FROM organization_members m
  JOIN users owner ON owner.id = m.user_id AND owner.email_verified
  JOIN organizations o ON o.id = m.organization_id AND o.deleted_at IS NULL
  JOIN users mover ON mover.id = $1
  WHERE m.user_id = $2 AND m.organization_id = $3`;

/** Emails owners that somebody else has moved recordings of theirs, in jobs that are tried again. */
@Injectable()
export class MoveMailService implements OnModuleInit {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly jobs: JobsService,
    private readonly mailer: Mailer,
    private readonly allowance: EmailAllowanceService,
    private readonly publicUrl: PublicUrl,
    private readonly logger: AppLogger,
    @Inject(SETTINGS) private readonly settings: Pick<Settings, 'mailLanguage'>,
  ) {}

  onModuleInit(): void {
    this.jobs.handle<ForeignMove>(JOB, (move, stop) => this.run(move, stop), { lane: 'mail' });
  }

  /**
   * In the transaction that moves them, if a mail server is configured. Beyond what one person may have sent to another in a
   * day there is no email: the events still list every move.
   */
  async enqueue(manager: EntityManager, move: ForeignMove): Promise<void> {
    if (!this.mailer.enabled) return;
    const [owner]: { email: string }[] = await manager.query(ADDRESS, [move.ownerId]);
    if (!owner || !(await this.allowance.takeIfLeft(manager, move.movedBy, owner.email))) return;
    await this.jobs.enqueue(manager, JOB, [move], { maxAttempts: MAX_ATTEMPTS });
  }

  private async run({ movedBy, ownerId, organizationId, recordings }: ForeignMove, stop: AbortSignal) {
    const [names]: Names[] = await this.dataSource.query(NAMES, [movedBy, ownerId, organizationId]);
    if (!names) return;
    const { email, ...rest } = names;
    const path = `/api/v1/events?types=recording.moved&organization_id=${organizationId}`;
    const view = { ...rest, recordings, url: new URL(this.publicUrl.of(path)) };
    const mail = this.mailer.render('recordings-moved', this.settings.mailLanguage, view);
    try {
      await this.mailer.send({ to: email, ...mail }, stop);
    } catch (error) {
      if (!(error instanceof MailError && error.permanent)) throw error;
      this.logger.warn(
        { organizationId, userId: ownerId, err: error },
        'cannot email that recordings were moved',
      );
    }
  }
}
