import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { WebhookRetentionService } from '../../../src/modules/webhooks/webhook-retention.service.js';
import { keyOf, member, organization, recording, user } from '../../factories/workspace.js';
import { type Client, refusal } from '../../support/client.js';
import { eventually, type TestService } from '../../support/service.js';
import { isSigned, WebhookReceiver } from '../../support/webhook-receiver.js';
import { allSent, createdWebhook, deliveriesOf, startWithSender } from '../../support/webhooks.js';

describe('the history of a webhook', () => {
  let service: TestService;
  let receiver: WebhookReceiver;
  let ada: Client;
  const acme = organization('Acme', { members: [member('Ada', 'OWNER')] });
  const plan = recording('Ada', { organization: 'Acme', title: 'Plan' });

  beforeAll(async () => {
    service = await startWithSender();
    await service.import({ users: [user('Ada')], organizations: [acme], recordings: [plan] });
    ada = service.api.as(keyOf('Ada'));
  });
  beforeEach(async () => {
    await service.dataSource.query('DELETE FROM webhooks');
    await service.dataSource.query('DELETE FROM webhook_deliveries');
    await allSent(service);
    receiver = await WebhookReceiver.start();
  });
  // Not one for all tests: a request of the test before may still be under way.
  afterEach(() => receiver.stop());
  afterAll(() => service.stop());

  const rename = (title: string) => ada.patch(`/recordings/${plan.id}`, { title });

  it('shows what was really sent, and the beginning of what came back, whatever it is', async () => {
    const noise = Buffer.concat([
      Buffer.from('<b>\0\u202e'),
      Buffer.from([0xff, 0xc0]),
      Buffer.alloc(5_000, 'x'),
    ]);
    receiver.behaviour = { status: 200, body: noise };
    const { id } = await createdWebhook(ada, {
      url: `${new URL(receiver.url()).origin}/...`,
      types: ['recording.updated'],
    });
    await rename('Shown');
    await allSent(service);
    const [delivery] = await deliveriesOf(ada, id);
    const { body } = await ada.get(`/webhooks/${id}/deliveries/${delivery.id}`);
    expect(body.data.attempts).toEqual([
      {
        id: expect.any(String),
        at: expect.any(String),
        duration_ms: expect.any(Number),
        url: `${new URL(receiver.url()).origin}/...`,
        body: receiver.received[0]!.text,
        response_status: 200,
        response_body: expect.stringMatching(/^<b>\uFFFD\u202e\uFFFD\uFFFDx{900,1024}$/),
        error: null,
      },
    ]);
    const [row] = await service.dataSource.query('SELECT * FROM webhook_attempts');
    expect(JSON.stringify(row)).not.toMatch(/whsec_|v1,/);
  });

  it('has the URL masked, which is nowhere in the database, and shown one webhook at a time', async () => {
    const token = 'T0ken-of-the-receiver';
    const url = receiver.url(`/hooks/${token}?key=${token}`);
    const masked = `${new URL(url).origin}/...`;
    const { id } = await createdWebhook(ada, { url, types: ['recording.updated'] });
    await rename('Sent to a secret place');
    await allSent(service);
    const tables = await service.dataSource.query<{ name: string }[]>(
      `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public' AND table_type = 'BASE TABLE'`,
    );
    expect(tables.length).toBeGreaterThan(20);
    for (const { name } of tables) {
      const holding = `SELECT FROM "${name}" t WHERE t::text ~* $1 OR t::text ~* $2`;
      const found = await service.dataSource.query(holding, [token, Buffer.from(token).toString('hex')]);
      expect([name, found]).toEqual([name, []]);
    }
    const [delivery] = await deliveriesOf(ada, id);
    const { body } = await ada.get(`/webhooks/${id}/deliveries/${delivery.id}`);
    expect(body.data.attempts).toMatchObject([{ url: masked, response_status: 204 }]);
    expect((await ada.get('/webhooks')).body.data).toMatchObject([{ id, url: masked }]);
    expect((await ada.get(`/webhooks/${id}`)).body.data.url).toBe(url);
    // Sent back as the list shows it, it stays.
    expect((await ada.patch(`/webhooks/${id}`, { url: masked })).body.data.url).toBe(url);
  });

  it('is listed newest first, by status and type, in pages', async () => {
    const { id } = await createdWebhook(ada, { url: receiver.url(), types: ['recording.*', 'folder.*'] });
    await rename('one');
    await allSent(service);
    receiver.behaviour = { status: 500 };
    await rename('two');
    await ada.post(`/organizations/${acme.id}/folders`, { name: `Folder ${Date.now()}` });
    await eventually(async () => expect(receiver.received).toHaveLength(3));
    const types = async (query: string) => (await deliveriesOf(ada, id, query)).map(({ type }) => type);
    expect(await types('')).toEqual(['folder.created', 'recording.updated', 'recording.updated']);
    expect(await types('?status=pending')).toEqual(['folder.created', 'recording.updated']);
    expect(await types('?status=delivered')).toEqual(['recording.updated']);
    expect(await types('?type=folder.created')).toEqual(['folder.created']);
    expect(await types('?type=folder.created&status=delivered')).toEqual([]);
    const first = await ada.get(`/webhooks/${id}/deliveries?limit=2`);
    expect(first.body.pagination).toMatchObject({ limit: 2, has_more: true });
    const second = await ada.get(
      `/webhooks/${id}/deliveries?limit=2&cursor=${first.body.pagination.next_cursor}`,
    );
    expect(second.body.pagination).toMatchObject({ has_more: false, next_cursor: null });
    const all = await deliveriesOf(ada, id);
    expect([...first.body.data, ...second.body.data].map((one) => one.id)).toEqual(all.map((one) => one.id));
  });

  it('loses titles with the recording, and keeps ids', async () => {
    const doomed = await ada.post('/recordings', {
      title: 'Layoffs',
      media: 'none',
      organization_id: acme.id,
    });
    const recordingId = doomed.body.data.id;
    // Published before there is a webhook, which would get it too.
    await allSent(service);
    const { id } = await createdWebhook(ada, { url: receiver.url(), types: ['recording.*'] });
    await ada.patch(`/recordings/${recordingId}`, { title: 'Layoffs in May' });
    await allSent(service);
    expect(receiver.received[0]!.text).toContain('Layoffs in May');
    expect((await ada.delete(`/recordings/${recordingId}`)).status).toBe(200);
    await allSent(service);
    const rows = await service.dataSource.query(
      'SELECT a.body FROM webhook_attempts a JOIN webhook_deliveries d ON d.id = a.delivery_id ORDER BY a.at',
    );
    expect(JSON.stringify(rows)).not.toContain('Layoffs');
    const deliveries = await deliveriesOf(ada, id);
    expect(deliveries.map(({ type, recording_id: of }) => [type, of])).toEqual([
      ['recording.deleted', recordingId],
      ['recording.updated', recordingId],
    ]);
    expect(receiver.received.at(-1)!.body).toMatchObject({
      type: 'recording.deleted',
      data: { recording_id: recordingId, changes: null, recording: null },
    });
  });

  it('repeats a delivery with the same id and a valid signature', async () => {
    const { id, secret } = await createdWebhook(ada, { url: receiver.url(), types: ['recording.updated'] });
    await rename('again');
    await allSent(service);
    const [delivery] = await deliveriesOf(ada, id);
    const { status, body } = await ada.post(`/webhooks/${id}/deliveries/${delivery.id}/replay`);
    expect(status).toBe(202);
    expect(body.data).toMatchObject({ id: delivery.id, status: 'pending' });
    await allSent(service);
    const [first, second] = receiver.received;
    expect(second!.headers['webhook-id']).toBe(first!.headers['webhook-id']);
    expect(isSigned(second!, secret)).toBe(true);
    expect((await deliveriesOf(ada, id))[0]).toMatchObject({ status: 'delivered', attempt_count: 2 });
  });

  it('is not repeated for a webhook that is disabled', async () => {
    const { id } = await createdWebhook(ada, { url: receiver.url() });
    await allSent(service);
    const [delivery] = await deliveriesOf(ada, id);
    await ada.patch(`/webhooks/${id}`, { enabled: false });
    const { body } = await ada.post(`/webhooks/${id}/deliveries/${delivery.id}/replay`);
    expect(body).toEqual(
      refusal('CONFLICT', `The webhook is disabled; enable it first, with PATCH /api/v1/webhooks/${id}.`),
    );
  });

  it('has tests, also of a webhook that is disabled; at most five at a time', async () => {
    const { id, secret } = await createdWebhook(ada, {
      url: receiver.url('/t'),
      types: ['recording.deleted'],
    });
    await ada.patch(`/webhooks/${id}`, { enabled: false });
    expect((await ada.post(`/webhooks/${id}/test`)).status).toBe(202);
    await eventually(async () => expect(receiver.at('/t')).toHaveLength(1));
    expect(receiver.at('/t')).toEqual([
      {
        id: receiver.received[0]!.headers['webhook-id'],
        type: 'webhook.test',
        timestamp: expect.any(String),
        data: { webhook_id: id, organization_id: null },
        test: true,
      },
    ]);
    expect(isSigned(receiver.received[0]!, secret)).toBe(true);
    receiver.behaviour = 'hang';
    const statuses = await Promise.all(
      Array.from({ length: 7 }, async () => (await ada.post(`/webhooks/${id}/test`)).status),
    );
    expect(statuses.sort()).toEqual([202, 202, 202, 202, 202, 409, 409]);
  });

  it('says what a test of a type lacks, or which types there are', async () => {
    const { id } = await createdWebhook(ada, { url: receiver.url(), types: ['recording.deleted'] });
    const test = async (event_type: unknown) => (await ada.post(`/webhooks/${id}/test`, { event_type })).body;
    expect(await test('share_link.created')).toEqual(
      refusal(
        'CONFLICT',
        'event_type: there is no share link that a share_link.created of this webhook could be about; create one first, or test another type.',
      ),
    );
    expect((await test('recording.complete')).error.message).toMatch(/did you mean recording\.completed\?/);
  });

  it('has tests about what its organization has, and nothing from elsewhere', async () => {
    const diary = await ada.post('/recordings', { title: 'Diary', media: 'none' });
    const hook = { url: receiver.url('/acme'), organization_id: acme.id };
    const { id } = await createdWebhook(ada, hook);
    await allSent(service);
    receiver.received.length = 0;
    const { body } = await ada.post(`/webhooks/${id}/test`, { event_type: 'recording.failed' });
    expect(body.data).toMatchObject({ test: true, type: 'recording.failed', recording_id: plan.id });
    expect((await ada.post(`/webhooks/${id}/test`, { event_type: 'session.revoked' })).status).toBe(409);
    await allSent(service);
    expect(receiver.at('/acme')).toMatchObject([
      {
        type: 'recording.failed',
        test: true,
        data: { organization_id: acme.id, recording: { id: plan.id } },
      },
    ]);
    await ada.delete(`/recordings/${diary.body.data.id}`);
  });

  it('repeats what failed in a time, or all of it', async () => {
    const { id } = await createdWebhook(ada, { url: receiver.url(), types: ['recording.updated'] });
    for (const title of ['one', 'two', 'three']) await rename(title);
    await ada.post(`/webhooks/${id}/test`);
    await allSent(service);
    const statement = `UPDATE webhook_deliveries SET status = 'failed', created_at = now() - interval '2 hours'
       WHERE webhook_id = $1 AND position = (SELECT min(position) FROM webhook_deliveries WHERE webhook_id = $1)`;
    await service.dataSource.query(statement, [id]);
    receiver.received.length = 0;
    const [hours, seconds] = [3 * 3_600_000, 60_000].map((ms) => new Date(Date.now() - ms).toISOString());
    const replay = async (fields: object) => {
      const { status, body } = await ada.post(`/webhooks/${id}/deliveries/replay`, fields);
      await allSent(service);
      return [status, body.data ?? body.error.message, receiver.received.splice(0).length];
    };
    const replayed = (count: number) => ({ replayed: count, has_more: false, next_cursor: null });
    expect(await replay({ from: seconds, status: 'failed' })).toEqual([202, replayed(0), 0]);
    expect(await replay({ from: hours, status: 'failed' })).toEqual([202, replayed(1), 1]);
    expect(await replay({ from: hours, status: 'failed' })).toEqual([202, replayed(0), 0]);
    expect(await replay({ from: hours, to: seconds })).toEqual([202, replayed(1), 1]);
    expect(await replay({ from: seconds })).toEqual([202, replayed(2), 2]);
    expect(await replay({})).toEqual([
      400,
      expect.stringMatching(/^from: is required and must be an ISO/),
      0,
    ]);
    expect(await replay({ from: seconds, to: hours })).toEqual([400, 'from: must not be after to', 0]);
    await ada.patch(`/webhooks/${id}`, { enabled: false });
    expect(await replay({ from: hours })).toEqual([409, expect.stringMatching(/is disabled; enable it/), 0]);
  });

  it('repeats a thousand at a time, and goes on after them', async () => {
    const { id } = await createdWebhook(ada, { url: receiver.url(), types: ['recording.updated'] });
    await rename('many');
    await allSent(service);
    const copies = `INSERT INTO webhook_deliveries (id, webhook_id, event_id, position, type, audience, at, status, due_at, created_at)
       SELECT gen_random_uuid(), d.webhook_id, gen_random_uuid(), 0, d.type, d.audience, d.at, 'failed', d.due_at, d.created_at
       FROM webhook_deliveries d, generate_series(1, 1001) WHERE d.webhook_id = $1`;
    await service.dataSource.query(copies, [id]);
    // Not sent: only how many are queued is of interest.
    await service.dataSource.query(`UPDATE webhooks SET paused_until = now() + interval '1 hour'`);
    const path = `/webhooks/${id}/deliveries/replay`;
    const first = await ada.post(path, { from: '2026-01-01' });
    expect(first.body.data).toEqual({ replayed: 1000, has_more: true, next_cursor: expect.any(String) });
    const next = await ada.post(path, { from: '2026-01-01', cursor: first.body.data.next_cursor });
    expect(next.body.data).toEqual({ replayed: 2, has_more: false, next_cursor: null });
  });

  it('carries a signature with the previous secret too, for a day after a rotation', async () => {
    const { id, secret } = await createdWebhook(ada, { url: receiver.url(), types: ['recording.updated'] });
    const rotated = (await ada.post(`/webhooks/${id}/rotate-secret`)).body.data.secret;
    await rename('rotated');
    await allSent(service);
    const [both] = receiver.received;
    expect(both!.headers['webhook-signature']!.split(' ')).toHaveLength(2);
    expect([isSigned(both!, secret), isSigned(both!, rotated)]).toEqual([true, true]);
    await service.dataSource.query(
      `UPDATE webhook_secrets SET expires_at = now() - interval '1 second' WHERE expires_at IS NOT NULL`,
    );
    await rename('a day later');
    await allSent(service);
    const later = receiver.received[1]!;
    expect([isSigned(later, secret), isSigned(later, rotated)]).toEqual([false, true]);
  });

  it('is removed after 30 days, and with the webhook', async () => {
    const [old, gone] = [
      await createdWebhook(ada, { url: receiver.url('/old') }),
      await createdWebhook(ada, { url: receiver.url('/gone') }),
    ];
    await rename('old');
    await allSent(service);
    await service.dataSource.query(
      `UPDATE webhook_deliveries SET created_at = now() - interval '30 days 1 minute'
       WHERE webhook_id = $1 AND type = 'recording.updated'`,
      [old.id],
    );
    await service.dataSource.query('DELETE FROM webhooks WHERE id = $1', [gone.id]);
    await service.app.get(WebhookRetentionService).run();
    const left = await service.dataSource.query(
      'SELECT DISTINCT webhook_id AS id, type FROM webhook_deliveries ORDER BY type',
    );
    expect(
      left.every(
        (row: { id: string; type: string }) => row.id === old.id && row.type !== 'recording.updated',
      ),
    ).toBe(true);
    expect(left.length).toBeGreaterThan(0);
    const orphans = await service.dataSource.query(
      'SELECT FROM webhook_attempts a WHERE NOT EXISTS (SELECT FROM webhook_deliveries d WHERE d.id = a.delivery_id)',
    );
    expect(orphans).toEqual([]);
  });
});
