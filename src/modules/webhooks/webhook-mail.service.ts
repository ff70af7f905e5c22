import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource, EntityManager } from 'typeorm';
import { SETTINGS, type Settings } from '../../platform/config/settings.js';
import { PublicUrl } from '../../platform/http/public-url.js';
import { JobsService } from '../../platform/jobs/jobs.service.js';
import { AppLogger } from '../../platform/logging/app-logger.js';
import { MailError } from '../../platform/mail/mail-error.js';
import { Mailer } from '../../platform/mail/mailer.js';

const JOB = 'webhooks.mail';
/** About a day and a half, with growing intervals. */
const MAX_ATTEMPTS = 14;
/** A webhook that is enabled again and again causes no more. */
const EVERY = '1 day';

interface WebhookMailJob {
  readonly webhookId: string;
}

interface DisabledWebhook {
  readonly email: string;
  readonly urlMasked: string;
  readonly reason: 'gone' | 'failures';
}

/** None if it has been enabled again, or deleted, or if the user only claims the address, which may be a stranger's. */
const DISABLED = `
  SELECT u.email, w.url_masked AS "urlMasked", w.disabled_reason AS reason
  FROM webhooks w JOIN users u ON u.id = w.created_by AND u.email_verified
  WHERE w.id = $1 AND w.disabled_reason IN ('gone', 'failures')`;

/** Notes the email, unless there was one within a day. */
const TAKE = `
  UPDATE webhooks SET mailed_at = now()
  WHERE id = $1 AND coalesce(mailed_at < now() - interval '${EVERY}', true) RETURNING id`;

/** Emails users that a webhook of theirs has been disabled, in jobs that are tried again. */
@Injectable()
export class WebhookMailService implements OnModuleInit {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly jobs: JobsService,
    private readonly mailer: Mailer,
    private readonly publicUrl: PublicUrl,
    private readonly logger: AppLogger,
    @Inject(SETTINGS) private readonly settings: Pick<Settings, 'mailLanguage'>,
  ) {}

  onModuleInit(): void {
    this.jobs.handle<WebhookMailJob>(JOB, (job, stop) => this.run(job, stop), { lane: 'mail' });
  }

  /** In the transaction that disables it, if a mail server is configured; at most one email a day for each webhook. */
  async enqueue(manager: EntityManager, webhookId: string): Promise<void> {
    if (!this.mailer.enabled) return;
    const [taken]: [object[], number] = await manager.query(TAKE, [webhookId]);
    if (taken.length === 0) return;
    const options = { key: `webhook:${webhookId}`, maxAttempts: MAX_ATTEMPTS };
    await this.jobs.enqueue<WebhookMailJob>(manager, JOB, [{ webhookId }], options);
  }

  private async run({ webhookId }: WebhookMailJob, stop: AbortSignal): Promise<void> {
    const [disabled]: DisabledWebhook[] = await this.dataSource.query(DISABLED, [webhookId]);
    if (!disabled) return;
    const { email, reason } = disabled;
    const mail = this.mailer.render(`webhook-${reason}`, this.settings.mailLanguage, {
      receiver: new URL(disabled.urlMasked).host,
      url: new URL(this.publicUrl.of(`/api/v1/webhooks/${webhookId}`)),
    });
    try {
      await this.mailer.send({ to: email, ...mail }, stop);
    } catch (error) {
      if (!(error instanceof MailError && error.permanent)) throw error;
      this.logger.warn({ webhookId, err: error }, 'cannot email that a webhook has been disabled');
    }
  }
}
