import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { DAY_MS, HOUR_MS } from '../../lib/durations.js';
import { Clock } from '../../platform/clock/clock.js';
import { PublicUrl } from '../../platform/http/server/public-url.js';
import { MailJobs, type ComposedMail } from '../../platform/mail/mail-jobs.service.js';
import { findNotice } from './retention.queries.js';

const JOB = 'retention.mail';
/** In the morning, in UTC. */
const SENT_AT_MS = 6 * HOUR_MS;

interface Notice {
  readonly ownerId: string;
}

/** Emails owners about the announced removal of recordings: once a day, however many they are. */
@Injectable()
export class RetentionMailService implements OnModuleInit {
  constructor(
    private readonly dataSource: DataSource,
    private readonly mail: MailJobs,
    private readonly publicUrl: PublicUrl,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.mail.handle<Notice>(JOB, (notice) => this.compose(notice));
  }

  /** Enqueues the emails in the transaction that announces it, if a mail server is configured. */
  async enqueue(manager: EntityManager, ownerIds: ReadonlySet<string>): Promise<void> {
    if (!this.mail.enabled || ownerIds.size === 0) return;
    const today = this.clock.now().getTime();
    const runAt = new Date(Math.ceil((today - SENT_AT_MS) / DAY_MS) * DAY_MS + SENT_AT_MS);
    const notices = [...ownerIds].map((ownerId) => ({ ownerId }));
    await this.mail.enqueue(manager, JOB, notices, ({ ownerId }) => `retention:${ownerId}`, runAt);
  }

  private async compose({ ownerId }: Notice): Promise<ComposedMail | null> {
    const notice = await findNotice(this.dataSource.manager, ownerId, this.clock.now());
    if (!notice) return null;
    const { email, ...rest } = notice;
    const url = new URL(this.publicUrl.resolve('/api/v1/events?types=recording.retention_due'));
    return { to: email, template: 'retention-notice', view: { ...rest, url } };
  }
}
