import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { emailOf, keyOf, member, organization, user } from '../../factories/workspace.js';
import { led, Visitor } from '../../support/pages.js';
import { until } from '../../support/process.js';
import { startService, type TestService } from '../../support/service.js';
import { SmtpServer } from '../../support/smtp.js';

const NAMES = ['Ada', 'Grace', 'Hedy', 'Ida', 'Joan', 'Olga'] as const;
const MINUTE_MS = 60_000;
let smtp: SmtpServer;
let service: TestService;

beforeAll(async () => {
  smtp = await SmtpServer.start();
  service = await startService(smtp.settings(), { worker: true });
  await service.import({ users: NAMES.map((name) => user(name)) });
});
afterAll(async () => {
  await service?.stop();
  await smtp.stop();
});
afterEach(() => {
  smtp.mails.length = 0;
  service.setNow(null);
});

/** Asks for a link, and returns its path when the email has come: the worker does not know the port of the service. */
async function emailedLink(
  email: string,
  more: Record<string, string> = {},
  language = 'en',
): Promise<string> {
  const visitor = new Visitor(service, { 'accept-language': language });
  expect((await visitor.open('/sign-in/mail', { email, ...more })).status).toBe(200);
  await until('the email', () => smtp.mails.length > 0);
  const { pathname, search } = new URL(/http:\S+/.exec(smtp.mails[0]!.text)?.[0] ?? '');
  return pathname + search;
}

