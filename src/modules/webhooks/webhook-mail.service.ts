import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource, EntityManager } from 'typeorm';
import { PublicUrl } from '../../platform/http/public-url.js';
import { MailJobs, type ComposedMail } from '../../platform/mail/mail-jobs.service.js';
import type { PublishedEvent } from '../events/public/published-event.js';
import { ChangePublishingService } from '../events/publishing/change-publishing.service.js';

const DISABLED_MAIL = 'webhooks.mail';
const RESPONSIBILITY_MAIL = 'webhooks.responsibility_mail';
/** Between two emails about a webhook, however often it is enabled again. */
const EVERY = '1 day';
/** How many OWNERs of an organization are emailed: those who have been members for the longest time. */
const MOST_OWNERS = 10;

interface DisabledMailJob {
  readonly webhookId: string;
}

interface ResponsibilityMailJob {
  readonly organizationId: string;
  readonly userId: string;
}

/** Webhooks whose receivers failed, by the changes that disabled them. Records the email, unless there was one within a day. */
const TAKE = `
  UPDATE webhooks w SET mailed_at = now()
  FROM unnest($1::uuid[], $2::timestamptz[]) AS event (change_id, at)
  JOIN change_log c ON c.at = event.at AND c.id = event.change_id AND c.details ->> 'reason' IN ('gone', 'failures')
  WHERE w.id = c.target_id AND coalesce(w.mailed_at < now() - interval '${EVERY}', true) RETURNING w.id AS "webhookId"`;

/** None if it has been enabled again, or deleted, or if the user only claims the address, which may be a stranger's. */
const DISABLED = `
  SELECT u.email, w.url_masked AS "urlMasked", w.disabled_reason AS reason
  FROM webhooks w JOIN users u ON u.id = w.created_by AND u.email_verified
  WHERE w.id = $1 AND w.disabled_reason IN ('gone', 'failures')`;

/** Without those who removed or demoted the member themselves: they know from the reply. */
const OWNERS = `
  SELECT DISTINCT c.organization_id AS "organizationId", o.user_id AS "userId"
  FROM unnest($1::uuid[], $2::timestamptz[]) AS event (change_id, at)
  JOIN change_log c ON c.at = event.at AND c.id = event.change_id AND c.details ->> 'reason' = 'creator_left'
  CROSS JOIN LATERAL (
    SELECT m.user_id FROM organization_members m
    WHERE m.organization_id = c.organization_id AND m.role = 'OWNER' AND m.user_id IS DISTINCT FROM c.actor_id
    ORDER BY m.created_at, m.user_id LIMIT ${MOST_OWNERS}) AS o`;

/** None if they have all been enabled or deleted, or if the user is no longer an OWNER, or only claims the address. */
const OF_NOBODY = `
  SELECT u.email, o.name AS organization, string_agg(w.url_masked, ' ' ORDER BY w.created_at, w.id) AS receivers
  FROM organizations o
  JOIN organization_members m ON m.organization_id = o.id AND m.user_id = $2 AND m.role = 'OWNER'
  JOIN users u ON u.id = m.user_id AND u.email_verified
  JOIN webhooks w ON w.organization_id = o.id AND w.disabled_reason = 'creator_left'
  WHERE o.id = $1 AND o.deleted_at IS NULL GROUP BY u.email, o.name`;

/**
 * Emails users whose webhook has been disabled, and the OWNERs of an organization whose webhooks are disabled because nobody is
 * responsible for them any more.
 */
@Injectable()
export class WebhookMailService implements OnModuleInit {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly publishing: ChangePublishingService,
    private readonly mail: MailJobs,
    private readonly publicUrl: PublicUrl,
  ) {}

  onModuleInit(): void {
    this.mail.handle<DisabledMailJob>(DISABLED_MAIL, (job) => this.ofDisabled(job));
    this.mail.handle<ResponsibilityMailJob>(RESPONSIBILITY_MAIL, (job) => this.ofNobody(job));
    this.publishing.consume((manager, events) => this.take(manager, events));
  }

  /** At most one email a day for each webhook; to each OWNER one, however many webhooks there are. */
  private async take(manager: EntityManager, events: readonly PublishedEvent[]): Promise<void> {
    const disabled = events.filter(({ type }) => type === 'webhook.disabled');
    if (!this.mail.enabled || disabled.length === 0) return;
    const changes = [disabled.map(({ changeId }) => changeId), disabled.map(({ at }) => at)];
    const [webhooks]: [DisabledMailJob[], number] = await manager.query(TAKE, changes);
    await this.mail.enqueue(manager, DISABLED_MAIL, webhooks, ({ webhookId }) => `webhook:${webhookId}`);
    const owners: ResponsibilityMailJob[] = await manager.query(OWNERS, changes);
    await this.mail.enqueue(
      manager,
      RESPONSIBILITY_MAIL,
      owners,
      ({ organizationId, userId }) => `webhooks-of:${organizationId}:${userId}`,
    );
  }

  private async ofDisabled({ webhookId }: DisabledMailJob): Promise<ComposedMail | null> {
    const [found]: { email: string; urlMasked: string; reason: 'gone' | 'failures' }[] =
      await this.dataSource.query(DISABLED, [webhookId]);
    if (!found) return null;
    const { email, urlMasked, reason } = found;
    const url = new URL(this.publicUrl.of(`/api/v1/webhooks/${webhookId}`));
    return { to: email, template: `webhook-${reason}`, view: { receiver: new URL(urlMasked).host, url } };
  }

  private async ofNobody({ organizationId, userId }: ResponsibilityMailJob): Promise<ComposedMail | null> {
    const [found]: { email: string; organization: string; receivers: string }[] = await this.dataSource.query(
      OF_NOBODY,
      [organizationId, userId],
    );
    if (!found) return null;
    const { email, ...names } = found;
    const url = new URL(this.publicUrl.of(`/api/v1/webhooks?organization_id=${organizationId}`));
    return { to: email, template: 'webhook-responsibility', view: { ...names, url } };
  }
}
