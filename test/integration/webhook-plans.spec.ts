import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { keyOf, member, organization, user } from '../factories/workspace.js';
import { DataSource } from 'typeorm';
import { claimDeliveries } from '../../src/modules/webhooks/delivery/deliveries.queries.js';
import { RequestsUnderWay } from '../../src/platform/outbound/requests-under-way.js';
import { REQUESTS } from '../../src/modules/webhooks/delivery/sender.service.js';
import { fill, readsOf, rowsIn } from '../support/plans.js';
import { startService, type TestService } from '../support/service.js';
import { createdWebhook } from '../support/webhooks.js';

/** Gives a user more webhooks. */
const OTHERS = `
  INSERT INTO webhooks SELECT (jsonb_populate_record(w, jsonb_build_object('id', gen_random_uuid()))).*
  FROM webhooks w, generate_series(1, 250) WHERE user_id = $1`;
/** The deliveries of a webhook: most delivered, a few failed, and a backlog of one that is not due yet. */
const DELIVERIES = `
  INSERT INTO webhook_deliveries (id, webhook_id, event_id, position, type, audience, recording_id, at, status, due_at, created_at)
  SELECT gen_random_uuid(), w.id, gen_random_uuid(), n,
         CASE WHEN n % 500 = 0 THEN 'folder.created' ELSE 'recording.updated' END, 'recording', gen_random_uuid(), now(),
         CASE WHEN n % 500 = 1 THEN 'failed' WHEN n % 20 = 2 THEN 'pending' ELSE 'delivered' END,
         now() + interval '1 hour', now() - n * interval '1 second'
  FROM (SELECT id FROM webhooks WHERE id = ANY ($1)) w, generate_series(1, 600) AS n`;

describe('webhooks, among 30,000 deliveries', () => {
  let service: TestService;
  let webhookId: string;
  const acme = organization('Acme', { members: [member('Ada', 'OWNER')] });
  const people = ['Ada', 'Ben', 'Cleo'].map((name) => user(name));

  beforeAll(async () => {
    service = await startService({ RATE_LIMIT_PER_MINUTE: '10000' });
    await service.import({ users: people, organizations: [acme] });
    for (const { name } of people) {
      await createdWebhook(service.api.as(keyOf(name)), { url: 'https://hooks.example.com/' });
    }
    await service.dataSource.query(OTHERS, [people[1]?.id]);
    const fields = { url: 'https://hooks.example.com/', organization_id: acme.id };
    await createdWebhook(service.api.as(keyOf('Ada')), fields);
    const [first] = (await service.api.as(keyOf('Ada')).get('/webhooks')).body.data;
    webhookId = first.id;
    const webhooks = await service.dataSource.query<{ id: string }[]>('SELECT id FROM webhooks LIMIT 50');
    const ids = new Set([webhookId, ...webhooks.map((webhook) => webhook.id)]);
    await fill(service.dataSource, ['webhook_deliveries'], [[DELIVERIES, [[...ids]]]]);
  }, 120_000);
  afterAll(() => service.stop());

  /** Rows that the statements of some work read from tables. */
  const rowsRead = async (work: () => Promise<unknown>): Promise<number> =>
    rowsIn(await readsOf(service.dataSource, work));
  const get = (path: string) => async (): Promise<void> => {
    const full = path.replace(':id', webhookId).replace(':organization', acme.id);
    expect((await service.api.as(keyOf('Ada')).get(`/webhooks${full}`)).status).toBe(200);
  };

  it.each([
    '?organization_id=:organization',
    '/:id/deliveries?limit=5',
    '/:id/deliveries?status=failed',
    '/:id/deliveries?type=folder.created',
    '/:id/deliveries?type=folder.created&status=failed',
  ])('GET /webhooks%s: reads only the rows of the page', async (path) => {
    expect(await rowsRead(get(path))).toBeLessThan(200);
  });

  it('a later page of deliveries reads only its rows', async () => {
    const { body } = await service.api.as(keyOf('Ada')).get(`/webhooks/${webhookId}/deliveries?limit=5`);
    const path = `/:id/deliveries?limit=5&cursor=${body.pagination.next_cursor}`;
    expect(await rowsRead(get(path))).toBeLessThan(200);
  });

  it('a sender that finds nothing due reads a row of each webhook', async () => {
    const { manager } = service.app.get(DataSource);
    const claim = () => claimDeliveries(manager, new RequestsUnderWay(REQUESTS), new Date());
    expect(await claim()).toEqual([]);
    expect(await rowsRead(claim)).toBeLessThan(500);
  });
});
