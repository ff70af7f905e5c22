import { Injectable } from '@nestjs/common';
import type { SealedTexts } from '../../../platform/resealing/resealing.js';
import { Sealer } from '../../../platform/sealing/sealer.js';
import type { Webhook } from '../entities/webhook.entity.js';

/** For `Resealing`. */
export const WEBHOOK_URLS: SealedTexts = {
  table: 'webhooks',
  column: 'url_sealed',
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
