import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource, EntityManager } from 'typeorm';
import { PublicUrl } from '../../platform/http/public-url.js';
import { MailJobs, type ComposedMail } from '../../platform/mail/mail-jobs.service.js';
import { ChangePublishingService, type PublishedEvent } from '../change-log/change-publishing.service.js';

const JOB = 'webhooks.responsibility_mail';
/** How many OWNERs of an organization are emailed: those who have been members for the longest time. */
const MOST_OWNERS = 10;

interface ResponsibilityMailJob {
  readonly organizationId: string;
  readonly userId: string;
}

const keyOf = ({ organizationId, userId }: ResponsibilityMailJob): string =>
  `webhooks-of:${organizationId}:${userId}`;

/** Without those who removed or demoted the member themselves: they know from the reply. */
const OWNERS = `
  SELECT DISTINCT c.organization_id AS "organizationId", o.user_id AS "userId"
  FROM unnest($1::uuid[], $2::timestamptz[]) AS event (change_id, at)
  JOIN change_log c ON c.at = event.at AND c.id = event.change_id AND c.details ->> 'reason' = 'creator_left'
  CROSS JOIN LATERAL (
    SELECT m.user_id FROM organization_members m
    WHERE m.organization_id = c.organization_id AND m.role = 'OWNER' AND m.user_id IS DISTINCT FROM c.actor_id
    ORDER BY m.created_at, m.user_id LIMIT ${MOST_OWNERS}) AS o`;

interface Disabled {
  readonly email: string;
  readonly organization: string;
  readonly receivers: string;
}

/** None if they have all been enabled or deleted, or if the user is no longer an OWNER, or only claims the address. */
const DISABLED = `
  SELECT u.email, o.name AS organization, string_agg(w.url_masked, ' ' ORDER BY w.created_at, w.id) AS receivers
  FROM organizations o
  JOIN organization_members m ON m.organization_id = o.id AND m.user_id = $2 AND m.role = 'OWNER'
  JOIN users u ON u.id = m.user_id AND u.email_verified
  JOIN webhooks w ON w.organization_id = o.id AND w.disabled_reason = 'creator_left'
  WHERE o.id = $1 AND o.deleted_at IS NULL GROUP BY u.email, o.name`;

/** Emails the OWNERs of an organization whose webhooks are disabled because nobody is responsible for them any more. */
@Injectable()
export class ResponsibilityMailService implements OnModuleInit {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly publishing: ChangePublishingService,
    private readonly mail: MailJobs,
    private readonly publicUrl: PublicUrl,
  ) {}

  onModuleInit(): void {
    this.mail.handle<ResponsibilityMailJob>(JOB, (job) => this.compose(job));
    this.publishing.consume((manager, events) => this.take(manager, events));
  }

  /** One email to each of them, however many webhooks there are. */
  private async take(manager: EntityManager, events: readonly PublishedEvent[]): Promise<void> {
    const disabled = events.filter(
      ({ type, organizationId }) => type === 'webhook.disabled' && organizationId !== null,
    );
    if (!this.mail.enabled || disabled.length === 0) return;
    const owners: ResponsibilityMailJob[] = await manager.query(OWNERS, [
      disabled.map(({ changeId }) => changeId),
      disabled.map(({ at }) => at),
    ]);
    await this.mail.enqueue(manager, JOB, owners, keyOf);
  }

  private async compose({ organizationId, userId }: ResponsibilityMailJob): Promise<ComposedMail | null> {
    const [disabled]: Disabled[] = await this.dataSource.query(DISABLED, [organizationId, userId]);
    if (!disabled) return null;
    const { email, ...names } = disabled;
    const url = new URL(this.publicUrl.of(`/api/v1/webhooks?organization_id=${organizationId}`));
    return { to: email, template: 'webhook-responsibility', view: { ...names, url } };
  }
}