describe('a link by mail', () => {
  it('signs in with a click on its page, once, and leads where the visitor wanted to go', async () => {
    const url = await emailedLink(emailOf('Ada').toUpperCase(), { to: '/join/1?x=y' });
    expect(url).toMatch(/^\/sign-in\/link\/[0-9A-Za-z]{43}\?to=%2Fjoin%2F1%3Fx%3Dy$/);
    expect(smtp.mails).toMatchObject([
      { to: ['ada@acme.test'], headers: { subject: 'Your link to sign in' } },
    ]);
    const [scanner, ada] = [new Visitor(service), new Visitor(service)];
    for (const _ of [1, 2]) expect((await scanner.open(url)).text).toContain('Ada');
    expect((await fetch(service.api.base + url, { method: 'HEAD' })).status).toBe(200);
    expect(await scanner.me()).toBeNull();
    expect(led(await ada.open(url, {}))).toEqual([303, '/join/1?x=y']);
    expect(await ada.me()).toMatchObject({ name: 'Ada', session: { way: 'mail', provider: null } });
    const again = await new Visitor(service).open(url, {});
    expect([again.status, again.text.includes('href="/sign-in"')]).toEqual([404, true]);
    expect((await scanner.open(url)).status).toBe(404);
  });

  it('gives one session to two requests at once', async () => {
    const url = await emailedLink(emailOf('Grace'));
    const replies = await Promise.all([1, 2].map(() => new Visitor(service).open(url, {})));
    expect(replies.map(({ status }) => status).sort()).toEqual([303, 404]);
    const { body } = await service.api.as(keyOf('Grace')).get('/me/sessions');
    expect(body.data).toHaveLength(1);
  });

  it('works for 15 minutes', async () => {
    const url = await emailedLink(emailOf('Hedy'));
    const asked = Date.now();
    service.setNow(new Date(asked + 14 * MINUTE_MS));
    expect((await new Visitor(service).open(url)).status).toBe(200);
    service.setNow(new Date(asked + 15.1 * MINUTE_MS));
    expect((await new Visitor(service).open(url)).status).toBe(404);
    expect((await new Visitor(service).open(url, {})).status).toBe(404);
  });

  it('looks the same for an address that nobody has, which gets no email', async () => {
    const ask = async (email: string) => {
      const { status, headers, text } = await new Visitor(service).open('/sign-in/mail', { email });
      const shown = text.replaceAll(email, '').replace(/nonce="[^"]*"/g, '');
      const names = [...headers.keys()].sort();
      return { status, names, shown };
    };
    const [unknown, known] = [await ask('nobody@acme.test'), await ask(emailOf('Ida'))];
    expect(unknown.shown).toContain('is on its way');
    expect(unknown).toEqual(known);
    await until('the email', () => smtp.mails.length > 0);
    const jobs = `SELECT 1 FROM graphile_worker._private_jobs j JOIN graphile_worker._private_tasks t ON t.id = j.task_id WHERE t.identifier = 'sign-in.mail'`;
    await until('the end of the jobs', async () => (await service.dataSource.query(jobs)).length === 0);
    expect(smtp.mails.map(({ to }) => to)).toEqual([['ida@acme.test']]);
  });

  it('is not sent to addresses that people only say are theirs, nor to service accounts', async () => {
    const acme = organization('Acme', { members: [member('Olga', 'OWNER')] });
    await service.import({ organizations: [acme] });
    const olga = service.api.as(keyOf('Olga'));
    const claimed = 'claimed@acme.test';
    await service.dataSource.query(
      `INSERT INTO users (id, email, email_verified, name, plan) VALUES (gen_random_uuid(), $1, false, 'Eve', 'PRO')`,
      [claimed],
    );
    const made = await olga.post(`/organizations/${acme.id}/service-accounts`, {
      name: 'CRM',
      role: 'EDITOR',
    });
    expect(made.status).toBe(201);
    const [{ email: placeholder }] = await service.dataSource.query(
      `SELECT email FROM users WHERE service_of IS NOT NULL`,
    );
    for (const email of [claimed, placeholder])
      expect((await new Visitor(service).open('/sign-in/mail', { email })).status).toBe(200);
    await emailedLink(emailOf('Olga'));
    expect(smtp.mails.map(({ to }) => to)).toEqual([['olga@acme.test']]);
  });

  it('is not readable in the database, neither in the job nor later', async () => {
    smtp.behaviour = { at: 'recipient', answer: '450 4.2.0 Later' };
    await new Visitor(service).open('/sign-in/mail', { email: emailOf('Joan'), to: '/join/inv_secret' });
    const jobs = `SELECT payload::text FROM graphile_worker._private_jobs`;
    await until('the attempt', () => smtp.connections > 0);
    const [{ payload }] = await service.dataSource.query(jobs);
    expect(payload).not.toMatch(/joan|inv_secret/i);
    smtp.behaviour = null;
    await service.dataSource.query(
      `UPDATE graphile_worker._private_jobs SET run_at = now() WHERE locked_at IS NULL`,
    );
    await until('the email', () => smtp.mails.length > 0);
    const [, token] = /link\/(\w{43})/.exec(smtp.mails[0]!.text) ?? [];
    const rows = JSON.stringify(await service.dataSource.query(`SELECT * FROM one_time_secrets`));
    expect(rows).not.toContain(token);
    expect(rows).not.toContain('inv_secret');
  });

  it('comes in German, with a page in German', async () => {
    const url = await emailedLink(emailOf('Joan'), {}, 'de-AT,de;q=0.9');
    expect(smtp.mails).toMatchObject([{ headers: { subject: 'Ihr Link zum Anmelden' } }]);
    const german = new Visitor(service, { 'accept-language': 'de' });
    expect((await german.open(url)).text).toContain('angemeldet.</p>');
    expect((await german.open('/sign-in/link/unknown')).text).toContain('Dieser Link ist nicht verfügbar');
    expect((await german.open('/sign-in')).text).toContain('Link per E-Mail senden');
  });

  it('is sent to an address 5 times an hour, known or not, and asks for an address', async () => {
    const visitor = new Visitor(service);
    for (const email of ['flooded@acme.test', 'FLOODED@acme.test'])
      for (const _ of [1, 2]) await visitor.open('/sign-in/mail', { email });
    const last = await visitor.open('/sign-in/mail', { email: 'flooded@acme.test' });
    const refused = await visitor.open('/sign-in/mail', { email: 'flooded@acme.test' });
    expect([last.status, refused.status]).toEqual([200, 429]);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3_000);
    expect(refused.text).toContain('Too many links have been requested');
    const wrong = await visitor.open('/sign-in/mail', { email: 'no address' });
    expect([wrong.status, wrong.text.includes('Enter an email address.')]).toEqual([400, true]);
  });
});
