import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource, EntityManager } from 'typeorm';
import { PublicUrl } from '../../../platform/http/server/public-url.js';
import { MailJobs, type ComposedMail } from '../../../platform/mail/mail-jobs.service.js';
import { EmailAllowanceService } from '../../organizations/email-allowance.service.js';

const JOB = 'recordings.mail';

/** Recordings of one owner that somebody else has moved at once. */
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

/** Emails owners whose recordings somebody else has moved. */
@Injectable()
export class MoveMailService implements OnModuleInit {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly mail: MailJobs,
    private readonly allowance: EmailAllowanceService,
    private readonly publicUrl: PublicUrl,
  ) {}

  onModuleInit(): void {
    this.mail.handle<ForeignMove>(JOB, (move) => this.compose(move));
  }

  /**
   * In the transaction that moves them, if a mail server is configured. Beyond what one person may have sent to another in a
   * day there is no email: the events still list every move.
   */
  async enqueue(manager: EntityManager, move: ForeignMove): Promise<void> {
    if (!this.mail.enabled) return;
    const [owner]: { email: string }[] = await manager.query(ADDRESS, [move.ownerId]);
    if (!owner || !(await this.allowance.takeIfLeft(manager, move.movedBy, owner.email))) return;
    await this.mail.enqueue(manager, JOB, [move]);
  }

  private async compose(move: ForeignMove): Promise<ComposedMail | null> {
    const { movedBy, ownerId, organizationId, recordings } = move;
    const [names]: Names[] = await this.dataSource.query(NAMES, [movedBy, ownerId, organizationId]);
    if (!names) return null;
    const { email, ...rest } = names;
    const path = `/api/v1/events?types=recording.moved&organization_id=${organizationId}`;
    const view = { ...rest, recordings, url: new URL(this.publicUrl.of(path)) };
    return { to: email, template: 'recordings-moved', view };
  }
}
