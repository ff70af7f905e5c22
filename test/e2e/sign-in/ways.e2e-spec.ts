import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SignInLinksService } from '../../../src/modules/sign-in/links/sign-in-links.service.js';
import { id, keyOf, member, organization, user } from '../../factories/workspace.js';
import { commandsOn } from '../../support/command-line.js';
import { led, Visitor } from '../../support/pages.js';
import { startService, type TestService } from '../../support/service.js';

const [ada, grace] = [user('Ada'), user('Grace')];
const acme = organization('Acme', { members: [member('Ada', 'OWNER'), member('Grace', 'EDITOR')] });
const PROVIDERS = [
  {
    name: 'acme',
    label: 'Acme <Login>',
    issuer: 'https://login.example.com',
    client_id: 'meetings',
    client_secret: 'secret',
  },
];
let service: TestService;

beforeAll(async () => {
  service = await startService({
    IDENTITY_PROVIDERS: JSON.stringify(PROVIDERS),
    TRUST_PROXY: '127.0.0.1',
    RATE_LIMIT_WRONG_KEYS_PER_MINUTE: '10',
  });
  await service.import({ users: [ada, grace], organizations: [acme] });
});
afterAll(() => service?.stop());

/** Each visitor has an address of their own, so that their mistakes count for them alone. */
let visitors = 0;
const visitor = (headers: Record<string, string> = {}): Visitor =>
  new Visitor(service, { 'x-forwarded-for': `203.0.113.${(visitors += 1)}`, ...headers });
const signedIn = async (key = keyOf('Ada')): Promise<Visitor> => {
  const someone = visitor();
  expect((await someone.open('/sign-in/key', { key })).status).toBe(303);
  return someone;
};
const csrfOf = async (someone: Visitor): Promise<string> => (await someone.me()).session.csrf_token;

describe('the page on which people sign in', () => {
  it('has the ways in that are configured, and may send requests only to the service', async () => {
    const { status, headers, text } = await visitor().open('/sign-in?to=/join/1');
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(headers.get('content-security-policy')).toContain(`connect-src 'self'`);
    expect(headers.get('content-security-policy')).not.toContain('unsafe');
    expect(text).toContain('href="/sign-in/with/acme?to=%2Fjoin%2F1"');
    expect(text).toContain('Acme &lt;Login&gt;');
    expect(text).toContain('action="/sign-in/key"');
    expect(text).not.toContain('action="/sign-in/mail"');
    expect((await visitor().open('/sign-in/mail', { email: ada.email })).status).toBe(404);
  });

  it('sends whoever is signed in to where they want to go', async () => {
    const someone = await signedIn();
    expect(led(await someone.open('/sign-in?to=/join/1'))).toEqual([303, '/join/1']);
    expect(led(await someone.open('/sign-in'))).toEqual([303, '/app']);
    // Not in circles.
    expect(led(await someone.open('/sign-in?to=/sign-in'))).toEqual([303, '/app']);
  });

  it.each([
    '//evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    'https://evil.example/',
    'javascript:alert(1)',
    '/\t/evil.example',
    ' //evil.example',
    'evil.example',
    '',
  ])('leads to no other site: %j', async (to) => {
    const someone = visitor();
    const reply = await someone.open('/sign-in/key', { key: keyOf('Ada'), to });
    expect(led(reply)).toEqual([303, '/app']);
    expect(led(await someone.open(`/sign-in?to=${encodeURIComponent(to)}`))).toEqual([303, '/app']);
    const { text } = await visitor().open(`/sign-in?to=${encodeURIComponent(to)}`);
    expect(text).not.toContain('evil');
  });

  it('takes forms only from itself', async () => {
    const form = { key: keyOf('Ada') };
    for (const [name, value] of [
      ['origin', 'https://evil.example'],
      ['origin', 'null'],
      ['sec-fetch-site', 'cross-site'],
      ['sec-fetch-site', 'same-site'],
    ] as const) {
      const someone = visitor();
      const refused = await someone.open('/sign-in/key', form, { [name]: value });
      expect([refused.status, refused.text.includes('Please start over')]).toEqual([403, true]);
      expect(await someone.me()).toBeNull();
    }
  });
});

