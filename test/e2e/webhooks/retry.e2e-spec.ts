import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { keyOf, member, organization, recording, user } from '../../factories/workspace.js';
import type { Client } from '../../support/client.js';
import { eventually } from '../../support/service.js';
import { SmtpServer } from '../../support/smtp.js';
import { WebhookReceiver } from '../../support/webhook-receiver.js';
import {
  allSent,
  createdWebhook,
  deliveriesOf,
  startWithSender,
  type CreatedWebhook,
  type SendingService,
} from '../../support/webhooks.js';

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;
const DAY = 24 * HOUR;
/** The schedule in seconds, whose times vary by a tenth. */
const DELAYS = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400];

describe('a delivery that fails', () => {
  let service: SendingService;
  let receiver: WebhookReceiver;
  let smtp: SmtpServer;
  let ada: Client;
  let webhook: CreatedWebhook;
  let now: Date;
  const acme = organization('Acme', { members: [member('Ada', 'OWNER')] });
  const own = recording('Ada');

  beforeAll(async () => {
    receiver = await WebhookReceiver.start();
    smtp = await SmtpServer.start();
    service = await startWithSender(smtp.settings());
    await service.import({ users: [user('Ada')], organizations: [acme], recordings: [own] });
    await allSent(service);
    ada = service.api.as(keyOf('Ada'));
  });
  beforeEach(async () => {
    receiver.behaviour = { status: 500, body: 'out of order' };
    webhook = await createdWebhook(ada, { url: receiver.url(), types: ['recording.*'] });
    now = new Date();
    service.setNow(now);
    receiver.received.length = 0;
    await ada.patch(`/recordings/${own.id}`, { title: `Title ${now.getTime()}` });
    await allSent(service);
  });
  afterEach(async () => {
    await ada.delete(`/webhooks/${webhook.id}`);
    await allSent(service);
    service.setNow(null);
  });
  afterAll(async () => {
    await service.stop();
    await receiver.stop();
    await smtp.stop();
  });

  async function later(milliseconds: number): Promise<void> {
    now = new Date(now.getTime() + milliseconds);
    service.setNow(now);
    await allSent(service);
  }
  const delivery = async () => (await deliveriesOf(ada, webhook.id))[0];
  const shown = async () => (await ada.get(`/webhooks/${webhook.id}`)).body.data;

  it('is tried again nine times, over three days, and then has failed', async () => {
    for (const [index, delay] of DELAYS.entries()) {
      expect(receiver.received).toHaveLength(index + 1);
      const { status, next_attempt_at: next } = await delivery();
      expect(status).toBe('pending');
      const wait = Date.parse(next) - now.getTime();
      expect(wait / SECOND / delay).toBeGreaterThanOrEqual(0.9);
      expect(wait / SECOND / delay).toBeLessThanOrEqual(1.1);
      await later(wait - 1);
      expect(receiver.received).toHaveLength(index + 1);
      await later(1);
    }
    expect(await delivery()).toMatchObject({
      status: 'failed',
      attempt_count: 10,
      response_status: 500,
      next_attempt_at: null,
      ended_at: now.toISOString(),
    });
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-timestamp'])).size).toBe(10);
    await later(30 * DAY);
    expect(receiver.received).toHaveLength(10);
  });

  it('is delivered once the receiver works again, which ends the failures of the webhook', async () => {
    const { failing_since: since } = await shown();
    expect(since).toBe(now.toISOString());
    receiver.behaviour = { status: 200 };
    await later(5.5 * SECOND);
    expect(await delivery()).toMatchObject({ status: 'delivered', attempt_count: 2, response_status: 200 });
    expect(await shown()).toMatchObject({ status: 'enabled', failing_since: null });
  });

  it('is not tried again before Retry-After, nor is anything else of the webhook', async () => {
    receiver.behaviour = { status: 503, headers: { 'retry-after': '7200' } };
    await later(5.5 * SECOND);
    expect(receiver.received).toHaveLength(2);
    receiver.behaviour = { status: 200 };
    await ada.patch(`/recordings/${own.id}`, { title: 'Meanwhile' });
    await later(1.9 * HOUR);
    expect(receiver.received).toHaveLength(2);
    await later(0.2 * HOUR);
    expect(receiver.received).toHaveLength(4);
  });

  it('with 410 disables the webhook at once, and its user is told', async () => {
    receiver.behaviour = { status: 410 };
    await later(5.5 * SECOND);
    expect(await shown()).toMatchObject({ status: 'disabled', disabled_reason: 'gone' });
    const events = await service.dataSource.query(
      `SELECT actor_kind, target_id, user_id, details FROM change_log WHERE type = 'webhook.disabled' ORDER BY at DESC LIMIT 1`,
    );
    expect(events).toEqual([
      {
        actor_kind: 'service',
        target_id: webhook.id,
        user_id: expect.any(String),
        details: { reason: 'gone' },
      },
    ]);
    await ada.patch(`/recordings/${own.id}`, { title: 'Unheard' });
    await later(DAY);
    expect(receiver.received).toHaveLength(2);
    receiver.behaviour = { status: 200 };
    expect((await ada.patch(`/webhooks/${webhook.id}`, { enabled: true })).body.data).toMatchObject({
      status: 'enabled',
      disabled_reason: null,
      failing_since: null,
    });
    await allSent(service);
    expect(await delivery()).toMatchObject({ status: 'delivered' });
    expect(receiver.received).toHaveLength(3);
  });

  it('after five days without a success disables the webhook, and its user is emailed', async () => {
    await later(4.9 * DAY);
    expect(await shown()).toMatchObject({ status: 'enabled' });
    await ada.patch(`/recordings/${own.id}`, { title: 'On the sixth day' });
    await later(0.2 * DAY);
    expect(await shown()).toMatchObject({ status: 'disabled', disabled_reason: 'failures' });
    const { id } = webhook;
    await service.startJobs();
    await eventually(async () => expect(smtp.mails.map(({ to }) => to)).toContainEqual(['ada@acme.test']));
    const mail = smtp.mails.find(({ text }) => text.includes(id));
    expect(mail?.headers['subject']).toBe('A webhook has been disabled');
    expect(mail?.text).toContain(`/api/v1/webhooks/${id}`);
    expect(mail?.text).toContain('127. 0. 0. 1');
  });

  it('causes no email to an address that its user only claimed', async () => {
    const claim = (verified: boolean) =>
      service.dataSource.query(`UPDATE users SET email_verified = $1 WHERE email = 'ada@acme.test'`, [
        verified,
      ]);
    await claim(false);
    const before = smtp.mails.length;
    await service.dataSource.query(
      `SELECT graphile_worker.add_job('webhooks.mail', json_build_object('webhookId', $1::text), job_key := 'claimed')`,
      [webhook.id],
    );
    await service.startJobs();
    const jobs = `SELECT FROM graphile_worker._private_jobs WHERE key = 'claimed'`;
    await eventually(async () => expect(await service.dataSource.query(jobs)).toEqual([]));
    expect(smtp.mails).toHaveLength(before);
    await claim(true);
  });

  it('of a test is not tried again, and says nothing of the webhook', async () => {
    const other = await createdWebhook(ada, { url: receiver.url('/other'), types: ['recording.deleted'] });
    const { status, body } = await ada.post(`/webhooks/${other.id}/test`);
    expect(status).toBe(202);
    expect(body.data).toMatchObject({ type: 'webhook.test', status: 'pending' });
    await allSent(service);
    const { body: seen } = await ada.get(`/webhooks/${other.id}/deliveries/${body.data.id}`);
    expect(seen.data).toMatchObject({
      status: 'failed',
      attempts: [{ response_status: 500, response_body: 'out of order' }],
    });
    expect((await ada.get(`/webhooks/${other.id}`)).body.data.failing_since).toBeNull();
    await ada.delete(`/webhooks/${other.id}`);
  });
});
