import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { DataSource, type EntityManager, IsNull, Not, type Repository } from 'typeorm';
import { requireReachOfAll } from '../api-keys/public/key-requirements.js';
import { conflict, invalid } from '../../contract/domain-error.js';
import { LIMITS } from '../../contract/limits.js';
import { Clock } from '../../platform/clock/clock.js';
import { transactionBy } from '../../platform/database/transaction-by.js';
import { ReplyChecks } from '../../platform/idempotency/reply-checks.service.js';
import { newId } from '../../platform/ids.js';
import { type Caller, changedBy } from '../../policy/caller.js';
import { isManager } from '../../policy/management.js';
import { reachesWebhooks } from '../../policy/reach.js';
import { ErasureService } from '../erasure/erasure.service.js';
import { OrganizationTransactions } from '../organizations/organization-transactions.service.js';
import { OrganizationsService } from '../organizations/organizations.service.js';
import { requireRole } from '../organizations/public/organization-requirements.queries.js';
import { lockUser } from '../users/public/users.queries.js';
import type { CreateWebhookDto, UpdateWebhookDto } from './dto/webhook.request.dto.js';
import { WebhookDelivery } from './entities/webhook-delivery.entity.js';
import { Webhook } from './entities/webhook.entity.js';
import { WebhookSecretsService } from './webhook-secrets.service.js';
import { MANAGE_WEBHOOKS, OPENING, requireWebhook } from './webhook-access.js';

/** A webhook with its URL, for those who manage it. */
export interface RevealedWebhook {
  readonly webhook: Webhook;
  readonly url: string;
}

/** A webhook with its secret, which is known only when it is made. */
export interface IssuedWebhook extends RevealedWebhook {
  readonly secret: string;
}

/** The state of a receiver of which nothing is known: enabling and a new address reset it. */
const UNTRIED = { failingSince: null, succeededAt: null, pausedUntil: null };

/** Webhooks of users and organizations. */
@Injectable()
export class WebhooksService implements OnModuleInit {
  constructor(
    private readonly dataSource: DataSource,
    @InjectRepository(Webhook) private readonly webhooks: Repository<Webhook>,
    private readonly secrets: WebhookSecretsService,
    private readonly organizations: OrganizationsService,
    private readonly transactions: OrganizationTransactions,
    private readonly erasure: ErasureService,
    private readonly replies: ReplyChecks,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.replies.decideBy(OPENING, (caller: Caller, { id }) => this.get(caller, id));
  }

  /** Returns the caller's own webhooks, or those of an organization that the caller manages; oldest first. */
  async list(caller: Caller, organizationId: string | undefined): Promise<Webhook[]> {
    if (organizationId !== undefined) {
      const role = await this.organizations.requireMember(caller, organizationId);
      requireRole({ id: organizationId, actor: { role } }, MANAGE_WEBHOOKS, isManager);
    }
    if (!reachesWebhooks(caller.apiKey, organizationId ?? null)) return [];
    return this.webhooks.find({
      where: organizationId === undefined ? { userId: caller.id } : { organizationId },
      order: { createdAt: 'ASC', id: 'ASC' },
    });
  }

  async get(caller: Caller, id: string): Promise<RevealedWebhook> {
    return this.reveal(await requireWebhook(this.webhooks.manager, caller, id));
  }

  /** Creates a webhook. 409 `CONFLICT` if the user or the organization has 20 already. */
  async create(caller: Caller, input: CreateWebhookDto): Promise<IssuedWebhook> {
    const { organization_id: organizationId } = input;
    if (organizationId === undefined || organizationId === null) {
      requireReachOfAll(caller, 'create a webhook without organization_id');
      return transactionBy(this.dataSource, changedBy(caller), async (manager) => {
        await lockUser(manager, caller.id);
        return this.insert(manager, caller, input, { userId: caller.id });
      });
    }
    return this.transactions.change(caller, organizationId, async (manager, { id, actor }) => {
      requireRole({ id, actor }, MANAGE_WEBHOOKS, isManager);
      return this.insert(manager, caller, input, { organizationId: id });
    });
  }

