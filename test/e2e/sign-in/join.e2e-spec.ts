import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { emailOf, keyOf, member, organization, user } from '../../factories/workspace.js';
import { SESSION } from '../../support/client.js';
import { led, Visitor } from '../../support/pages.js';
import { until } from '../../support/process.js';
import { startService, type TestService } from '../../support/service.js';
import { sessionOf } from '../../support/sessions.js';
import { SmtpServer } from '../../support/smtp.js';

const eveAccount = user('Eve');
let smtp: SmtpServer;
let service: TestService;
let acme: { id: string; name: string };

beforeAll(async () => {
  smtp = await SmtpServer.start();
  service = await startService(smtp.settings(), { worker: true });
  await service.import({ users: [user('Ada'), eveAccount, user('Grace')] });
});
afterAll(async () => {
  await service?.stop();
  await smtp.stop();
});
beforeEach(async () => {
  smtp.mails.length = 0;
  acme = organization(`Acme ${Math.random()}`, { members: [member('Ada', 'OWNER')] });
  await service.import({ organizations: [acme] });
});

/** Invites somebody, and returns the path in the email. */
async function invited(email: string): Promise<string> {
  const path = `/organizations/${acme.id}/invitations`;
  const { status } = await service.api.as(keyOf('Ada')).post(path, { email, role: 'EDITOR' });
  expect(status).toBe(201);
  await until('the email', () => smtp.mails.length > 0);
  return new URL(/http:\S+/.exec(smtp.mails[0]!.text)?.[0] ?? '').pathname;
}

const organizationsOf = async (someone: Visitor): Promise<string[]> => {
  const { body } = await service.api.get('/organizations', { headers: { cookie: someone.cookie } });
  return body.data.map((one: { id: string }) => one.id);
};
const csrfIn = (text: string): string => /name="csrf" value="([^"]+)"/.exec(text)?.[1] ?? '';

describe('joining by an emailed invitation', () => {
  it('makes a new person a user, who is signed in and told how to sign in again', async () => {
    const path = await invited('new@acme.test');
    const someone = new Visitor(service);
    expect((await someone.open(path)).text).toContain('Your name');
    const { status, text } = await someone.open(path, { name: 'New' });
    expect([status, text.includes('href="/app"')]).toEqual([200, true]);
    expect(text).toContain('with a link that is emailed to <bdi>new@acme.test</bdi>');
    expect(text).toMatch(/id="key"[^>]*>mrs_/);
    expect(await someone.me()).toMatchObject({ name: 'New', email_verified: true, session: { way: 'mail' } });
    expect(await organizationsOf(someone)).toEqual([acme.id]);
  });

  it('adds it to the account of whoever is signed in, with another session', async () => {
    const path = await invited(emailOf('Eve'));
    const eve = new Visitor(service);
    expect((await eve.open(path)).text).toContain(`href="/sign-in?to=${encodeURIComponent(path)}"`);
    expect(led(await eve.open('/sign-in/key', { key: keyOf('Eve'), to: path }))).toEqual([303, path]);
    const before = await eve.me();
    const { text } = await eve.open(path);
    expect(text).toContain('You are signed in as <bdi>Eve</bdi>');
    expect(text).not.toContain('name="key"');
    const forged = await eve.open(path, { csrf: 'wrong' });
    expect([forged.status, forged.text.includes('Please start over')]).toEqual([403, true]);
    const joined = await eve.open(path, { csrf: csrfIn(text) });
    expect([joined.status, joined.text.includes('mrs_')]).toEqual([200, false]);
    const after = await eve.me();
    expect(after.session).toMatchObject({ way: 'api_key' });
    expect(after.session.id).not.toBe(before.session.id);
    expect(await organizationsOf(eve)).toContain(acme.id);
    const { body } = await service.api.as(keyOf('Eve')).get('/me/sessions');
    expect(body.data.map((one: { id: string }) => one.id)).toEqual([after.session.id]);
  });

  it('keeps how they had signed in, for a logout from the side of the provider', async () => {
    const path = await invited(emailOf('Eve'));
    const how = { way: 'provider', provider: 'acme', providerSession: 'sid-1' } as const;
    const session = await sessionOf(service, eveAccount.id, how);
    const eve = new Visitor(service);
    eve.cookie = `mrs_session=${session.slice(SESSION.length)}`;
    const { text } = await eve.open(path);
    expect((await eve.open(path, { csrf: csrfIn(text) })).status).toBe(200);
    const { id, way, provider } = (await eve.me()).session;
    expect([way, provider]).toEqual(['provider', 'acme']);
    const kept = `SELECT provider_session FROM api_keys WHERE id = $1`;
    expect(await service.dataSource.query(kept, [id])).toEqual([{ provider_session: 'sid-1' }]);
  });

  it('is for the address that was invited, whoever is signed in', async () => {
    const path = await invited(emailOf('Eve'));
    const grace = new Visitor(service);
    await grace.open('/sign-in/key', { key: keyOf('Grace') });
    const { text } = await grace.open(path);
    expect(text).toContain('You are signed in as <bdi>Grace</bdi>');
    expect(text).toContain('Sign out, and sign in with another account');
    const refused = await grace.open(path, { csrf: csrfIn(text) });
    expect([refused.status, refused.text.includes('is for another email address')]).toEqual([403, true]);
    const signedOut = await grace.open('/sign-out', { csrf: csrfIn(text), to: path });
    expect(led(signedOut)).toEqual([303, `/sign-in?to=${encodeURIComponent(path)}`]);
    expect((await service.api.as(keyOf('Grace')).get('/organizations')).body.data).toEqual([]);
  });

  it('signs in whoever shows an API key without limits, and lets others join all the same', async () => {
    const eve = service.api.as(keyOf('Eve'));
    const narrow = { name: 'narrow', scopes: ['organizations:manage', 'profile:read'] };
    const { key } = (await eve.post('/api-keys', narrow)).body.data;
    const someone = new Visitor(service);
    const joined = await someone.open(await invited(emailOf('Eve')), { key });
    expect([joined.status, joined.text.includes('signed in.')]).toEqual([200, false]);
    expect(await someone.me()).toBeNull();
  });

  it('accepts nothing that a page of another site sends', async () => {
    const path = await invited('other@acme.test');
    const headers = { origin: 'https://evil.example' };
    expect((await new Visitor(service).open(path, { name: 'Other' }, headers)).status).toBe(403);
    expect((await new Visitor(service).open(path)).status).toBe(200);
  });

  it('speaks German', async () => {
    const path = await invited('neu@acme.test');
    const someone = new Visitor(service, { 'accept-language': 'de' });
    const { text } = await someone.open(path);
    expect(text).toContain('<html lang="de">');
    expect(text).toContain(
      'Ihre Rolle: Bearbeiter/in. Sie können Aufnahmen sehen: Ihre eigenen und die in Ordnern, die Ihnen offenstehen, Aufnahmen hinzufügen und Ihre eigenen bearbeiten.',
    );
    expect((await someone.open(path, { name: ' ' })).text).toContain('Geben Sie einen Namen mit 1 bis 200');
    expect((await someone.open(path, { name: 'Neu' })).text).toContain(
      'So melden Sie sich das nächste Mal an',
    );
    expect((await someone.open(path)).text).toContain('Diese Einladung ist nicht verfügbar');
  });
});
