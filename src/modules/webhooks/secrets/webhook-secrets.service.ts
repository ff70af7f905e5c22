import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource, EntityManager } from 'typeorm';
import { Clock } from '../../../platform/clock.js';
import { newId } from '../../../platform/ids.js';
import { SEALED_TEXTS } from '../../../platform/sealing/sealed-texts.js';
import { Sealer } from '../../../platform/sealing/sealer.js';
import { newWebhookSecret } from '../delivery/signature.js';
import type { Webhook } from '../entities/webhook.entity.js';
import { WebhookSecret } from '../entities/webhook-secret.entity.js';

/** How long the previous secret keeps signing. */
const OVERLAP_MS = 24 * 60 * 60 * 1000;
/** Previous secrets that sign besides the current one, if it is rotated several times. */
const MOST_PREVIOUS = 4;

const END_CURRENT = 'UPDATE webhook_secrets SET expires_at = $2 WHERE webhook_id = $1 AND expires_at IS NULL';

const FORGET = `
  DELETE FROM webhook_secrets WHERE webhook_id = $1 AND (expires_at <= $2 OR id IN (
    SELECT id FROM webhook_secrets WHERE webhook_id = $1 AND expires_at IS NOT NULL
    ORDER BY expires_at DESC, id DESC OFFSET ${MOST_PREVIOUS}))`;

/** The current one first. */
const SIGNING = `
  SELECT id, webhook_id AS "webhookId", secret_sealed AS "secretSealed", sealing_key_id AS "sealingKeyId"
  FROM webhook_secrets WHERE webhook_id = ANY ($1) AND coalesce(expires_at > $2, true)
  ORDER BY webhook_id, expires_at DESC NULLS FIRST, id DESC`;

const { webhookSecrets, webhookUrls } = SEALED_TEXTS;

/** The secrets of webhooks and their URLs, which may contain a token: the database holds them only sealed. */
@Injectable()
export class WebhookSecretsService {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly sealer: Sealer,
    private readonly clock: Clock,
  ) {}

  /** Gives the webhook a new secret; the one before keeps signing for a day. To be called with the webhook locked. */
  async create(manager: EntityManager, webhookId: string): Promise<string> {
    const now = this.clock.now();
    await manager.query(END_CURRENT, [webhookId, new Date(now.getTime() + OVERLAP_MS)]);
    await manager.query(FORGET, [webhookId, now]);
    const secret = newWebhookSecret();
    const id = newId();
    const { sealed: secretSealed, keyId: sealingKeyId } = this.sealer.seal(
      secret,
      webhookSecrets.placeOf(id),
    );
    await manager.insert(WebhookSecret, {
      id,
      webhookId,
      secretSealed,
      sealingKeyId,
      createdAt: now,
      expiresAt: null,
    });
    return secret;
  }

  /** The secrets that sign now, by webhook. */
  async reveal(webhookIds: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>> {
    const rows: WebhookSecret[] = await this.dataSource.query(SIGNING, [
      [...new Set(webhookIds)],
      this.clock.now(),
    ]);
    const secrets = new Map<string, string[]>();
    for (const { id, webhookId, secretSealed: sealed, sealingKeyId: keyId } of rows) {
      const secret = this.sealer.unseal({ sealed, keyId }, webhookSecrets.placeOf(id));
      secrets.set(webhookId, [...(secrets.get(webhookId) ?? []), secret]);
    }
    return secrets;
  }

  /** Scheme and host are stored beside. */
  sealUrl(webhookId: string, url: URL): Pick<Webhook, 'urlSealed' | 'sealingKeyId' | 'urlMasked'> {
    const { sealed: urlSealed, keyId } = this.sealer.seal(url.href, webhookUrls.placeOf(webhookId));
    return { urlSealed, sealingKeyId: keyId, urlMasked: maskUrl(url) };
  }

  revealUrl({ id, urlSealed, sealingKeyId }: Pick<Webhook, 'id' | 'urlSealed' | 'sealingKeyId'>): string {
    return this.sealer.unseal({ sealed: urlSealed, keyId: sealingKeyId }, webhookUrls.placeOf(id));
  }
}

/** Such as `https://hooks.example.com/...`; the whole URL if there is nothing behind the host. */
const maskUrl = ({ href, origin }: URL): string => (href === `${origin}/` ? href : `${origin}/...`);
