import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { emailOf, keyOf, member, organization, recording, user } from '../../factories/workspace.js';
import type { Visitor } from '../../support/browser-visit.js';
import { done, outcome, type Client } from '../../support/client.js';
import { OpenStream } from '../../support/event-stream.js';
import { countTitled, create, isReplay } from '../../support/idempotency.js';
import { browserOf, issuerOf, OAuthApp, type TokenReply } from '../../support/oauth.js';
import { startService, type TestService } from '../../support/service.js';
import { signedIn } from '../../support/sessions.js';

const PROVIDERS = JSON.stringify([
  {
    name: 'corp',
    label: 'Corp',
    issuer: 'https://login.example.com',
    client_id: 'meetings',
    client_secret: 'secret',
  },
]);
const CORP = { way: 'provider', provider: 'corp' } as const;
const acme = organization('Acme', { members: [member('Ada', 'OWNER'), member('Bob', 'EDITOR')] });
const beta = organization('Beta', { members: [member('Ada', 'OWNER'), member('Bob', 'EDITOR')] });
const inAcme = recording('Ada', { title: 'In Acme', organization: 'Acme' });
const inBeta = recording('Ada', { title: 'In Beta', organization: 'Beta' });
const SCOPE = 'recordings:read recordings:write organizations:read organizations:manage events:read';

describe('a connection', () => {
  let service: TestService;
  let app: OAuthApp;
  let ada: Client;
  let browser: Visitor;
  beforeAll(async () => {
    service = await startService({ IDENTITY_PROVIDERS: PROVIDERS });
    await service.import({
      users: ['Ada', 'Bob', 'Eve'].map((name) => user(name)),
      organizations: [acme, beta],
      recordings: [inAcme, inBeta],
    });
    app = await OAuthApp.register(issuerOf(service));
    ada = service.api.as(keyOf('Ada'));
    browser = await browserOf(service, 'Ada');
  });
  afterAll(() => service.stop());

  const connect = (visitor = browser, form = {}): Promise<TokenReply['body']> =>
    app.connect(visitor, { scope: SCOPE, form });
  const titles = async (token: string): Promise<string[]> =>
    (await done(service.api.as(token).get('/recordings')))
      .map(({ title }: { title: string }) => title)
      .filter((title: string) => title.startsWith('In '))
      .sort();
  const change = async (fields: object, by = ada): Promise<void> => {
    expect(outcome(await by.patch(`/organizations/${acme.id}`, fields))).toEqual([200, null]);
  };
  const newest = async (): Promise<string> => (await done(ada.get('/me/connections')))[0].id;

  it('reaches an organization that lists clients only if its client is listed', async () => {
    const before = await connect();
    await change({ oauth_clients: ['https://assistant.example/client.json'] });
    expect(await titles(before.access_token)).toEqual(['In Beta']);
    const refused = await service.api.as(before.access_token).get(`/organizations/${acme.id}`);
    expect(outcome(refused)).toEqual([403, 'FORBIDDEN']);
    expect(refused.body.error.message).toContain('OAuth client');
    const page = await app.ask(browser, { scope: SCOPE });
    const [box] = new RegExp(`<input[^>]*value="${acme.id}"[^>]*>`).exec(page.text)!;
    expect(box).toContain('disabled');
    expect(page.text).toContain('does not accept this app');
    // The box cannot be checked; who checks it all the same gets nowhere.
    const forced = { reach: 'chosen', organization: acme.id };
    await expect(app.decide(browser, page, forced)).rejects.toThrow('Choose at least one organization.');
    // API keys and sessions are not concerned.
    expect((await ada.get(`/organizations/${acme.id}`)).status).toBe(200);
    await change({ oauth_clients: [app.clientId] });
    expect(await titles(before.access_token)).toEqual(['In Acme', 'In Beta']);
    await change({ oauth_clients: [] });
    expect(await titles(before.access_token)).toEqual(['In Beta']);
    await change({ oauth_clients: null });
    expect(await titles(before.access_token)).toEqual(['In Acme', 'In Beta']);
  });

  it('does not reach an organization for longer than it permits', async () => {
    const [week, quarter] = [await connect(browser, { days: '7' }), await connect(browser, { days: '90' })];
    const forever = await connect(browser, { days: '' });
    const limit = 'UPDATE organizations SET api_key_max_days = $2 WHERE id = $1';
    await service.dataSource.query(limit, [acme.id, 30]);
    const page = await app.ask(browser, { scope: SCOPE });
    await service.dataSource.query(limit, [acme.id, null]);
    expect(page.text).toContain('accepts 30 days at most');
    await service.dataSource.query(limit, [acme.id, 30]);
    expect(await titles(week.access_token)).toEqual(['In Acme', 'In Beta']);
    expect(await titles(quarter.access_token)).toEqual(['In Beta']);
    expect(await titles(forever.access_token)).toEqual(['In Beta']);
    await service.dataSource.query(limit, [acme.id, null]);
  });

  it('ends when it was said to end', async () => {
    const tokens = await connect(browser, { days: '7' });
    service.setNow(new Date(Date.now() + 7 * 86_400_000 + 1_000));
    try {
      expect(outcome(await service.api.as(tokens.access_token).get('/recordings'))).toEqual([
        401,
        'INVALID_TOKEN',
      ]);
      expect((await app.refresh(tokens.refresh_token)).body.error).toBe('invalid_grant');
    } finally {
      service.setNow(null);
    }
  });

  it('reaches an organization that demands an identity provider only if it was made by one who used it', async () => {
    const byLink = await connect();
    const byCorp = await connect(await browserOf(service, 'Ada', CORP));
    const corp = await signedIn(service, ada, CORP);
    await change({ sso_provider: 'corp' }, corp);
    expect(await titles(byLink.access_token)).toEqual(['In Beta']);
    expect(await titles(byCorp.access_token)).toEqual(['In Acme', 'In Beta']);
    await change({ sso_provider: null }, corp);
  });

  it('ends with all its streams and media as soon as it is revoked', async () => {
    const { access_token: token } = await connect();
    const stream = await OpenStream.open(service.api, token);
    expect(stream.response.status).toBe(200);
    const { thumbnailUrl, videoUrl } = await done(service.api.as(token).get(`/recordings/${inAcme.id}`));
    const media: string[] = [thumbnailUrl, videoUrl].filter(Boolean);
    expect((await ada.delete(`/me/connections/${await newest()}`)).status).toBe(200);
    await stream.until(({ isOpen }) => !isOpen, 1_000);
    for (const url of media)
      expect((await fetch(url.replace(issuerOf(service), service.api.base))).status).toBe(403);
  });

  it('gets its first reply again with an Idempotency-Key, also with another token', async () => {
    const first = await connect();
    const made = await create(service.api.as(first.access_token), 'once', 'Made once');
    const { body: second } = await app.refresh(first.refresh_token);
    const again = await create(service.api.as(second.access_token), 'once', 'Made once');
    expect([made.status, again.status, isReplay(again)]).toEqual([201, 201, true]);
    expect(await countTitled(service, 'Made once')).toBe(1);
    const other = await connect();
    expect(isReplay(await create(service.api.as(other.access_token), 'once', 'Made once'))).toBe(false);
  });

  it('is named in the audit log by what it did', async () => {
    const { access_token: token } = await connect();
    const id = await newest();
    await done(service.api.as(token).patch(`/organizations/${acme.id}`, { name: 'Acme Ltd' }));
    const [entry] = await done(ada.get(`/organizations/${acme.id}/audit-log?type=organization.updated`));
    expect(entry).toMatchObject({
      api_key: null,
      connection: { id, client_id: app.clientId, client_name: 'Assistant' },
    });
    const [created] = await done(ada.get(`/me/audit-log?type=connection.created&target_id=${id}`));
    expect(created.changes).toEqual({ client_id: app.clientId, client_name: 'Assistant' });
  });

  it('loses an organization with its user, and ends with its user', async () => {
    const bob = service.api.as(keyOf('Bob'));
    const tokens = await connect(await browserOf(service, 'Bob'));
    const { id } = await done(bob.get('/me'));
    await done(ada.delete(`/organizations/${acme.id}/members/${id}`));
    expect(outcome(await service.api.as(tokens.access_token).get(`/organizations/${acme.id}`))).toEqual([
      403,
      'FORBIDDEN',
    ]);
    expect(await titles(tokens.access_token)).toEqual([]);
    expect((await bob.delete(`/me?confirm=${emailOf('Bob')}`)).status).toBe(200);
    expect(outcome(await service.api.as(tokens.access_token).get('/recordings'))[0]).toBe(401);
    expect((await app.refresh(tokens.refresh_token)).body.error).toBe('invalid_grant');
  });

  it('is not made by somebody who has no session, but an API key', async () => {
    const page = await app.ask(browser, { scope: SCOPE });
    const headers = { authorization: `Bearer ${keyOf('Ada')}` };
    const reply = await fetch(page.url, { headers, redirect: 'manual' });
    expect(reply.status).toBe(404);
  });
});

