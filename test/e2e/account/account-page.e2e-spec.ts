import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { member, organization, recording, user } from '../../factories/workspace.js';
import { AccountPage } from '../../support/account-page.js';
import { addPasskey } from '../../support/authenticator.js';
import { done, outcome } from '../../support/client.js';
import { Visitor } from '../../support/browser-visit.js';
import { issuerOf, OAuthApp } from '../../support/oauth.js';
import { startService, type TestService } from '../../support/service.js';

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const NOWHERE = '019c416a-2000-7a02-8a00-5eed0000a002';
const [ada, eve, ida] = [user('Ada'), user('Eve'), user('Ida')];
const acme = organization('Acme <b>', { members: [member('Ada', 'OWNER'), member('Ida', 'EDITOR')] });
let service: TestService;
let page: AccountPage;
let other: AccountPage;

beforeAll(async () => {
  service = await startService({
    RATE_LIMIT_ANONYMOUS_COSTLY_PER_MINUTE: '0',
    IDENTITY_PROVIDERS: JSON.stringify([
      {
        name: 'acme',
        label: 'Acme & Co',
        issuer: 'https://id.acme.test',
        client_id: 'a',
        client_secret: 'b',
      },
    ]),
  });
  await service.import({
    users: [ada, eve, ida],
    organizations: [acme],
    recordings: [recording('Ida', { organization: acme.name, title: 'Depot' })],
  });
});
afterAll(() => service?.stop());
beforeEach(async () => {
  page = await AccountPage.of(service, ada.id, FIREFOX);
  other = await AccountPage.of(service, eve.id);
});

const back = (section: string) => ({ status: 303, location: `/account#${section}` });
const mistakeIn = ({ status, text }: { status: number; text: string }) => [
  status,
  /<p id="mistake"[^>]*>([^<]*)</.exec(text)?.[1] ?? null,
];

describe('the account page', () => {
  it('leads to signing in without a session, and once that has ended', async () => {
    const signIn = { status: 303, location: '/sign-in?to=/account' };
    const response = await fetch(`${service.api.base}/account`, { redirect: 'manual' });
    expect([response.status, response.headers.get('location')]).toEqual([303, '/sign-in?to=/account']);
    await done(page.api.delete('/me/sessions'));
    expect(await page.open()).toMatchObject(signIn);
    expect(await page.send('rename', { name: 'Ada' })).toMatchObject(signIn);
  });

  it('shows who somebody is, and how they can sign in', async () => {
    const { status, text } = await page.open();
    expect(status).toBe(200);
    expect(text).toContain('value="Ada"');
    expect(text).toContain('<bdi>ada@acme.test</bdi> (verified)');
    expect(text).toContain('You can also sign in with: Acme &amp; Co');
    expect(text).toMatch(/Firefox on Linux<\/strong> <span class="tag">this browser</);
    expect(text).toContain('Signed in with a link of the host');
    expect(text).toContain('from 127.0.0.1');
    expect(text).toMatch(/Acme &lt;b&gt;<\/strong><\/p>\s*<p class="card-line">Owner</);
    expect(text).not.toContain('value="operator"');
  });

  it('is in German for those who read German', async () => {
    const { text } = await page.open('', { 'accept-language': 'de-AT,de;q=0.9,en;q=0.5' });
    expect(text).toContain('<html lang="de">');
    expect(text).toContain('Firefox auf Linux');
    const refused = await page.send('rename', { name: ' ' }, { 'accept-language': 'de' });
    expect(mistakeIn(refused)).toEqual([400, 'Geben Sie einen Namen mit 1 bis 200 Zeichen ein.']);
  });

  it.each([
    ['without the token of the session', { csrf: '' }, {}],
    ['with the token of another session', { csrf: 'r3Zk1kz0gq9C8mUe7QYb2W4nVtXo5LhJ6dPsAiRfGcE' }, {}],
    ['from another site', {}, { origin: 'https://evil.example' }],
    ['embedded in another site', {}, { 'sec-fetch-site': 'cross-site' }],
  ])('does nothing %s', async (_, fields, headers) => {
    for (const action of ['rename', 'end-sessions', 'create-key', 'leave']) {
      const { status, text } = await page.send(action, { name: 'Mallory', id: acme.id, ...fields }, headers);
      expect([action, status]).toEqual([action, 403]);
      expect(text).toContain('This form is no longer valid');
    }
    expect((await done(page.api.get('/me'))).name).toBe('Ada');
  });

  it('knows no other forms, and asks about nothing else', async () => {
    expect((await page.send('constructor')).status).toBe(404);
    expect((await page.open('?ask=rename&id=x')).status).toBe(404);
    expect((await page.open(`?ask=leave&id=${NOWHERE}`)).status).toBe(404);
  });
});

