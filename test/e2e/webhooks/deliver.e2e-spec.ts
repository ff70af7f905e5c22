import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { emailOf, folder, keyOf, member, organization, recording, user } from '../../factories/workspace.js';
import { eventually, type TestService } from '../../support/service.js';
import { isSigned, WebhookReceiver } from '../../support/webhook-receiver.js';
import { allSent, createdWebhook, deliveriesOf, startWithSender } from '../../support/webhooks.js';

describe('a webhook', () => {
  let service: TestService;
  let receiver: WebhookReceiver;
  const [ada, grace, linus] = [user('Ada'), user('Grace'), user('Linus')];
  const board = folder('Board', { restrictedTo: [emailOf('Grace')] });
  const acme = organization('Acme', {
    members: [member('Ada', 'OWNER'), member('Grace', 'ADMIN'), member('Linus', 'EDITOR')],
    folders: [board],
  });
  const beta = organization('Beta', { members: [member('Ada', 'OWNER')] });
  const plan = recording('Ada', { organization: 'Acme', folder: 'Board', title: 'Plan' });
  const own = recording('Ada', { title: 'Diary' });

  beforeAll(async () => {
    service = await startWithSender();
    await service.import({
      users: [ada, grace, linus],
      organizations: [acme, beta],
      recordings: [plan, own],
    });
    await allSent(service);
  });
  beforeEach(async () => {
    await service.dataSource.query('DELETE FROM webhooks');
    await allSent(service);
    receiver = await WebhookReceiver.start();
  });
  // Not one for all tests: a request of the test before may still be under way.
  afterEach(async () => {
    service.setNow(null);
    await receiver.stop();
  });
  afterAll(() => service.stop());

  const as = (name: string) => service.api.as(keyOf(name));
  /** What has failed once is tried again after five seconds. */
  async function afterFailure(): Promise<void> {
    service.setNow(new Date(Date.now() + 6_000));
    await allSent(service);
  }
  const rename = (id: string, title: string) => as('Ada').patch(`/recordings/${id}`, { title });

  it('is sent tests, events and replays with the headers of its own, until they are removed', async () => {
    const headers = { authorization: 'Bearer s3cr3t', 'X-Tenant': 'Zürich' };
    const { id } = await createdWebhook(as('Ada'), {
      url: receiver.url(),
      types: ['recording.updated'],
      headers,
    });
    await as('Ada').post(`/webhooks/${id}/test`);
    await allSent(service);
    await rename(plan.id, 'Headers');
    await allSent(service);
    const [newest] = await deliveriesOf(as('Ada'), id);
    await as('Ada').post(`/webhooks/${id}/deliveries/${newest.id}/replay`);
    await allSent(service);
    expect(receiver.received.map(({ headers: sent }) => [sent['authorization'], sent['x-tenant']])).toEqual(
      Array.from({ length: 3 }, () => ['Bearer s3cr3t', 'Zürich']),
    );
    const shown = (await as('Ada').get(`/webhooks/${id}/deliveries/${newest.id}`)).body;
    expect(JSON.stringify(shown)).not.toContain('s3cr3t');
    await as('Ada').patch(`/webhooks/${id}`, { headers: null });
    await as('Ada').post(`/webhooks/${id}/test`);
    await allSent(service);
    expect(receiver.received.at(-1)!.headers).not.toHaveProperty('authorization');
  });

  it('of an organization is not sent what is elsewhere, even if the member responsible sees it there', async () => {
    const { body } = await as('Ada').post('/recordings', {
      title: 'Draft',
      media: 'none',
      organization_id: acme.id,
    });
    const { id } = body.data;
    await allSent(service);
    await createdWebhook(as('Ada'), { url: receiver.url('/acme'), organization_id: acme.id });
    await createdWebhook(as('Ada'), { url: receiver.url('/ada') });
    await rename(id, 'Plans');
    await as('Ada').patch(`/recordings/${id}`, { organization_id: beta.id, title: 'Salaries' });
    await allSent(service);
    const moved = (path: string) =>
      receiver.at(path).filter(({ type }: { readonly type: string }) => type === 'recording.moved');
    expect(moved('/acme')).toEqual([
      expect.objectContaining({
        data: expect.objectContaining({ recording_id: id, recording: null, changes: null }),
      }),
    ]);
    expect(JSON.stringify(receiver.at('/acme'))).not.toMatch(new RegExp(`Salaries|${beta.id}`));
    expect(moved('/ada')).toContainEqual(
      expect.objectContaining({
        data: expect.objectContaining({
          organization_id: beta.id,
          recording: expect.objectContaining({ title: 'Salaries' }),
          changes: expect.objectContaining({ before: { organization_id: acme.id } }),
        }),
      }),
    );
  });

  it('is sent an event, as its user sees it now, signed by the Standard Webhooks specification', async () => {
    const { id, secret } = await createdWebhook(as('Ada'), {
      url: receiver.url('/ada?key=1'),
      types: ['recording.*'],
    });
    await rename(plan.id, 'Budget');
    await allSent(service);
    const [one, ...others] = receiver.received;
    expect(others).toEqual([]);
    const { data: listed } = (await as('Ada').get('/events?types=recording.updated')).body;
    expect(one!.body).toEqual({
      id: listed.at(-1).id,
      type: 'recording.updated',
      timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
      data: {
        organization_id: acme.id,
        recording_id: plan.id,
        actor: { kind: 'user', id: ada.id, service_account: null },
        changes: { fields: ['title'] },
        recording: expect.objectContaining({
          id: plan.id,
          title: 'Budget',
          owner: { id: ada.id, name: null },
        }),
      },
    });
    expect(listed.at(-1).data.recording.owner).toEqual({ id: ada.id, name: 'Ada' });
    expect(one!.headers).toMatchObject({
      'webhook-id': one!.body.id,
      'content-type': 'application/json',
      'user-agent': 'meeting-recording-service',
    });
    expect(one!.path).toBe('/ada?key=1');
    expect(isSigned(one!, secret)).toBe(true);
    expect(isSigned({ ...one!, text: `${one!.text} ` }, secret)).toBe(false);
    const [delivery] = await deliveriesOf(as('Ada'), id);
    expect(delivery).toMatchObject({
      event_id: one!.body.id,
      type: 'recording.updated',
      status: 'delivered',
      attempt_count: 1,
      response_status: 204,
    });
  });

  it('of a user is sent what the user sees in all organizations, and nothing else', async () => {
    await createdWebhook(as('Ada'), { url: receiver.url('/ada') });
    await createdWebhook(as('Linus'), { url: receiver.url('/linus') });
    await allSent(service);
    receiver.received.length = 0;
    await rename(own.id, 'My diary');
    await rename(plan.id, 'Secret plan');
    await as('Ada').post(`/organizations/${beta.id}/folders`, { name: 'Sales' });
    await as('Ada').post(`/organizations/${acme.id}/folders`, { name: 'Sales' });
    await allSent(service);
    // Only the events of one recording are sent in their order.
    expect(receiver.types('/ada').sort()).toEqual([
      'folder.created',
      'folder.created',
      'recording.updated',
      'recording.updated',
    ]);
    expect(receiver.types('/linus')).toEqual(['folder.created']);
    expect(receiver.received.some(({ path, text }) => path === '/linus' && text.includes('plan'))).toBe(
      false,
    );
  });

  it('of an organization is sent only its events', async () => {
    await createdWebhook(as('Grace'), { url: receiver.url('/acme'), organization_id: acme.id });
    await rename(own.id, 'Diary 2');
    await rename(plan.id, 'Plan 2');
    await allSent(service);
    expect(receiver.types('/acme')).toEqual(['webhook.created', 'recording.updated']);
  });

  it('is sent ids only of what its user may no longer see when it is sent', async () => {
    const { id } = await createdWebhook(as('Linus'), { url: receiver.url('/linus'), types: ['recording.*'] });
    const shared = await as('Linus').post('/recordings', {
      title: 'Salaries',
      organization_id: acme.id,
      media: 'none',
    });
    expect(shared.status).toBe(201);
    await allSent(service);
    receiver.received.length = 0;
    receiver.behaviour = { status: 500 };
    await as('Linus').patch(`/recordings/${shared.body.data.id}`, { title: 'Salaries of 2027' });
    await allSent(service);
    expect(receiver.at('/linus')).toHaveLength(1);
    await as('Ada').patch(`/recordings/${shared.body.data.id}`, { title: 'For managers' });
    expect((await as('Ada').delete(`/organizations/${acme.id}/members/${linus.id}`)).status).toBe(200);
    receiver.behaviour = { status: 204 };
    await afterFailure();
    expect(await deliveriesOf(as('Linus'), id, '?status=pending')).toEqual([]);
    const later = receiver.received.slice(1);
    expect(later.length).toBeGreaterThan(0);
    for (const { body, text } of later) {
      expect(body.data).toMatchObject({
        organization_id: acme.id,
        recording_id: shared.body.data.id,
        changes: null,
      });
      expect(text).not.toMatch(/Salaries|managers/);
    }
  });

  it('is sent events of one recording in their order, a failed one before the next', async () => {
    const { id } = await createdWebhook(as('Ada'), {
      url: receiver.url('/ada'),
      types: ['recording.updated'],
    });
    receiver.next = [{ status: 500 }];
    for (const title of ['one', 'two', 'three', 'four', 'five']) await rename(plan.id, title);
    await rename(own.id, 'other');
    await eventually(async () => {
      const tried = (await deliveriesOf(as('Ada'), id)).filter((one) => one.attempt_count > 0);
      expect(tried).toHaveLength(2);
    });
    await afterFailure();
    expect(receiver.at('/ada')).toHaveLength(7);
    const order = receiver.at('/ada').map(({ data }) => data.recording_id);
    const positions = await service.dataSource.query(
      `SELECT d.event_id FROM webhook_deliveries d WHERE recording_id = $1 ORDER BY position`,
      [plan.id],
    );
    const ids = receiver.received
      .filter(({ body }) => body.data.recording_id === plan.id)
      .map(({ headers }) => headers['webhook-id']);
    const expected = positions.slice(-5).map(({ event_id }: { event_id: string }) => event_id);
    expect(ids).toEqual([expected[0], ...expected]);
    // The other recording does not wait.
    expect(order.indexOf(own.id)).toBeLessThanOrEqual(2);
  });
});
