import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { emailOf, keyOf, member, organization, user } from '../../factories/workspace.js';
import { refusal, type Client } from '../../support/client.js';
import { until } from '../../support/process.js';
import { eventually, startService, type TestService } from '../../support/service.js';
import { SmtpServer } from '../../support/smtp.js';

const ACME = organization('Acme & Söhne', {
  members: [member('Olga', 'OWNER'), member('Edna', 'EDITOR'), member('Vera', 'VIEWER')],
});
const NAMES = ['Olga', 'Edna', 'Vera'] as const;
const [OLGA, EDNA, VERA] = NAMES.map((name) => user(name));

let smtp: SmtpServer;
let service: TestService;
let olga: Client;
let guests = 0;
let email: string;

beforeAll(async () => {
  smtp = await SmtpServer.start();
  const settings = { ...smtp.settings(), PUBLIC_URL: 'https://meetings.acme.test/api', MAIL_LANGUAGE: 'de' };
  service = await startService(settings, { worker: true });
  await service.import({ users: [OLGA, EDNA, VERA], organizations: [ACME] });
  olga = service.api.as(keyOf('Olga'));
});
afterAll(async () => {
  await service.stop();
  await smtp.stop();
});

beforeEach(() => {
  guests += 1;
  email = `guest-${guests}@example.com`;
});
afterEach(() => {
  smtp.behaviour = null;
  smtp.mails.length = 0;
  service.setNow(null);
});

const at = (path: string): string => `/organizations/${ACME.id}${path}`;

async function invite(more: object = {}): Promise<{ id: string; [field: string]: unknown }> {
  const { status, body } = await olga.post(at('/invitations'), { email, role: 'EDITOR', ...more });
  expect(status).toBe(201);
  return body.data;
}

/** What the list says about the email of the invitation, once it is so. */
async function becomes(mailStatus: string, mailError: unknown): Promise<void> {
  await eventually(async () => {
    const { body } = await olga.get(at(`/invitations?search=${encodeURIComponent(email)}`));
    expect(body.data).toEqual([
      expect.objectContaining({ email, mail_status: mailStatus, mail_error: mailError }),
    ]);
  });
}

/** The next attempts start now. */
async function hurry(): Promise<void> {
  const jobs = `UPDATE graphile_worker._private_jobs SET run_at = now() WHERE locked_at IS NULL AND key ~ '^(invitation|transfer):'`;
  await service.dataSource.query(jobs);
}

/** Resolves once there is an email, with the link in it. */
async function link(nth = 0): Promise<string> {
  await until('the email', () => smtp.mails.length > nth);
  const [url] = /https:\/\/\S+/.exec(smtp.mails[nth]?.text ?? '') ?? [];
  return url ?? '';
}

const tokenOf = (url: string): string => url.split('/').at(-1) ?? '';
const accept = (token: string): ReturnType<Client['post']> =>
  service.api.post('/invitations/accept', { token, name: 'Guest' });

describe('an invitation, where a mail server is configured', () => {
  it('is emailed with the link that accepts it, which nobody else gets to see', async () => {
    const invitation = await invite({ language: 'en' });
    expect(invitation).toMatchObject({ mail_status: 'queued', invite_url: null, invite_token: null });
    const url = await link();
    expect(url).toMatch(/^https:\/\/meetings\.acme\.test\/api\/join\/inv_[0-9A-Za-z]{43}$/);
    expect(smtp.mails).toMatchObject([
      {
        to: [email],
        headers: {
          from: 'Acme Meetings <meetings@acme.test>',
          subject: 'Olga invited you to join “Acme & Söhne”',
        },
        text: expect.stringContaining('to join the organization “Acme & Söhne” as an editor.'),
        html: expect.stringContaining(`<a href="${url}"`),
      },
    ]);
    await becomes('sent', null);

    const accepted = await accept(tokenOf(url));
    expect(accepted.status).toBe(201);
    expect(accepted.body.data).toMatchObject({
      organization: { id: ACME.id, role: 'EDITOR' },
      user: { email, email_verified: true, name: 'Guest' },
    });
    expect((await accept(tokenOf(url))).status).toBe(404);
  });

  it('makes the address verified that its recipient only claimed before, unless it is another user’s', async () => {
    const [early, late] = [
      user(`Early${guests}`, { email }),
      user(`Late${guests}`, { email: `${email}.late` }),
    ];
    await service.import({ users: [early, late] });
    await service.dataSource.query(
      'UPDATE users SET email_verified = false, email = $2 WHERE id = ANY ($1)',
      [[early.id, late.id], email],
    );
    const as = ({ name }: { name: string }) => service.api.as(keyOf(name));
    const isVerified = async (one: { name: string }) => (await as(one).get('/me')).body.data.email_verified;
    await invite();
    const token = tokenOf(await link());
    expect((await service.api.as(keyOf('Vera')).post('/invitations/accept', { token })).status).toBe(403);
    const joined = await as(early).post('/invitations/accept', { token });
    expect([joined.status, joined.body.data?.user.email_verified]).toEqual([201, true]);
    expect([await isVerified(early), await isVerified(late)]).toEqual([true, false]);

    expect((await as(early).delete(at(`/members/${early.id}`))).status).toBe(200);
    await invite();
    const second = tokenOf(await link(1));
    expect((await service.api.post('/invitations/accept', { token: second, name: 'Guest' })).status).toBe(
      409,
    );
    expect((await as(late).post('/invitations/accept', { token: second })).status).toBe(403);
    expect((await as(late).get('/organizations')).body.data).toEqual([]);
    expect((await as(early).post('/invitations/accept', { token: second })).status).toBe(201);
  });

  it('waits for a server that is down, and is delivered once it is back', async () => {
    const { port } = smtp;
    await smtp.stop();
    await invite();
    await becomes('queued', 'The mail server could not be reached.');
    smtp = await SmtpServer.start({ port });
    await hurry();
    await becomes('sent', null);
    expect((await accept(tokenOf(await link()))).status).toBe(201);
  });

  it('fails for good with the reason of a server that refuses, and can be sent again', async () => {
    smtp.behaviour = { at: 'recipient', answer: '550 5.1.1 No such user' };
    const { id } = await invite();
    await becomes('failed', 'The mail server rejected the email: 550 5.1.1 No such user');
    const jobs = `SELECT FROM graphile_worker._private_jobs WHERE key = $1`;
    await eventually(async () =>
      expect(await service.dataSource.query(jobs, [`invitation:${id}`])).toEqual([]),
    );

    smtp.behaviour = null;
    service.setNow(new Date(Date.now() + 61_000));
    expect((await olga.post(at(`/invitations/${id}/resend`))).status).toBe(200);
    await becomes('sent', null);
    service.setNow(null);
    expect((await accept(tokenOf(await link()))).status).toBe(201);
  });

  it('is not emailed any more once it has been withdrawn', async () => {
    smtp.behaviour = { at: 'recipient', answer: '451 4.7.1 Greylisted' };
    const { id } = await invite();
    await becomes('queued', expect.stringContaining('Greylisted'));
    expect((await olga.delete(at(`/invitations/${id}`))).status).toBe(200);
    smtp.behaviour = null;
    await hurry();
    await untilNoJob(`invitation:${id}`);
    expect(smtp.mails).toEqual([]);
  });
});

