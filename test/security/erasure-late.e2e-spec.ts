import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { keyOf, member, organization, ownDeletion, user } from '../factories/workspace.js';
import type { Client } from '../support/client.js';
import { allPublished } from '../support/events.js';
import type { TestService } from '../support/service.js';
import { WebhookReceiver } from '../support/webhook-receiver.js';
import { allSent, createdWebhook, deliveriesOf, startWithSender } from '../support/webhooks.js';

describe('what is still being written when its subject is deleted', () => {
  let service: TestService;
  let receiver: WebhookReceiver;
  let ada: Client;
  const acme = organization('Acme', { members: [member('Ada', 'OWNER')] });
  let names = 0;
  let late: { readonly id: string; readonly name: string; readonly email: string };

  beforeAll(async () => {
    receiver = await WebhookReceiver.start();
    service = await startWithSender();
    await service.import({ users: [user('Ada')], organizations: [acme] });
    ada = service.api.as(keyOf('Ada'));
  });
  beforeEach(async () => {
    names += 1;
    late = user(`Late${names}`);
    await service.import({ users: [late] });
  });
  afterAll(async () => {
    await service.stop();
    await receiver.stop();
  });

  it('leaves no address and no client of a request that ends after its user is gone', async () => {
    const source = { kind: 'user', userId: late.id, address: '203.0.113.9', client: 'late/1.0' };
    await service.dataSource.transaction(async (manager) => {
      await manager.query(`SELECT set_config('meeting_recordings.change_source', $1, true)`, [
        JSON.stringify(source),
      ]);
      await manager.query('UPDATE organizations SET name = name || $2 WHERE id = $1', [acme.id, ' Inc']);
      expect((await service.api.as(keyOf(late.name)).delete(ownDeletion(late.email))).status).toBe(200);
    });
    await allPublished(service);
    const details = await service.dataSource.query(
      'SELECT value, salt, commitment IS NOT NULL AS sealed FROM personal_details WHERE user_id = $1 AND change_id IN (SELECT id FROM change_log WHERE target_id = $2)',
      [late.id, acme.id],
    );
    const erased = { value: null, salt: null, sealed: true };
    expect(details).toEqual([erased, erased]);
  });

  it.each([
    ['member is removed', () => ada.delete(`/organizations/${acme.id}/members/${late.id}`)],
    ['user is deleted', () => service.api.as(keyOf(late.name)).delete(ownDeletion(late.email))],
  ])('leaves no delivery that is answered after its %s', async (_, remove) => {
    const path = `/late${names}`;
    const { id } = await createdWebhook(ada, {
      url: receiver.url(path),
      types: ['member.added'],
      organization_id: acme.id,
    });
    receiver.behaviour = (response) => void remove().then(() => response.end(receiver.received.at(-1)?.text));
    await service.dataSource.query(
      `INSERT INTO organization_members (organization_id, user_id, role) VALUES ($1, $2, 'EDITOR')`,
      [acme.id, late.id],
    );
    await allSent(service);
    expect(receiver.received.at(-1)?.text).toContain(late.name);
    const [delivery] = await deliveriesOf(ada, id);
    const { attempts } = (await ada.get(`/webhooks/${id}/deliveries/${delivery.id}`)).body.data;
    expect(attempts).toMatchObject([{ body: null, response_status: 200, response_body: null }]);
    await ada.delete(`/webhooks/${id}`);
  });
});
