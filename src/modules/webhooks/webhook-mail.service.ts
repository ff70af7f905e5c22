import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { PublicUrl } from '../../platform/http/server/public-url.js';
import { type ComposedMail, MailJobs } from '../../platform/mail/mail-jobs.service.js';
import type { PublishedEvent } from '../events/public/published-event.js';
import { ChangePublishingService } from '../events/publishing/change-publishing.service.js';
import {
  findDisabledMail,
  findOwnersToMail,
  findResponsibilityMail,
  takeFailedWebhooks,
} from './webhooks.queries.js';

const DISABLED_MAIL = 'webhooks.mail';
const RESPONSIBILITY_MAIL = 'webhooks.responsibility_mail';

interface DisabledMailJob {
  readonly webhookId: string;
}

interface ResponsibilityMailJob {
  readonly organizationId: string;
  readonly userId: string;
}

/** Emails users whose webhook has been disabled, and OWNERs whose webhooks have nobody responsible any more. */
@Injectable()
export class WebhookMailService implements OnModuleInit {
  constructor(
    private readonly dataSource: DataSource,
    private readonly publishing: ChangePublishingService,
    private readonly mail: MailJobs,
    private readonly publicUrl: PublicUrl,
  ) {}

  onModuleInit(): void {
    this.mail.handle<DisabledMailJob>(DISABLED_MAIL, (job) => this.composeDisabled(job));
    this.mail.handle<ResponsibilityMailJob>(RESPONSIBILITY_MAIL, (job) => this.composeResponsibility(job));
    this.publishing.consume((manager, events) => this.enqueueMails(manager, events));
  }

  /** Enqueues at most one email a day for each webhook, and one to each OWNER, however many webhooks there are. */
  private async enqueueMails(manager: EntityManager, events: readonly PublishedEvent[]): Promise<void> {
    const disabled = events.filter(({ type }) => type === 'webhook.disabled');
    if (!this.mail.enabled || disabled.length === 0) return;
    const webhooks: DisabledMailJob[] = await takeFailedWebhooks(manager, disabled);
    await this.mail.enqueue(manager, DISABLED_MAIL, webhooks, ({ webhookId }) => `webhook:${webhookId}`);
    const owners: ResponsibilityMailJob[] = await findOwnersToMail(manager, disabled);
    await this.mail.enqueue(
      manager,
      RESPONSIBILITY_MAIL,
      owners,
      ({ organizationId, userId }) => `webhooks-of:${organizationId}:${userId}`,
    );
  }

  private async composeDisabled({ webhookId }: DisabledMailJob): Promise<ComposedMail | null> {
    const found = await findDisabledMail(this.dataSource.manager, webhookId);
    if (!found) return null;
    const { email, urlMasked, reason } = found;
    const url = new URL(this.publicUrl.resolve(`/api/v1/webhooks/${webhookId}`));
    return { to: email, template: `webhook-${reason}`, view: { receiver: new URL(urlMasked).host, url } };
  }

  private async composeResponsibility({
    organizationId,
    userId,
  }: ResponsibilityMailJob): Promise<ComposedMail | null> {
    const found = await findResponsibilityMail(this.dataSource.manager, organizationId, userId);
    if (!found) return null;
    const { email, ...names } = found;
    const url = new URL(this.publicUrl.resolve(`/api/v1/webhooks?organization_id=${organizationId}`));
    return { to: email, template: 'webhook-responsibility', view: { ...names, url } };
  }
}