describe('the forms of the account page', () => {
  it('rename the user, whose name is escaped', async () => {
    expect(await page.send('rename', { name: ' <i>Ada</i> ' })).toMatchObject(back('profile'));
    expect((await done(page.api.get('/me'))).name).toBe('<i>Ada</i>');
    expect((await page.open()).text).toContain('value="&lt;i&gt;Ada&lt;/i&gt;"');
    const long = await page.send('rename', { name: 'a'.repeat(201) });
    expect(mistakeIn(long)).toEqual([400, 'Enter a name of 1 to 200 characters.']);
    await page.send('rename', { name: 'Ada' });
  });

  it('remove a passkey after a question', async () => {
    await addPasskey(page.api, { name: 'Phone <b>' });
    const [{ id }] = await service.dataSource.query('SELECT id FROM passkeys WHERE user_id = $1', [ada.id]);
    expect((await page.open()).text).toContain('Phone &lt;b&gt;');
    expect((await page.open(`?ask=remove-passkey&id=${id}`)).text).toContain(
      'Remove the passkey <bdi>Phone &lt;b&gt;</bdi>?',
    );
    expect(mistakeIn(await other.send('remove-passkey', { id }))).toEqual([404, 'It is not there any more.']);
    expect(await page.send('remove-passkey', { id })).toMatchObject(back('passkeys'));
    expect(mistakeIn(await page.send('remove-passkey', { id: 'x' }))).toEqual([
      404,
      'It is not there any more.',
    ]);
    const { body } = await page.api.get('/me/audit-log?type=passkey.removed');
    expect(body.data).toMatchObject([{ type: 'passkey.removed', target_id: id }]);
  });

  it('end a session, and all of them', async () => {
    const mine = await AccountPage.of(service, ada.id);
    const current = (await done(mine.api.get('/me/sessions'))).find(
      (one: { is_current: boolean }) => one.is_current,
    );
    expect(mistakeIn(await other.send('end-session', { id: current.id }))).toEqual([
      404,
      'It is not there any more.',
    ]);
    expect(await page.send('end-session', { id: current.id })).toMatchObject(back('sessions'));
    expect((await mine.open()).status).toBe(303);
    expect(await page.send('end-sessions')).toMatchObject({ status: 303 });
    expect((await page.open()).location).toBe('/sign-in?to=/account');
    expect((await other.open()).status).toBe(200);
  });

  it('create a key, which is shown once, with the limits that were chosen', async () => {
    service.setNow(new Date());
    const fields = {
      name: '<script>',
      preset: 'chosen',
      scope: ['recordings:read', 'questions'],
      days: '30',
    };
    const created = await page.send('create-key', fields);
    const key = /id="key"[^>]*>(mrs_\w+)</.exec(created.text)?.[1] ?? '';
    expect(created.status).toBe(200);
    const [listed] = await done(page.api.get('/api-keys'));
    expect(listed).toMatchObject({
      name: '<script>',
      scopes: ['recordings:read', 'questions'],
    });
    expect(Date.parse(listed.expires_at) - Date.parse(listed.created_at)).toBe(30 * 86_400_000);
    service.setNow(null);
    expect((await service.api.as(key).get('/recordings')).status).toBe(200);
    const { text } = await page.open();
    expect(text).toContain('&lt;script&gt;</strong>');
    expect(text).not.toContain(key);
    await page.send('create-key', { name: 'all', preset: 'full', days: '' });
    expect((await done(page.api.get('/api-keys')))[0]).toMatchObject({ scopes: null, expires_at: null });
  });

  it('create keys that are accepted where the provider of the session is', async () => {
    const ofProvider = await AccountPage.of(service, eve.id, FIREFOX, { way: 'provider', provider: 'acme' });
    expect((await ofProvider.open()).text).toContain('Signed in with Acme &amp; Co');
    await ofProvider.send('create-key', { name: 'of a provider', preset: 'read-only', days: '7' });
    const rows = await service.dataSource.query(`SELECT provider FROM api_keys WHERE name = 'of a provider'`);
    expect(rows).toEqual([{ provider: 'acme' }]);
    expect((await ofProvider.open()).text).toContain('Read only · expires ');
  });

  it('say what is wrong with a key, and keep what was entered', async () => {
    const mistake = 'Enter a name of 1 to 100 characters, and choose what the key may do.';
    expect(mistakeIn(await page.send('create-key', { name: '', preset: 'full' }))).toEqual([400, mistake]);
    const nothing = await page.send('create-key', { name: '<CRM>', preset: 'chosen', days: '7' });
    expect(mistakeIn(nothing)).toEqual([400, mistake]);
    expect(nothing.text).toContain('value="&lt;CRM&gt;"');
    expect(nothing.text).toMatch(/value="chosen" checked/);
    expect(nothing.text).toMatch(/value="7" selected/);
    expect((await page.send('create-key', { name: 'a', preset: 'full', days: 'x' })).status).toBe(400);
  });

  it('rotate a key after a question, once', async () => {
    const { id } = await done(page.api.post('/api-keys', { name: 'Old' }));
    expect((await page.open(`?ask=rotate-key&id=${id}`)).text).toContain('Rotate the key <bdi>Old</bdi>?');
    expect(mistakeIn(await other.send('rotate-key', { id }))).toEqual([404, 'It is not there any more.']);
    const { status, text } = await page.send('rotate-key', { id });
    expect([status, text.includes('The previous key works for another 24 hours at most.')]).toEqual([
      200,
      true,
    ]);
    expect(text).toMatch(/id="key"[^>]*>mrs_\w+</);
    const [again, mistake] = mistakeIn(await page.send('rotate-key', { id }));
    expect([again, mistake]).toEqual([409, expect.stringMatching(/^The API key has been rotated already/)]);
  });

  it('revoke a key after a question', async () => {
    const { id, key } = await done(page.api.post('/api-keys', { name: 'Lost' }));
    expect((await page.open(`?ask=revoke-key&id=${id}`)).text).toContain('Revoke the key <bdi>Lost</bdi>?');
    expect(mistakeIn(await other.send('revoke-key', { id }))).toEqual([404, 'It is not there any more.']);
    expect(await page.send('revoke-key', { id })).toMatchObject(back('keys'));
    expect(outcome(await service.api.as(key).get('/me'))).toEqual([401, 'INVALID_API_KEY']);
    expect((await page.open()).text).not.toContain('Lost');
    expect(mistakeIn(await page.send('revoke-key', { id }))).toEqual([400, 'It is not there any more.']);
  });

  it('disconnect an app after a question', async () => {
    const app = await OAuthApp.register(issuerOf(service), { client_name: 'Assistant <b>' });
    const form = { scope: 'recordings:read', reach: 'chosen', organization: acme.id, days: '7' };
    const visitor = new Visitor();
    visitor.setCookie(issuerOf(service), 'mrs_session', page.token);
    const tokens = await app.connect(visitor, { form });
    const { text } = await page.open();
    expect(text).toContain('Assistant &lt;b&gt;</strong>');
    expect(text).toContain(app.clientId);
    expect(text).toMatch(
      /may see recordings, their media and summaries · only in Acme &lt;b&gt; · expires [^·]+ · never used/,
    );
    const [{ id }] = await done(page.api.get('/me/connections'));
    expect((await page.open(`?ask=disconnect&id=${id}`)).text).toContain(
      'Disconnect <bdi>Assistant &lt;b&gt;</bdi>?',
    );
    expect(mistakeIn(await other.send('disconnect', { id }))).toEqual([404, 'It is not there any more.']);
    expect(await page.send('disconnect', { id })).toMatchObject(back('connections'));
    expect(outcome(await service.api.as(tokens.access_token).get('/me'))).toEqual([401, 'INVALID_TOKEN']);
    expect((await page.open()).text).toContain('No app acts for you.');
  });

  it('leave an organization after a question, unless nobody would own it', async () => {
    const question = await page.open(`?ask=leave&id=${acme.id}`);
    expect(question.text).toContain('Leave <bdi>Acme &lt;b&gt;</bdi>?');
    expect(question.text).toContain('Your recordings there stay with the organization');
    expect(mistakeIn(await page.send('leave', { id: acme.id }))).toEqual([
      409,
      'You are its last owner. Make another member owner, or transfer or delete the organization first.',
    ]);
    expect((await other.send('leave', { id: acme.id })).status).toBe(403);
    const leaving = await AccountPage.of(service, ida.id);
    expect(await leaving.send('leave', { id: acme.id })).toMatchObject(back('organizations'));
    expect((await leaving.open()).text).toContain('You are not a member of an organization.');
    const recordings = await done(page.api.get('/recordings'));
    expect(recordings).toMatchObject([{ title: 'Depot', owner: { id: ada.id } }]);
  });
});