describe('below a path of PUBLIC_URL', () => {
  it('has its metadata, pages and cookies there', async () => {
    const service = await startService({ PUBLIC_URL: 'https://meet.acme.test/base' });
    try {
      await service.import({ users: [user('Ada')] });
      const metadata = await (
        await fetch(`${service.api.base}/.well-known/oauth-authorization-server`)
      ).json();
      expect(metadata).toMatchObject({
        issuer: 'https://meet.acme.test/base',
        authorization_endpoint: 'https://meet.acme.test/base/oauth/authorize',
        token_endpoint: 'https://meet.acme.test/base/oauth/token',
        registration_endpoint: 'https://meet.acme.test/base/oauth/register',
        revocation_endpoint: 'https://meet.acme.test/base/oauth/revoke',
        device_authorization_endpoint: 'https://meet.acme.test/base/oauth/device-authorization',
      });
      const app = await OAuthApp.register(service.api.base);
      const asked = await fetch(app.authorizationUrl(), { redirect: 'manual' });
      expect(asked.headers.get('location')).toMatch(/^\/base\/oauth\/consent\/[\w-]+$/);
      const cookies = asked.headers.getSetCookie().filter((cookie) => !cookie.includes('.sig='));
      for (const cookie of cookies) expect(cookie).toMatch(/; path=\/base\/oauth\b.*; secure; httponly/i);
      expect(cookies.map((cookie) => /^\w+/.exec(cookie)?.[0]).sort()).toEqual([
        'mrs_oauth_asked',
        'mrs_oauth_resumed',
      ]);
      const token = await fetch(`${service.api.base}/mcp`, { method: 'POST' });
      expect(token.headers.get('www-authenticate')).toContain(
        'resource_metadata="https://meet.acme.test/base/.well-known/oauth-protected-resource/mcp"',
      );
    } finally {
      await service.stop();
    }
  });
});
