import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource, EntityManager } from 'typeorm';
import { DomainError } from '../../contract/domain-error.js';
import { LIMITS } from '../../contract/limits.js';
import { Clock } from '../../platform/clock.js';
import { transactionBy } from '../../platform/database/transaction-by.js';
import { newId } from '../../platform/ids.js';
import { OutboundClient } from '../../platform/outbound/outbound-client.js';
import { OUTBOUND_URL_RULE } from '../../platform/outbound/outbound-url.js';
import { changedBy, type Caller } from '../../policy/caller.js';
import { isManager } from '../../policy/management.js';
import { ErasureService } from '../erasure/erasure.service.js';
import { OrganizationTransactions } from '../organizations/organization-transactions.service.js';
import { OrganizationsService } from '../organizations/organizations.service.js';
import { lockUser } from '../users/public/users.queries.js';
import type { CreateWebhookDto, UpdateWebhookDto } from './dto/webhook.request.dto.js';
import { TEST_TYPE } from './entities/webhook-delivery.entity.js';
import { Webhook } from './entities/webhook.entity.js';
import { WebhookSecretsService } from './secrets/webhook-secrets.service.js';
import { notPermitted, requireWebhook } from './webhook-access.js';

/** A webhook with its URL, for those who manage it. */
export interface RevealedWebhook {
  readonly webhook: Webhook;
  readonly url: string;
}

/** With its secret, which is known only when it is made. */
export interface IssuedWebhook extends RevealedWebhook {
  readonly secret: string;
}

/** What waits was queued for the previous reader. The new one can replay each delivery. */
const DROP_WAITING = `
  UPDATE webhook_deliveries SET status = 'failed', ended_at = $2, claim = NULL
  WHERE webhook_id = $1 AND status = 'pending' AND type <> '${TEST_TYPE}'`;

/** What is known of a receiver, reset by enabling and by a new address. */
const UNTRIED = { failingSince: null, succeededAt: null, pausedUntil: null };

/** Webhooks of users and organizations. */
@Injectable()
export class WebhooksService {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly secrets: WebhookSecretsService,
    private readonly organizations: OrganizationsService,
    private readonly transactions: OrganizationTransactions,
    private readonly erasure: ErasureService,
    private readonly outbound: OutboundClient,
    private readonly clock: Clock,
  ) {}

  /** The caller's own, or those of an organization that the caller manages; oldest first. */
  async list(caller: Caller, organizationId: string | undefined): Promise<Webhook[]> {
    if (organizationId !== undefined) {
      const role = await this.organizations.requireMember(caller, organizationId);
      if (!isManager(role)) throw notPermitted(role);
    }
    return this.dataSource.manager.find(Webhook, {
      where: organizationId === undefined ? { userId: caller.id } : { organizationId },
      order: { createdAt: 'ASC', id: 'ASC' },
    });
  }

  async get(caller: Caller, id: string): Promise<RevealedWebhook> {
    return this.reveal(await requireWebhook(this.dataSource.manager, caller, id));
  }

  /** At most 20 for each user and for each organization: 409 `CONFLICT`. */
  async create(caller: Caller, input: CreateWebhookDto): Promise<IssuedWebhook> {
    const url = this.readUrl(input.url);
    const { organization_id: organizationId } = input;
    if (organizationId === undefined || organizationId === null) {
      return transactionBy(this.dataSource, changedBy(caller), async (manager) => {
        await lockUser(manager, caller.id);
        return this.insert(manager, caller, input, url, { userId: caller.id });
      });
    }
    return this.transactions.change(caller, organizationId, async (manager, { id, actor }) => {
      if (!isManager(actor.role)) throw notPermitted(actor.role);
      return this.insert(manager, caller, input, url, { organizationId: id });
    });
  }

  /** Who enables one of an organization, or sends it elsewhere, is responsible for it from then on. */
  async update(caller: Caller, id: string, change: UpdateWebhookDto): Promise<RevealedWebhook> {
    const { url: text, types, description, enabled } = change;
    const url = text === undefined ? undefined : this.readUrl(text);
    return this.change(caller, id, async (manager, webhook) => {
      // As a list shows it, it is the URL that the webhook has.
      const isNew =
        url !== undefined && ![webhook.urlMasked, this.secrets.revealUrl(webhook)].includes(url.href);
      const isEnabled = enabled === true && !webhook.enabled;
      if (isEnabled && webhook.disabledReason === 'creator_left') {
        await manager.query(DROP_WAITING, [webhook.id, this.clock.now()]);
      }
      Object.assign(webhook, {
        ...(isNew || isEnabled ? UNTRIED : {}),
        ...(isNew ? { ...this.secrets.sealUrl(webhook.id, url), urlVersion: webhook.urlVersion + 1 } : {}),
        ...(isNew || isEnabled ? { createdBy: caller.id } : {}),
        ...(types === undefined ? {} : { types }),
        ...(description === undefined ? {} : { description }),
        ...(isEnabled ? { enabled: true, disabledReason: null } : {}),
        ...(enabled === false && webhook.enabled ? { enabled: false, disabledReason: 'user' } : {}),
      });
      await manager.save(webhook);
      return this.reveal(webhook);
    });
  }

  /** What was sent is removed by a job. */
  async delete(caller: Caller, id: string): Promise<void> {
    await this.change(caller, id, async (manager, webhook) => {
      await manager.delete(Webhook, { id: webhook.id });
      await this.erasure.begin(manager, { of: 'webhook' });
    });
  }

  /** The previous secret keeps signing for a day. */
  async rotateSecret(caller: Caller, id: string): Promise<IssuedWebhook> {
    return this.change(caller, id, async (manager, webhook) => ({
      ...this.reveal(webhook),
      secret: await this.secrets.create(manager, webhook.id),
    }));
  }

  /** Runs a change of one webhook, which nobody else changes meanwhile. */
  private async change<T>(
    caller: Caller,
    id: string,
    work: (manager: EntityManager, webhook: Webhook) => Promise<T>,
  ): Promise<T> {
    return transactionBy(this.dataSource, changedBy(caller), async (manager) =>
      work(manager, await requireWebhook(manager, caller, id, { lock: true })),
    );
  }

  private async insert(
    manager: EntityManager,
    caller: Caller,
    { types, description }: CreateWebhookDto,
    url: URL,
    owner: { readonly userId: string } | { readonly organizationId: string },
  ): Promise<IssuedWebhook> {
    if ((await manager.countBy(Webhook, owner)) >= LIMITS.webhooks) {
      const whose = 'userId' in owner ? 'A user' : 'An organization';
      throw new DomainError('CONFLICT', `${whose} can have at most ${LIMITS.webhooks} webhooks.`);
    }
    const id = newId();
    const webhook = manager.create(Webhook, {
      id,
      userId: null,
      organizationId: null,
      ...owner,
      createdBy: caller.id,
      ...this.secrets.sealUrl(id, url),
      urlVersion: 1,
      types,
      description: description ?? null,
      enabled: true,
      disabledReason: null,
      mailedAt: null,
      ...UNTRIED,
      createdAt: this.clock.now(),
    });
    await manager.insert(Webhook, webhook);
    return { webhook, url: url.href, secret: await this.secrets.create(manager, id) };
  }

  private reveal(webhook: Webhook): RevealedWebhook {
    return { webhook, url: this.secrets.revealUrl(webhook) };
  }

  private readUrl(text: string): URL {
    const url = this.outbound.read(text);
    if (!url) throw new DomainError('VALIDATION_ERROR', `url: ${OUTBOUND_URL_RULE}`);
    return url;
  }
}
