import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, In, IsNull, MoreThan, type Repository } from 'typeorm';
import { Clock } from '../../platform/clock/clock.js';
import { newId } from '../../platform/ids.js';
import { SEALED_TEXTS } from '../../platform/sealing/sealed-texts.js';
import { Sealer } from '../../platform/sealing/sealer.js';
import { newWebhookSecret } from './delivery/delivery-request.js';
import { type Webhook, WebhookSecret } from './entities/webhook.entity.js';
import { deletePreviousSecrets } from './webhooks.queries.js';
import { HOUR_MS } from '../../lib/durations.js';
import { LIMITS } from '../../contract/limits.js';

const { webhookSecrets, webhookUrls } = SEALED_TEXTS;

/** Where a webhook is sent, and with which headers of its own. Either may contain a token. */
export interface Endpoint {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

type SealedEndpoint = Pick<Webhook, 'urlSealed' | 'sealingKeyId' | 'urlMasked' | 'headerNames'>;

/** The secrets of webhooks and their endpoints: the database holds them only sealed. */
@Injectable()
export class WebhookSecretsService {
  constructor(
    @InjectRepository(WebhookSecret) private readonly secrets: Repository<WebhookSecret>,
    private readonly sealer: Sealer,
    private readonly clock: Clock,
  ) {}

  /** Gives the webhook a new secret; the one before keeps signing for `LIMITS.webhookSecretHours`. To be called with the webhook locked. */
  async create(manager: EntityManager, webhookId: string): Promise<string> {
    const now = this.clock.now();
    const secrets = manager.getRepository(WebhookSecret);
    const expiresAt = new Date(now.getTime() + LIMITS.webhookSecretHours * HOUR_MS);
    await secrets.update({ webhookId, expiresAt: IsNull() }, { expiresAt });
    await deletePreviousSecrets(manager, webhookId, { now, kept: LIMITS.webhookPreviousSecrets });
    const secret = newWebhookSecret();
    const id = newId();
    const { sealed, keyId } = this.sealer.seal(secret, webhookSecrets.contextOf(id));
    const stored = { secretSealed: sealed, sealingKeyId: keyId, createdAt: now, expiresAt: null };
    await secrets.insert({ id, webhookId, ...stored });
    return secret;
  }

  /** Returns the secrets that sign now by webhook, the current one first. */
  async reveal(webhookIds: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>> {
    const theirs = { webhookId: In([...new Set(webhookIds)]) };
    const rows = await this.secrets.find({
      where: [
        { ...theirs, expiresAt: IsNull() },
        { ...theirs, expiresAt: MoreThan(this.clock.now()) },
      ],
      order: { expiresAt: { direction: 'DESC', nulls: 'FIRST' }, id: 'DESC' },
    });
    const secrets = new Map<string, string[]>();
    for (const { id, webhookId, secretSealed: sealed, sealingKeyId: keyId } of rows) {
      const secret = this.sealer.unseal({ sealed, keyId }, webhookSecrets.contextOf(id));
      secrets.set(webhookId, [...(secrets.get(webhookId) ?? []), secret]);
    }
    return secrets;
  }

  /** Seals an endpoint; scheme and host of its URL, and the names of its headers, are stored beside. */
  sealEndpoint(webhookId: string, endpoint: Endpoint): SealedEndpoint {
    const headerNames = Object.keys(endpoint.headers);
    // A process of the previous version can read it unless it has headers.
    const text = headerNames.length === 0 ? endpoint.url : JSON.stringify(endpoint);
    const { sealed: urlSealed, keyId } = this.sealer.seal(text, webhookUrls.contextOf(webhookId));
    return { urlSealed, sealingKeyId: keyId, urlMasked: maskUrl(new URL(endpoint.url)), headerNames };
  }

  revealEndpoint({
    id,
    urlSealed,
    sealingKeyId,
  }: Pick<Webhook, 'id' | 'urlSealed' | 'sealingKeyId'>): Endpoint {
    const sealed = { sealed: urlSealed, keyId: sealingKeyId };
    const text = this.sealer.unseal(sealed, webhookUrls.contextOf(id));
    return text.startsWith('{') ? (JSON.parse(text) as Endpoint) : { url: text, headers: {} };
  }
}

/** Returns `https://hooks.example.com/...`, or the whole URL if there is nothing behind the host. */
const maskUrl = ({ href, origin }: URL): string => (href === `${origin}/` ? href : `${origin}/...`);
