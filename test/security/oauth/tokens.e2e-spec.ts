import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { emailOf, keyOf, member, organization, recording, user } from '../../factories/workspace.js';
import type { Visit, Visitor } from '../../support/browser-visit.js';
import { refusal } from '../../support/client.js';
import { connectMcp } from '../../support/mcp.js';
import { browserOf, issuerOf, OAuthApp, REDIRECT, type Wanted } from '../../support/oauth.js';
import { startService, type TestService } from '../../support/service.js';

const acme = organization('Acme', { members: [member('Ada', 'OWNER')] });
const beta = organization('Beta', { members: [member('Ada', 'OWNER')] });
const shared = recording('Ada', { title: 'Shared', organization: 'Acme' });
const other = recording('Ada', { title: 'Other', organization: 'Beta' });
const personal = recording('Ada', { title: 'Personal' });

const invalidGrant = { status: 400, body: { error: 'invalid_grant' } };
const MAKE = { method: 'POST' } as const;

describe('an attacker with codes and tokens', () => {
  let service: TestService;
  let issuer: string;
  let app: OAuthApp;
  let rival: OAuthApp;
  let browser: Visitor;
  beforeAll(async () => {
    service = await startService();
    await service.import({
      users: [user('Ada'), user('Bob')],
      organizations: [acme, beta],
      recordings: [shared, other, personal],
    });
    issuer = issuerOf(service);
    app = await OAuthApp.register(issuer);
    rival = await OAuthApp.register(issuer, { client_name: 'Rival' });
    browser = await browserOf(service, 'Ada');
  });
  afterAll(() => service.stop());

  const codeFor = async (wanted: Wanted = {}): Promise<string> =>
    (await app.decide(browser, await app.ask(browser, wanted))).searchParams.get('code')!;
  const read = (token: string) => service.api.as(token).get('/recordings');
  const isOver = { status: 401, body: refusal('INVALID_TOKEN') };
  /** The error with which a request for authorization is sent back to its client. */
  const sentBack = ({ status, headers }: Visit): Record<string, string> => {
    const url = new URL(headers.get('location')!);
    expect([status, url.origin + url.pathname]).toEqual([303, REDIRECT]);
    return Object.fromEntries(url.searchParams);
  };

  it.each<[what: string, asRival: boolean, params: Record<string, string | undefined>, error: string]>([
    ['of another client', true, {}, 'invalid_grant'],
    ['with another verifier', false, { code_verifier: 'v'.repeat(43) }, 'invalid_grant'],
    ['without a verifier', false, { code_verifier: undefined }, 'invalid_grant'],
    ['with another redirect', false, { redirect_uri: `${REDIRECT}/` }, 'invalid_grant'],
    ['for another resource', false, { resource: 'https://elsewhere.test' }, 'invalid_target'],
  ])('cannot use a code %s', async (_, asRival, params, error) => {
    const code = await codeFor();
    const given = { code_verifier: app.verifier, ...params };
    expect(await (asRival ? rival : app).redeem(code, given)).toMatchObject({ status: 400, body: { error } });
  });

  it('who uses a code a second time ends the connection', async () => {
    const code = await codeFor();
    const { body } = await app.redeem(code);
    expect((await read(body.access_token)).status).toBe(200);
    expect(await app.redeem(code)).toMatchObject(invalidGrant);
    expect(await read(body.access_token)).toMatchObject(isOver);
    expect(await app.refresh(body.refresh_token)).toMatchObject(invalidGrant);
  });

  it('gets tokens once for a code that is used twice at the same time', async () => {
    const code = await codeFor();
    const replies = await Promise.all([app.redeem(code), app.redeem(code), app.redeem(code)]);
    expect(replies.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
    expect(replies.map(({ body }) => body.error).filter(Boolean)).toEqual(
      expect.arrayContaining(['invalid_grant', 'invalid_grant']),
    );
  });

  it('cannot have more later than what was decided, and each request is decided', async () => {
    const tokens = await app.connect(browser, { scope: 'recordings:read transcripts:read' });
    const wider = await app.refresh(tokens.refresh_token, { scope: 'recordings:read recordings:write' });
    expect(wider).toMatchObject({ status: 400, body: { error: 'invalid_scope' } });
    const narrower = await app.refresh(tokens.refresh_token, { scope: 'transcripts:read' });
    expect(narrower).toMatchObject({ status: 200, body: { scope: 'transcripts:read' } });
    expect(await read(narrower.body.access_token)).toMatchObject({
      status: 403,
      body: refusal('FORBIDDEN'),
    });
    for (const scope of ['recordings:read', 'recordings:read recordings:write']) {
      const again = await app.ask(browser, { scope });
      expect([again.status, again.url.pathname]).toEqual([
        200,
        expect.stringMatching(/^\/oauth\/consent\/[\w-]+$/),
      ]);
      const silent = sentBack(await app.ask(browser, { scope, params: { prompt: 'none' } }));
      expect(silent).toEqual({
        error: expect.stringMatching(/^(login|consent|interaction)_required$/),
        error_description: expect.any(String),
        iss: issuer,
        state: 's1',
      });
    }
  });

  it('who refreshes several times at once gets tokens once, which work', async () => {
    const tokens = await app.connect(browser);
    const replies = await Promise.all([1, 2, 3].map(() => app.refresh(tokens.refresh_token)));
    const won = replies.filter(({ status }) => status === 200);
    const lost = replies.filter(({ body }) => body.error === 'invalid_grant');
    expect([won.length, lost.length]).toEqual([1, 2]);
    expect((await read(won[0]!.body.access_token)).status).toBe(200);
    expect((await app.refresh(won[0]!.body.refresh_token)).status).toBe(200);
  });

  it("cannot give back or refresh another client's tokens", async () => {
    const tokens = await app.connect(browser);
    await rival.post('/oauth/revoke', { token: tokens.refresh_token });
    await rival.post('/oauth/revoke', { token: tokens.access_token });
    expect(await rival.refresh(tokens.refresh_token)).toMatchObject(invalidGrant);
    // As the service refers to the codes of devices.
    expect(await rival.refresh('ref.0.AAAA')).toMatchObject(invalidGrant);
    expect((await read(tokens.access_token)).status).toBe(200);
    expect((await app.refresh(tokens.refresh_token)).status).toBe(200);
  });

  it('reaches through /mcp only what the user chose', async () => {
    const form = { reach: 'chosen', organization: acme.id };
    const resource = `${issuer}/mcp`;
    const { access_token: token } = await app.connect(browser, { resource, form });
    const agent = await connectMcp(service.api.base, token);
    const { recordings } = await agent.output('list_recordings');
    expect(recordings.map(({ title }: { title: string }) => title)).toEqual(['Shared']);
    for (const id of [other.id, personal.id])
      expect(await agent.refusal('get_recording', { recording_id: id })).toContain('not found');
    expect(await agent.tools()).not.toContain('update_recording');
    await expect(agent.call('update_recording', { recording_id: shared.id, title: 'X' })).rejects.toThrow(
      'not found',
    );
    for (const path of ['/recordings', '/me', '/api-keys', '//scim/v2/Users'])
      expect((await service.api.as(token).get(path)).status).toBe(401);
  });

  it.each(['/mcp', '/mcp/', '/MCP', '/mcp?x=1'])(
    'does not get to %s with a token for the API',
    async (path) => {
      const { access_token: token } = await app.connect(browser, { resource: `${issuer}/api/v1` });
      const message = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
      const reply = await fetch(service.api.base + path, { ...MAKE, headers, body: JSON.stringify(message) });
      expect([401, 404]).toContain(reply.status);
    },
  );

  it('with a token cannot become more than it: no keys, sessions, pages or other clients', async () => {
    const scope = 'recordings:read organizations:read organizations:manage';
    const { access_token: token } = await app.connect(browser, { scope });
    const client = service.api.as(token);
    for (const [path, body] of [
      ['/api-keys', { name: 'x' }],
      [`/organizations/${acme.id}/service-accounts`, { name: 'Bot', role: 'ADMIN' }],
    ] as const)
      expect([path, (await client.post(path, body)).status]).toEqual([path, 403]);
    expect((await client.get('/me/connections')).status).toBe(403);
    expect((await client.delete(`/me?confirm=${emailOf('Ada')}`)).status).toBe(403);
    const page = await fetch(`${service.api.base}/account`, {
      redirect: 'manual',
      headers: { cookie: `mrs_session=${token}` },
    });
    expect(page.headers.get('location')).toContain('/sign-in');
    expect((await service.api.as(keyOf('Ada')).get('/api-keys')).body.data).toHaveLength(1);
  });
});
