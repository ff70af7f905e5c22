import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { UserDeletionService } from '../../../src/modules/users/management/user-deletion.service.js';
import { findUserByEmail } from '../../../src/modules/users/public/users.queries.js';
import { COMMAND_LINE } from '../../../src/policy/management.js';
import { keyOf, member, organization, recording, user } from '../../factories/workspace.js';
import { changesOf } from '../../support/changes.js';
import { refusal } from '../../support/client.js';
import { eventually, waitingForLocks } from '../../support/service.js';
import { SmtpServer } from '../../support/smtp.js';
import { WebhookReceiver } from '../../support/webhook-receiver.js';
import {
  allSent,
  createdWebhook,
  deliveriesOf,
  startWithSender,
  type SendingService,
} from '../../support/webhooks.js';

describe("an organization's webhook, when the member responsible for it no longer manages the organization", () => {
  let service: SendingService;
  let receiver: WebhookReceiver;
  let smtp: SmtpServer;
  const [ada, grace] = [user('Ada'), user('Grace')];
  const ACME = [member('Ada', 'OWNER'), member('Olga', 'OWNER'), member('Grace', 'ADMIN')];
  const acme = organization('Acme', { members: ACME });
  const plan = recording('Ada', { organization: 'Acme', title: 'Plan' });
  const GRACE = `/organizations/${acme.id}/members/${grace.id}`;

  beforeAll(async () => {
    smtp = await SmtpServer.start();
    service = await startWithSender(smtp.settings());
    await service.import({
      users: [ada, grace, user('Olga')],
      organizations: [acme],
      recordings: [plan],
    });
    await allSent(service);
  });
  beforeEach(async () => {
    receiver = await WebhookReceiver.start();
  });
  afterEach(async () => {
    await receiver.stop();
    await service.dataSource.query('DELETE FROM webhooks');
    await service.dataSource.query(
      `INSERT INTO organization_members (organization_id, user_id, role)
       SELECT $1, id, 'ADMIN' FROM users WHERE id = $2
       ON CONFLICT (organization_id, user_id) DO UPDATE SET role = 'ADMIN'`,
      [acme.id, grace.id],
    );
    await allSent(service);
  });
  afterAll(async () => {
    await service.stop();
    await smtp.stop();
  });

  const as = (name: string) => service.api.as(keyOf(name));
  const rename = (title: string) => as('Ada').patch(`/recordings/${plan.id}`, { title });
  const create = (fields: object = {}) =>
    createdWebhook(as('Grace'), {
      url: receiver.url('/token-of-grace'),
      types: ['recording.*'],
      organization_id: acme.id,
      description: 'CRM',
      ...fields,
    });
  const shown = async (id: string) => (await as('Ada').get(`/webhooks/${id}`)).body.data;
  const LEFT = { status: 'disabled', disabled_reason: 'creator_left' };
  const turnedOff = (id: string) => ({
    id,
    organization_id: acme.id,
    url: `${new URL(receiver.url()).origin}/...`,
    description: 'CRM',
  });

  it.each([
    ['are removed', () => as('Ada').delete(GRACE)],
    ['are demoted', () => as('Ada').patch(GRACE, { role: 'EDITOR' })],
  ])('is turned off and named in the reply when they %s, and nothing more is sent', async (_, end) => {
    const { id } = await create();
    await rename('Before');
    await allSent(service);
    expect(receiver.received).toHaveLength(1);
    const { status, body } = await end();
    expect([status, body.data.disabled_webhooks]).toEqual([200, [turnedOff(id)]]);
    await rename('After');
    await allSent(service);
    expect(receiver.received).toHaveLength(1);
    expect(await shown(id)).toMatchObject(LEFT);
    const { body: listed } = await as('Ada').get(`/webhooks?organization_id=${acme.id}`);
    expect(listed.data).toEqual([{ ...(await shown(id)), url: turnedOff(id).url }]);
  });

  it('is turned off when their user is deleted', async () => {
    await service.import({
      users: [user('Zed')],
      organizations: [{ ...acme, members: [...ACME, member('Zed', 'ADMIN')] }],
    });
    const webhook = { url: receiver.url('/zed'), types: ['recording.*'], organization_id: acme.id };
    const { id } = await createdWebhook(as('Zed'), webhook);
    const zed = await findUserByEmail(service.dataSource.manager, user('Zed').email);
    const deleted = await service.app.get(UserDeletionService).delete(zed!, {}, COMMAND_LINE);
    expect(deleted.disabledWebhooks).toEqual([expect.objectContaining({ id, organizationId: acme.id })]);
    expect(await shown(id)).toMatchObject({ ...LEFT, created_by: null });
    await rename('After');
    await allSent(service);
    expect(receiver.received).toEqual([]);
  });

  it('is in the change of the membership, and a change of its own', async () => {
    const { id } = await create();
    const logged = await changesOf(service.dataSource, () => as('Ada').delete(GRACE));
    expect(logged.find(({ type }) => type === 'member.removed')?.details).toEqual({
      before: expect.objectContaining({ role: 'ADMIN' }),
      disabled_webhooks: [id],
    });
    expect(logged.find(({ type }) => type === 'webhook.disabled')).toMatchObject({
      target_id: id,
      actor_id: ada.id,
      details: { reason: 'creator_left' },
    });
  });

  it('counts the share links and invitations that end with the membership', async () => {
    await as('Grace').post(`/recordings/${plan.id}/share-link`, {});
    await as('Grace').post(`/recordings/${plan.id}/share-link`, { label: 'Customer' });
    await as('Grace').post(`/organizations/${acme.id}/invitations`, {
      email: 'new@acme.example',
      role: 'VIEWER',
    });
    expect((await as('Ada').delete(GRACE)).body.data).toEqual({
      success: true,
      disabled_webhooks: [],
      ended_share_links: 2,
      ended_invitations: 1,
    });
  });

  it('goes on for the member who removes them and takes it over, with their rights', async () => {
    const { id } = await create();
    const { status, body } = await as('Ada').delete(`${GRACE}?webhooks=take_over`);
    expect([status, body.data.disabled_webhooks]).toEqual([200, []]);
    expect(await shown(id)).toMatchObject({ status: 'enabled', created_by: ada.id });
    await rename('Taken over');
    await allSent(service);
    expect(receiver.at('/token-of-grace')).toMatchObject([{ data: { recording: { title: 'Taken over' } } }]);
  });

  it('belongs to the manager who enables it, and what was waiting is sent only by a replay', async () => {
    const { id } = await create();
    receiver.behaviour = { status: 500 };
    await rename('Waiting');
    await eventually(async () => expect(receiver.received).toHaveLength(1));
    await as('Ada').delete(GRACE);
    receiver.behaviour = { status: 204 };
    const { body } = await as('Ada').patch(`/webhooks/${id}`, { enabled: true });
    expect(body.data).toMatchObject({ status: 'enabled', disabled_reason: null, created_by: ada.id });
    const [waiting] = await deliveriesOf(as('Ada'), id);
    expect(waiting).toMatchObject({ type: 'recording.updated', status: 'failed', next_attempt_at: null });
    receiver.received.length = 0;
    await rename('New');
    await allSent(service);
    expect(receiver.at('/token-of-grace')).toMatchObject([{ data: { recording: { title: 'New' } } }]);
    await as('Ada').post(`/webhooks/${id}/deliveries/${waiting.id}/replay`);
    await allSent(service);
    expect(receiver.received).toHaveLength(2);
  });

  it('cannot be enabled by them while they are being removed', async () => {
    const { id } = await create();
    await as('Grace').patch(`/webhooks/${id}`, { enabled: false });
    const runner = service.dataSource.createQueryRunner();
    await runner.startTransaction();
    await runner.query('DELETE FROM organization_members WHERE user_id = $1', [grace.id]);
    const sent = as('Grace').patch(`/webhooks/${id}`, { enabled: true });
    await waitingForLocks(service, 1);
    await runner.commitTransaction();
    await runner.release();
    expect((await sent).body).toEqual(refusal('WEBHOOK_NOT_FOUND'));
    expect(await shown(id)).toMatchObject(LEFT);
  });

  it('is emailed to the other OWNERs once, without what may be secret of its address', async () => {
    await create();
    await create({ description: 'Chat' });
    // Emails of the tests before.
    await service.dataSource.query('DELETE FROM graphile_worker._private_jobs');
    await as('Ada').delete(GRACE);
    await allSent(service);
    await service.startJobs();
    await eventually(async () => {
      expect(smtp.mails).not.toHaveLength(0);
      const jobs = `SELECT FROM graphile_worker.jobs WHERE task_identifier = 'webhooks.responsibility_mail'`;
      expect(await service.dataSource.query(jobs)).toEqual([]);
    });
    expect(smtp.mails).toHaveLength(1);
    const [mail] = smtp.mails;
    expect(mail!.to).toEqual([user('Olga').email]);
    expect(mail!.headers['subject']).toBe('Webhooks have been disabled');
    expect(mail!.text).toContain('webhooks of Acme are disabled');
    expect(mail!.text).toContain(`/api/v1/webhooks?organization_id=${acme.id}`);
    expect(mail!.text).not.toContain('token-of-grace');
  });
});
