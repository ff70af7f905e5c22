import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource, EntityManager } from 'typeorm';
import { PublicUrl } from '../../platform/http/public-url.js';
import { MailJobs, type ComposedMail } from '../../platform/mail/mail-jobs.service.js';

const JOB = 'webhooks.mail';
/** Between two emails about a webhook, however often it is enabled again. */
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

/** Records the email, unless there was one within a day. */
const TAKE = `
  UPDATE webhooks SET mailed_at = now()
  WHERE id = $1 AND coalesce(mailed_at < now() - interval '${EVERY}', true) RETURNING id`;

/** Emails users whose webhook has been disabled. */
@Injectable()
export class WebhookMailService implements OnModuleInit {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly mail: MailJobs,
    private readonly publicUrl: PublicUrl,
  ) {}

  onModuleInit(): void {
    this.mail.handle<WebhookMailJob>(JOB, (job) => this.compose(job));
  }

  /** In the transaction that disables it, if a mail server is configured; at most one email a day for each webhook. */
  async enqueue(manager: EntityManager, webhookId: string): Promise<void> {
    if (!this.mail.enabled) return;
    const [taken]: [object[], number] = await manager.query(TAKE, [webhookId]);
    if (taken.length === 0) return;
    await this.mail.enqueue<WebhookMailJob>(manager, JOB, [{ webhookId }], `webhook:${webhookId}`);
  }

  private async compose({ webhookId }: WebhookMailJob): Promise<ComposedMail | null> {
    const [disabled]: DisabledWebhook[] = await this.dataSource.query(DISABLED, [webhookId]);
    if (!disabled) return null;
    const { email, urlMasked, reason } = disabled;
    const url = new URL(this.publicUrl.of(`/api/v1/webhooks/${webhookId}`));
    return { to: email, template: `webhook-${reason}`, view: { receiver: new URL(urlMasked).host, url } };
  }
}