describe('the mailbox of a person', () => {
  it('gets at most five emails a day because of one user, however often they withdraw and invite again', async () => {
    const other = (await olga.post('/organizations', { name: 'Another' })).body.data.id;
    const paths = [at('/invitations'), `/organizations/${other}/invitations`];
    for (let sent = 0; sent < 5; sent += 1) {
      const path = paths[sent % 2] ?? '';
      const { status, body } = await olga.post(path, { email, role: 'VIEWER' });
      expect(status).toBe(201);
      expect((await olga.delete(`${path}/${body.data.id}`)).status).toBe(200);
    }
    const refused = await olga.post(at('/invitations'), { email: email.toUpperCase(), role: 'VIEWER' });
    expect([refused.status, refused.body]).toEqual([
      429,
      refusal(
        'RATE_LIMITED',
        'You can have at most 5 emails a day sent to the same person; see Retry-After.',
      ),
    ]);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    await invite({ email: `other-${email}` });

    service.setNow(new Date(Date.now() + 24 * 60 * 60 * 1000));
    expect((await olga.post(at('/invitations'), { email, role: 'VIEWER' })).status).toBe(201);
    service.setNow(null);
    await olga.delete(`/organizations/${other}`);
    await until('the emails to be sent', async () => {
      const jobs = `SELECT FROM graphile_worker._private_jobs WHERE key LIKE 'invitation:%'`;
      return (await service.dataSource.query(jobs)).length === 0;
    });
  });
});

describe('an offer of ownership, where a mail server is configured', () => {
  it('is emailed to the member with the request that accepts it', async () => {
    expect((await olga.post(at('/transfer'), { user_id: EDNA?.id })).status).toBe(201);
    await until('the email', () => smtp.mails.length === 1);
    expect(smtp.mails).toMatchObject([
      {
        to: [emailOf('Edna')],
        headers: { subject: 'Olga möchte Ihnen „Acme & Söhne“ übertragen' },
        text: expect.stringContaining(
          `POST https://meetings.acme.test/api/api/v1/organizations/${ACME.id}/transfer/accept\n`,
        ),
      },
    ]);
    expect((await olga.delete(at('/transfer'))).status).toBe(200);
  });

  it('is not emailed to an address that the member only claimed', async () => {
    const claim = 'UPDATE users SET email_verified = $2 WHERE id = $1';
    await service.dataSource.query(claim, [EDNA?.id, false]);
    expect((await olga.post(at('/transfer'), { user_id: EDNA?.id })).status).toBe(201);
    await untilNoJob(`transfer:${ACME.id}`);
    expect(smtp.mails).toEqual([]);
    await olga.delete(at('/transfer'));
    await service.dataSource.query(claim, [EDNA?.id, true]);
  });
});

/** Runs the job until it has succeeded. */
async function untilNoJob(key: string): Promise<void> {
  await until('the job to end', async () => {
    await hurry();
    return (
      (await service.dataSource.query('SELECT FROM graphile_worker._private_jobs WHERE key = $1', [key]))
        .length === 0
    );
  });
}