  /** Changes a webhook. A user who enables one of an organization, or moves it, is responsible for it from then on. */
  async update(caller: Caller, id: string, change: UpdateWebhookDto): Promise<RevealedWebhook> {
    const { url: text, headers, types, description, enabled } = change;
    const url = text === undefined ? undefined : new URL(text);
    return this.change(caller, id, async (manager, webhook) => {
      const known = this.secrets.revealEndpoint(webhook);
      // As a list shows it, it is the URL that the webhook has.
      const isNew = url !== undefined && ![webhook.urlMasked, known.url].includes(url.href);
      const hasMoved = isNew && url.origin !== new URL(known.url).origin;
      // Whoever manages it next could otherwise have the values sent to a server of theirs.
      if (hasMoved && headers === undefined && webhook.headerNames.length > 0)
        throw invalid('headers: must be given again with a url of another host, or null to remove them');
      const endpoint = {
        url: isNew ? url.href : known.url,
        headers: headers === undefined ? known.headers : (headers ?? {}),
      };
      const isEnabled = enabled === true && !webhook.enabled;
      if (isEnabled && webhook.disabledReason === 'creator_left') {
        // What waits was queued for the previous reader. The new one can replay each delivery.
        const waiting = { webhookId: webhook.id, status: 'pending', position: Not(IsNull()) } as const;
        const dropped = { status: 'failed', endedAt: this.clock.now(), claim: null } as const;
        await manager.getRepository(WebhookDelivery).update(waiting, dropped);
      }
      Object.assign(webhook, {
        ...(isNew || isEnabled ? UNTRIED : {}),
        ...(isNew || headers !== undefined
          ? { ...this.secrets.sealEndpoint(webhook.id, endpoint), urlVersion: webhook.urlVersion + 1 }
          : {}),
        ...(isNew || isEnabled ? { createdBy: caller.id } : {}),
        ...(types === undefined ? {} : { types }),
        ...(description === undefined ? {} : { description }),
        ...(isEnabled ? { enabled: true, disabledReason: null } : {}),
        ...(enabled === false && webhook.enabled ? { enabled: false, disabledReason: 'user' } : {}),
      });
      await manager.getRepository(Webhook).save(webhook);
      return this.reveal(webhook);
    });
  }

  /** Deletes a webhook; a job removes what was sent. */
  async delete(caller: Caller, id: string): Promise<void> {
    await this.change(caller, id, async (manager, webhook) => {
      await manager.getRepository(Webhook).delete({ id: webhook.id });
      await this.erasure.begin(manager, { of: 'webhook' });
    });
  }

  /** Issues a new secret; the previous one keeps signing for a day. */
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
    { url: text, headers, types, description }: CreateWebhookDto,
    owner: { readonly userId: string } | { readonly organizationId: string },
  ): Promise<IssuedWebhook> {
    const webhooks = manager.getRepository(Webhook);
    if ((await webhooks.countBy(owner)) >= LIMITS.webhooks) {
      const whose = 'userId' in owner ? 'A user' : 'An organization';
      throw conflict(`${whose} can have at most ${LIMITS.webhooks} webhooks; delete one first.`);
    }
    const id = newId();
    const url = new URL(text).href;
    const webhook = webhooks.create({
      id,
      userId: null,
      organizationId: null,
      ...owner,
      createdBy: caller.id,
      ...this.secrets.sealEndpoint(id, { url, headers: headers ?? {} }),
      urlVersion: 1,
      types,
      description: description ?? null,
      enabled: true,
      disabledReason: null,
      mailedAt: null,
      ...UNTRIED,
      createdAt: this.clock.now(),
    });
    await webhooks.insert(webhook);
    return { webhook, url, secret: await this.secrets.create(manager, id) };
  }

  private reveal(webhook: Webhook): RevealedWebhook {
    return { webhook, url: this.secrets.revealEndpoint(webhook).url };
  }
}
