import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { PublicUrl } from '../../../platform/http/server/public-url.js';
import { MailJobs, type ComposedMail } from '../../../platform/mail/mail-jobs.service.js';
import { EmailAllowanceService } from '../../organizations/email-allowance.service.js';
import { findMoveNames, findVerifiedEmail } from '../recordings.queries.js';

const JOB = 'recordings.mail';

/** Recordings of one owner that somebody else has moved at once. */
interface ForeignMove {
  readonly movedBy: string;
  readonly ownerId: string;
  /** Where they are now. */
  readonly organizationId: string;
  /** How many. */
  readonly recordings: number;
}

/** Emails owners whose recordings somebody else has moved. */
@Injectable()
export class MoveMailService implements OnModuleInit {
  constructor(
    private readonly dataSource: DataSource,
    private readonly mail: MailJobs,
    private readonly allowance: EmailAllowanceService,
    private readonly publicUrl: PublicUrl,
  ) {}

  onModuleInit(): void {
    this.mail.handle<ForeignMove>(JOB, (move) => this.compose(move));
  }

  /**
   * Enqueues the email in the transaction that moves them, if a mail server is configured. Beyond what one person may
   * have sent to another in a day there is no email: the events still list every move.
   */
  async enqueue(manager: EntityManager, move: ForeignMove): Promise<void> {
    if (!this.mail.enabled) return;
    const email = await findVerifiedEmail(manager, move.ownerId);
    if (email === null || !(await this.allowance.takeIfLeft(manager, move.movedBy, email))) return;
    await this.mail.enqueue(manager, JOB, [move]);
  }

  private async compose(move: ForeignMove): Promise<ComposedMail | null> {
    const { organizationId, recordings } = move;
    const names = await findMoveNames(this.dataSource.manager, move);
    if (!names) return null;
    const { email, ...rest } = names;
    const path = `/api/v1/events?types=recording.moved&organization_id=${organizationId}`;
    const view = { ...rest, recordings, url: new URL(this.publicUrl.resolve(path)) };
    return { to: email, template: 'recordings-moved', view };
  }
}
