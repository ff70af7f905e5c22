import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { WEBHOOK_SECRETS } from '../../src/modules/webhooks/secrets/webhook-secrets.service.js';
import { WEBHOOK_URLS } from '../../src/modules/webhooks/secrets/webhook-urls.service.js';
import { changesOf } from '../support/changes.js';
import { KeyRing } from '../../src/platform/keys/key-ring.js';
import { Resealing } from '../../src/platform/resealing/resealing.js';
import { Sealer } from '../../src/platform/sealing/sealer.js';
import { keyOf, user } from '../factories/workspace.js';
import { startService, type TestService } from '../support/service.js';
import { createdWebhook } from '../support/webhooks.js';

const OLD = 'the sealing key of yesterday, of 32 characters';
const NEW = 'the sealing key of tomorrow, of 32 characters';

describe('secrets and URLs of webhooks', () => {
  let service: TestService;

  beforeAll(async () => {
    service = await startService({ SEALING_KEY: OLD });
    await service.import({ users: [user('Ada')] });
  });
  afterAll(() => service.stop());

  it('are sealed with the current key again, which is no change of the webhook, and the old key is retired', async () => {
    const { secret } = await createdWebhook(service.api.as(keyOf('Ada')), {
      url: 'https://hooks.example.com/',
    });
    const keys = [NEW, OLD].map((key) => ({ secret: key, from: 0, until: Infinity }));
    const sealer = new Sealer(new KeyRing(keys));
    await service.dataSource.query('INSERT INTO sealing_keys (id) VALUES ($1)', [sealer.keyId]);
    const logged = await changesOf(service.dataSource, async () => {
      const tables = [WEBHOOK_SECRETS, WEBHOOK_URLS];
      expect(await new Resealing(sealer, service.dataSource, tables).run()).toBe(2);
    });
    expect(logged).toEqual([]);
    const [row] = await service.dataSource.query('SELECT * FROM webhook_secrets');
    expect(row.sealing_key_id).toBe(sealer.keyId);
    const sealed = { sealed: row.secret_sealed, keyId: row.sealing_key_id };
    const alone = new Sealer(KeyRing.of(NEW));
    expect(alone.unseal(sealed, WEBHOOK_SECRETS.placeOf(row.id))).toBe(secret);
    const [webhook] = await service.dataSource.query('SELECT * FROM webhooks');
    const url = { sealed: webhook.url_sealed, keyId: webhook.sealing_key_id };
    expect(alone.unseal(url, WEBHOOK_URLS.placeOf(webhook.id))).toBe('https://hooks.example.com/');
    expect(await service.dataSource.query('SELECT id FROM sealing_keys')).toEqual([{ id: sealer.keyId }]);
  });
});
