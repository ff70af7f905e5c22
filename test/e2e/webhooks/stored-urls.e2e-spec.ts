import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { keyOf, recording, user } from '../../factories/workspace.js';
import { type TestService } from '../../support/service.js';
import { WebhookReceiver } from '../../support/webhook-receiver.js';
import { allSent, createdWebhook, deliveriesOf, startWithSender } from '../../support/webhooks.js';

const TOKEN = 'T0ken-of-the-receiver';

describe('the URL of a webhook, which may contain a token,', () => {
  let service: TestService;
  let receiver: WebhookReceiver;
  let url: string;
  let masked: string;
  let id: string;
  const own = recording('Ada');

  beforeAll(async () => {
    receiver = await WebhookReceiver.start();
    url = receiver.url(`/hooks/${TOKEN}?key=${TOKEN}`);
    masked = `${new URL(url).origin}/...`;
    service = await startWithSender();
    await service.import({ users: [user('Ada')], recordings: [own] });
    ({ id } = await createdWebhook(ada(), { url, types: ['recording.*'] }));
    await ada().patch(`/recordings/${own.id}`, { title: 'New' });
    await allSent(service);
  });
  afterAll(async () => {
    await service.stop();
    await receiver.stop();
  });

  const ada = () => service.api.as(keyOf('Ada'));

  it('is nowhere in the database', async () => {
    const tables = await service.dataSource.query<{ name: string }[]>(
      `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public' AND table_type = 'BASE TABLE'`,
    );
    const holding = [];
    for (const { name } of tables) {
      const [{ found }] = await service.dataSource.query(
        `SELECT count(*)::int AS found FROM "${name}" t WHERE t::text ~* $1 OR t::text ~* $2`,
        [TOKEN, Buffer.from(TOKEN).toString('hex')],
      );
      if (found > 0) holding.push(name);
    }
    expect(tables.length).toBeGreaterThan(20);
    expect(holding).toEqual([]);
  });

  it('is shown to those who manage the webhook, one at a time', async () => {
    expect((await ada().get(`/webhooks/${id}`)).body.data.url).toBe(url);
    expect((await ada().patch(`/webhooks/${id}`, { description: 'CRM' })).body.data.url).toBe(url);
    expect((await ada().post(`/webhooks/${id}/rotate-secret`)).body.data.url).toBe(url);
  });

  it('is masked in the list and in the history', async () => {
    expect((await ada().get('/webhooks')).body.data).toMatchObject([{ id, url: masked }]);
    const [delivery] = await deliveriesOf(ada(), id);
    const { body } = await ada().get(`/webhooks/${id}/deliveries/${delivery.id}`);
    expect(body.data.attempts).toMatchObject([{ url: masked, response_status: 204 }]);
  });

  it('stays when it is sent back as the list shows it', async () => {
    expect((await ada().patch(`/webhooks/${id}`, { url: masked })).body.data.url).toBe(url);
  });
});
