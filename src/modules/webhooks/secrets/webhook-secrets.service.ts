import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, IsNull, MoreThan, type EntityManager, type Repository } from 'typeorm';
import { Clock } from '../../../platform/clock/clock.js';
import { newId } from '../../../platform/ids.js';
import { SEALED_TEXTS } from '../../../platform/sealing/sealed-texts.js';
import { Sealer } from '../../../platform/sealing/sealer.js';
import { newWebhookSecret } from '../delivery/signature.js';
import type { Webhook } from '../entities/webhook.entity.js';
import { WebhookSecret } from '../entities/webhook-secret.entity.js';
import { deletePreviousSecrets } from '../webhooks.queries.js';

/** The time for which the previous secret keeps signing. */
const OVERLAP_MS = 24 * 60 * 60 * 1000;
/** Previous secrets that sign besides the current one, if it is rotated several times. */
const MAX_PREVIOUS = 4;

const { webhookSecrets, webhookUrls } = SEALED_TEXTS;

/** The secrets of webhooks and their URLs, which may contain a token: the database holds them only sealed. */
@Injectable()
export class WebhookSecretsService {
  constructor(
    @InjectRepository(WebhookSecret) private readonly secrets: Repository<WebhookSecret>,
    private readonly sealer: Sealer,
    private readonly clock: Clock,
  ) {}

  /** Gives the webhook a new secret; the one before keeps signing for a day. To be called with the webhook locked. */
  async create(manager: EntityManager, webhookId: string): Promise<string> {
    const now = this.clock.now();
    const secrets = manager.getRepository(WebhookSecret);
    const expiresAt = new Date(now.getTime() + OVERLAP_MS);
    await secrets.update({ webhookId, expiresAt: IsNull() }, { expiresAt });
    await deletePreviousSecrets(manager, webhookId, { now, kept: MAX_PREVIOUS });
    const secret = newWebhookSecret();
    const id = newId();
    const { sealed: secretSealed, keyId: sealingKeyId } = this.sealer.seal(
      secret,
      webhookSecrets.placeOf(id),
    );
    await secrets.insert({
      id,
      webhookId,
      secretSealed,
      sealingKeyId,
      createdAt: now,
      expiresAt: null,
    });
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
      const secret = this.sealer.unseal({ sealed, keyId }, webhookSecrets.placeOf(id));
      secrets.set(webhookId, [...(secrets.get(webhookId) ?? []), secret]);
    }
    return secrets;
  }

  /** Seals a URL; its scheme and host are stored beside. */
  sealUrl(webhookId: string, url: URL): Pick<Webhook, 'urlSealed' | 'sealingKeyId' | 'urlMasked'> {
    const { sealed: urlSealed, keyId } = this.sealer.seal(url.href, webhookUrls.placeOf(webhookId));
    return { urlSealed, sealingKeyId: keyId, urlMasked: maskUrl(url) };
  }

  revealUrl({ id, urlSealed, sealingKeyId }: Pick<Webhook, 'id' | 'urlSealed' | 'sealingKeyId'>): string {
    return this.sealer.unseal({ sealed: urlSealed, keyId: sealingKeyId }, webhookUrls.placeOf(id));
  }
}

/** Returns `https://hooks.example.com/...`, or the whole URL if there is nothing behind the host. */
const maskUrl = ({ href, origin }: URL): string => (href === `${origin}/` ? href : `${origin}/...`);