describe('a pasted API key', () => {
  it('signs its user in, in place of whoever was', async () => {
    const someone = await signedIn();
    expect(await someone.me()).toMatchObject({ name: 'Ada', session: { way: 'api_key', provider: null } });
    const before = (await someone.me()).session.id;
    expect((await someone.open('/sign-in/key', { key: ` ${keyOf('Grace')} ` })).status).toBe(303);
    expect(await someone.me()).toMatchObject({ name: 'Grace' });
    const { body } = await service.api.as(keyOf('Ada')).get('/me/sessions');
    expect(body.data.map((one: { id: string }) => one.id)).not.toContain(before);
  });

  it.each([
    ['scopes', { scopes: ['recordings:read'] }],
    ['an expiry', { expires_in: 3_600 }],
    ['organizations', { organizations: [acme.id] }],
    ['addresses', { addresses: ['203.0.113.0/24'] }],
    ['addresses that are not those of the visitor', { addresses: ['198.51.100.0/24'] }],
  ])('is refused if it is limited by %s', async (_, limits) => {
    const { body } = await service.api.as(keyOf('Ada')).post('/api-keys', { name: 'narrow', ...limits });
    const someone = visitor();
    const refused = await someone.open('/sign-in/key', { key: body.data.key });
    expect([refused.status, refused.text.includes('can do less than you can')]).toEqual([403, true]);
    expect(await someone.me()).toBeNull();
  });

  it('is refused if an organization does not accept it, which a session would get around', async () => {
    const strict = organization('Strict', { members: [member('Grace', 'OWNER')] });
    await service.import({ organizations: [strict] });
    // The API refuses what would lock out the key that asks for it.
    const demand = `UPDATE organizations SET api_key_max_days = $2 WHERE id = $1`;
    await service.dataSource.query(demand, [strict.id, 30]);
    expect((await visitor().open('/sign-in/key', { key: keyOf('Grace') })).status).toBe(403);
    await service.dataSource.query(demand, [strict.id, null]);
  });

  it('that was made by somebody who had signed in with a provider counts as that', async () => {
    const key = (await service.api.as(keyOf('Ada')).post('/api-keys', { name: 'sso' })).body.data;
    await service.dataSource.query(`UPDATE api_keys SET provider = 'acme' WHERE id = $1`, [key.id]);
    const me = await (await signedIn(key.key)).me();
    expect(me.session).toMatchObject({ way: 'api_key', provider: 'acme' });
  });

  it('counts as a wrong key if it is not valid', async () => {
    const someone = visitor();
    const wrong = async () => someone.open('/sign-in/key', { key: 'mrs_wrong' });
    const first = await wrong();
    expect([first.status, first.text.includes('This API key is invalid')]).toEqual([401, true]);
    for (let nth = 2; nth <= 10; nth += 1) await wrong();
    const refused = await wrong();
    expect([refused.status, refused.text.includes('Too many requests')]).toEqual([429, true]);
  });
});

describe('a link of the host', () => {
  const { says, json, refuses } = commandsOn(() => service);

  it('is printed for anybody, and signs them in, once, anywhere', async () => {
    const url = await says('users', 'sign-in-link', '--email', ada.email);
    const { pathname } = new URL(url);
    expect(pathname).toMatch(/^\/sign-in\/link\/[0-9A-Za-z]{43}$/);
    const someone = visitor();
    expect((await someone.open(pathname)).text).toContain('You will be signed in as <bdi>Ada</bdi>');
    expect(led(await someone.open(pathname, {}))).toEqual([303, '/app']);
    expect(await someone.me()).toMatchObject({ name: 'Ada', session: { way: 'link' } });
    expect((await visitor().open(pathname, {})).status).toBe(404);
    expect(await json('users', 'sign-in-link', '--id', grace.id)).toMatchObject({ email: grace.email });
  });

  it('is for people who exist', async () => {
    await refuses(4, /there is no user/, 'users', 'sign-in-link', '--email', 'nobody@acme.test');
    const fields = { name: 'CRM', role: 'EDITOR' };
    const made = await service.api
      .as(keyOf('Ada'))
      .post(`/organizations/${acme.id}/service-accounts`, fields);
    const refused = [
      'users',
      'sign-in-link',
      '--id',
      made.body.data.service_account?.id ?? made.body.data.id,
    ];
    await refuses(3, /Service accounts do not sign in/, ...refused);
  });

  it('of npm start works in a browser on the host only, at once', async () => {
    const url = await service.app.get(SignInLinksService).issueForHost(ada.id);
    const { pathname } = new URL(url!);
    for (const form of [undefined, {}]) {
      const refused = await visitor().open(pathname, form);
      expect([refused.status, refused.text.includes('works only on the host')]).toEqual([409, true]);
    }
    // A proxy on the host, in front of anybody.
    const proxied = visitor({ 'x-forwarded-for': '127.0.0.1' });
    expect((await proxied.open(pathname, {})).status).toBe(409);
    const local = new Visitor(service);
    expect(led(await local.open(pathname))).toEqual([303, '/app']);
    expect(await local.me()).toMatchObject({ name: 'Ada', session: { way: 'link' } });
    expect((await new Visitor(service).open(pathname, {})).status).toBe(404);
  });

  it('is opened only from its page, and guesses count as wrong keys', async () => {
    const url = await json('users', 'sign-in-link', '--id', ada.id);
    const { pathname } = new URL(url.url);
    const headers = { origin: 'https://evil.example' };
    expect((await visitor().open(pathname, {}, headers)).status).toBe(403);
    expect((await visitor().open(pathname, {})).status).toBe(303);
    const guesser = visitor();
    for (let nth = 1; nth <= 10; nth += 1)
      expect((await guesser.open(`/sign-in/link/${id()}`)).status).toBe(404);
    expect((await guesser.open(`/sign-in/link/${id()}`, {})).status).toBe(429);
  });
});

describe('signing out', () => {
  it('ends the session, from a page of the session', async () => {
    const someone = await signedIn();
    const csrf = await csrfOf(someone);
    expect((await someone.open('/sign-out', {})).status).toBe(403);
    expect((await someone.open('/sign-out', { csrf: `${csrf}x` })).status).toBe(403);
    const headers = { origin: 'https://evil.example' };
    expect((await someone.open('/sign-out', { csrf }, headers)).status).toBe(403);
    expect((await someone.me()).name).toBe('Ada');
    const stolen = Object.assign(visitor(), { cookie: someone.cookie });
    expect(led(await someone.open('/sign-out', { csrf, to: '/join/1' }))).toEqual([
      303,
      '/sign-in?to=%2Fjoin%2F1',
    ]);
    expect(await stolen.me()).toBeNull();
    expect(led(await someone.open('/sign-out', {}))).toEqual([303, '/sign-in']);
  });
});
