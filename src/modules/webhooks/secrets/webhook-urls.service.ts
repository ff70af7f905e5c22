import { Injectable } from '@nestjs/common';
import type { SealedTexts } from '../../../platform/resealing/resealing.js';
import { Sealer } from '../../../platform/sealing/sealer.js';
import type { Webhook } from '../entities/webhook.entity.js';

/** For `Resealing`. In order of id, so that two cannot deadlock. */
export const WEBHOOK_URLS: SealedTexts = {
  next: `
    SELECT id, url_sealed AS sealed, sealing_key_id AS "keyId" FROM webhooks
    WHERE sealing_key_id <> $1 AND sealing_key_id = ANY ($2) AND id > $3 ORDER BY id LIMIT $4 FOR NO KEY UPDATE`,
  reseal: `
    UPDATE webhooks w SET url_sealed = given.sealed, sealing_key_id = $1
    FROM unnest($2::uuid[], $3::bytea[]) AS given (id, sealed) WHERE w.id = given.id`,
  constraint: 'webhooks_sealing_key_id_fkey',
  placeOf: (id) => `webhook url ${id}`,
};

/** The URLs of webhooks, which may contain a token: the database holds them only sealed, and scheme and host beside. */
@Injectable()
export class WebhookUrlsService {
  constructor(private readonly sealer: Sealer) {}

  seal(webhookId: string, url: URL): Pick<Webhook, 'urlSealed' | 'sealingKeyId' | 'urlMasked'> {
    const { sealed: urlSealed, keyId: sealingKeyId } = this.sealer.seal(
      url.href,
      WEBHOOK_URLS.placeOf(webhookId),
    );
    return { urlSealed, sealingKeyId, urlMasked: maskUrl(url) };
  }

  /** Null if the operator has given its key up. */
  reveal({ id, urlSealed, sealingKeyId }: Pick<Webhook, 'id' | 'urlSealed' | 'sealingKeyId'>): string | null {
    return this.sealer.unseal({ sealed: urlSealed, keyId: sealingKeyId }, WEBHOOK_URLS.placeOf(id));
  }
}

/** Such as `https://hooks.example.com/...`; the whole URL if there is nothing behind the host. */
const maskUrl = ({ href, origin }: URL): string => (href === `${origin}/` ? href : `${origin}/...`);
