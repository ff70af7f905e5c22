import { Injectable } from '@nestjs/common';
import { SEALED_TEXTS } from '../../../platform/sealing/sealed-texts.js';
import { Sealer } from '../../../platform/sealing/sealer.js';
import type { Webhook } from '../entities/webhook.entity.js';

const { placeOf } = SEALED_TEXTS.webhookUrls;

/** The URLs of webhooks, which may contain a token: the database holds them only sealed, and scheme and host beside. */
@Injectable()
export class WebhookUrlsService {
  constructor(private readonly sealer: Sealer) {}

  seal(webhookId: string, url: URL): Pick<Webhook, 'urlSealed' | 'sealingKeyId' | 'urlMasked'> {
    const { sealed: urlSealed, keyId: sealingKeyId } = this.sealer.seal(url.href, placeOf(webhookId));
    return { urlSealed, sealingKeyId, urlMasked: maskUrl(url) };
  }

  reveal({ id, urlSealed, sealingKeyId }: Pick<Webhook, 'id' | 'urlSealed' | 'sealingKeyId'>): string {
    return this.sealer.unseal({ sealed: urlSealed, keyId: sealingKeyId }, placeOf(id));
  }
}

/** Such as `https://hooks.example.com/...`; the whole URL if there is nothing behind the host. */
const maskUrl = ({ href, origin }: URL): string => (href === `${origin}/` ? href : `${origin}/...`);
