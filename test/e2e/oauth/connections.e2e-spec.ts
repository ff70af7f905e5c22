import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { keyOf, member, organization, recording, user } from '../../factories/workspace.js';
import { Visitor } from '../../support/browser-visit.js';
import { refusal, type Client } from '../../support/client.js';
import { connectMcp } from '../../support/mcp.js';
import { browserOf, issuerOf, OAuthApp, REDIRECT } from '../../support/oauth.js';
import { startService, type TestService } from '../../support/service.js';

const acme = organization('Acme', { members: [member('Ada', 'OWNER'), member('Bob', 'EDITOR')] });
const personal = recording('Ada', { title: 'Personal' });
const shared = recording('Ada', { title: 'Shared', organization: 'Acme' });

describe('an app that a user connects', () => {
  let service: TestService;
  let app: OAuthApp;
  let ada: Client;
  beforeAll(async () => {
    service = await startService();
    await service.import({
      users: [user('Ada'), user('Bob')],
      organizations: [acme],
      recordings: [personal, shared],
    });
    app = await OAuthApp.register(issuerOf(service));
    ada = service.api.as(keyOf('Ada'));
  });
  afterAll(() => service.stop());

  const titles = async (token: string): Promise<string[]> => {
    const { body } = await service.api.as(token).get('/recordings');
    return body.data.map(({ title }: { title: string }) => title).sort();
  };

  it('sees what its scopes permit, as the user, for 15 minutes', async () => {
    const tokens = await app.connect(await browserOf(service, 'Ada'));
    expect(tokens).toMatchObject({
      expires_in: 900,
      token_type: 'Bearer',
      scope: 'recordings:read transcripts:read',
    });
    expect(await titles(tokens.access_token)).toEqual(['Personal', 'Shared']);
    const beyond = await service.api
      .as(tokens.access_token)
      .patch(`/recordings/${personal.id}`, { title: 'X' });
    expect(beyond).toMatchObject({ status: 403, body: refusal('FORBIDDEN') });
    expect(beyond.headers.get('www-authenticate')).toBe(
      'Bearer error="insufficient_scope", scope="recordings:write"',
    );
    service.setNow(new Date(Date.now() + 15 * 60_000 + 1_000));
    try {
      const expired = await service.api.as(tokens.access_token).get('/recordings');
      expect(expired).toMatchObject({ status: 401, body: refusal('TOKEN_EXPIRED') });
      expect(expired.headers.get('www-authenticate')).toBe('Bearer error="invalid_token"');
    } finally {
      service.setNow(null);
    }
  });

  it('is asked about in the words of people, narrowed, and limited to what they choose', async () => {
    const browser = await browserOf(service, 'Ada');
    const page = await app.ask(browser, { scope: 'recordings:read transcripts:read keys:manage nonsense' });
    expect(page.status).toBe(200);
    expect(page.text).toContain('<bdi>Assistant</bdi> asks to act for you');
    expect(page.text).toContain('see recordings, their media and summaries');
    expect(page.text).not.toContain('keys:manage');
    expect(page.headers.get('content-security-policy')).toContain(
      "form-action 'self' https://assistant.test;",
    );
    const form = { scope: 'recordings:read', reach: 'chosen', organization: acme.id, days: '7' };
    const back = await app.decide(browser, page, form);
    expect(`${back.origin}${back.pathname}`).toBe(REDIRECT);
    expect(Object.fromEntries(back.searchParams)).toEqual({
      code: expect.any(String),
      state: 's1',
      iss: issuerOf(service),
    });
    const { body } = await app.redeem(back.searchParams.get('code')!);
    expect(body.scope).toBe('recordings:read');
    expect(await titles(body.access_token)).toEqual(['Shared']);
    const [connection] = (await ada.get('/me/connections')).body.data;
    expect(connection).toMatchObject({
      client: { id: app.clientId, name: 'Assistant' },
      scopes: ['recordings:read'],
      organizations: [acme.id],
    });
  });

  it('learns that the user has refused', async () => {
    const browser = await browserOf(service, 'Ada');
    const back = await app.decide(browser, await app.ask(browser), { decision: 'deny' });
    expect(back.searchParams.get('error')).toBe('access_denied');
    expect(back.searchParams.get('state')).toBe('s1');
  });

  it('is refused with the specified errors as soon as it is disconnected', async () => {
    const tokens = await app.connect(await browserOf(service, 'Bob'));
    const bob = service.api.as(keyOf('Bob'));
    const [connection] = (await bob.get('/me/connections')).body.data;
    expect(await ada.delete(`/me/connections/${connection.id}`)).toMatchObject({
      status: 404,
      body: refusal('NOT_FOUND'),
    });
    expect((await bob.delete(`/me/connections/${connection.id}`)).status).toBe(200);
    expect((await bob.get('/me/connections')).body.data).toEqual([]);
    expect(await service.api.as(tokens.access_token).get('/recordings')).toMatchObject({
      status: 401,
      body: refusal('INVALID_TOKEN'),
    });
    expect(await app.refresh(tokens.refresh_token)).toMatchObject({
      status: 400,
      body: { error: 'invalid_grant' },
    });
  });

  it('refreshes its tokens, each once; a stolen one ends the connection', async () => {
    const first = await app.connect(await browserOf(service, 'Ada'));
    const second = await app.refresh(first.refresh_token);
    expect(second.status).toBe(200);
    expect(await titles(second.body.access_token)).toEqual(['Personal', 'Shared']);
    const replay = () => app.refresh(first.refresh_token);
    const refused = { status: 400, body: { error: 'invalid_grant' } };
    // Two processes of the client, which do not know of each other.
    expect(await replay()).toMatchObject(refused);
    expect(await titles(second.body.access_token)).toEqual(['Personal', 'Shared']);
    service.setNow(new Date(Date.now() + 11_000));
    try {
      expect(await replay()).toMatchObject(refused);
    } finally {
      service.setNow(null);
    }
    expect(await service.api.as(second.body.access_token).get('/recordings')).toMatchObject({
      status: 401,
      body: refusal('INVALID_TOKEN'),
    });
    expect(await app.refresh(second.body.refresh_token)).toMatchObject({ status: 400 });
  });

  it('gives its tokens back', async () => {
    const tokens = await app.connect(await browserOf(service, 'Ada'));
    expect((await app.post('/oauth/revoke', { token: tokens.refresh_token })).status).toBe(200);
    expect(await service.api.as(tokens.access_token).get('/recordings')).toMatchObject({
      status: 401,
      body: refusal('INVALID_TOKEN'),
    });
  });

  it('uses a token only for what it was issued for', async () => {
    const browser = await browserOf(service, 'Ada');
    const scope = 'recordings:read';
    const mcp = await app.connect(browser, { scope, resource: `${issuerOf(service)}/mcp` });
    expect(await service.api.as(mcp.access_token).get('/recordings')).toMatchObject({
      status: 401,
      body: refusal('INVALID_TOKEN'),
    });
    const agent = await connectMcp(service.api.base, mcp.access_token);
    const { recordings } = await agent.output('list_recordings');
    expect(recordings).toHaveLength(2);
    const api = await app.connect(browser, { scope, resource: `${issuerOf(service)}/api/v1` });
    expect(await titles(api.access_token)).toEqual(['Personal', 'Shared']);
    await expect(connectMcp(service.api.base, api.access_token)).rejects.toThrow();
    const other = await app.refresh(api.refresh_token, { resource: `${issuerOf(service)}/mcp` });
    expect(other).toMatchObject({ status: 400, body: { error: 'invalid_target' } });
    const elsewhere = await app.ask(browser, { resource: 'https://elsewhere.test/mcp' });
    expect(new URL(elsewhere.headers.get('location')!).searchParams.get('error')).toBe('invalid_target');
  });

  it('is named in the audit log, with the connection', async () => {
    const tokens = await app.connect(await browserOf(service, 'Ada'), { scope: 'recordings:write' });
    const [{ id }] = (await ada.get('/me/connections')).body.data;
    await service.api.as(tokens.access_token).patch(`/recordings/${shared.id}`, { title: 'Renamed' });
    const connection = { id, client_id: app.clientId, client_name: 'Assistant' };
    const query = 'type=recording.updated';
    const [entry] = (await ada.get(`/organizations/${acme.id}/audit-log?${query}`)).body.data;
    expect(entry).toMatchObject({ target_id: shared.id, api_key: null, session: null, connection });
    const file = await ada.get(`/organizations/${acme.id}/audit-log?${query}&format=ndjson`);
    expect(JSON.parse(file.body.split('\n')[0]!)).toEqual(entry);
    await ada.patch(`/recordings/${shared.id}`, { title: 'Shared' });
    const [own] = (await ada.get(`/organizations/${acme.id}/audit-log?${query}`)).body.data;
    expect(own).toMatchObject({ api_key: { id: expect.any(String) }, session: null, connection: null });
  });

  it('is connected until it is disconnected, also several at the same time', async () => {
    const browsers = await Promise.all([1, 2, 3, 4].map(() => browserOf(service, 'Ada')));
    const connected = await Promise.all(
      browsers.map((browser) => app.connect(browser, { form: { days: '' } })),
    );
    for (const { refresh_token: token } of connected) expect((await app.refresh(token)).status).toBe(200);
    const [newest] = (await ada.get('/me/connections')).body.data;
    expect(newest.expires_at).toBeNull();
  });

  it('needs a user who has signed in', async () => {
    const page = await app.ask(new Visitor());
    expect(page.url.pathname).toBe('/sign-in');
    expect(page.url.searchParams.get('to')).toMatch(/^\/oauth\/consent\/[\w-]+$/);
  });
});
