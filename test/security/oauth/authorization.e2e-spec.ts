import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { member, organization, user } from '../../factories/workspace.js';
import { Visitor, type Visit } from '../../support/browser-visit.js';
import { browserOf, issuerOf, OAuthApp, REDIRECT } from '../../support/oauth.js';
import { startService, type TestService } from '../../support/service.js';

const acme = organization('Acme', { members: [member('Ada', 'OWNER')] });
const MAKE = { method: 'POST' } as const;

describe('an attacker of the authorization server', () => {
  let service: TestService;
  let issuer: string;
  let app: OAuthApp;
  let browser: Visitor;
  beforeAll(async () => {
    service = await startService();
    await service.import({ users: [user('Ada'), user('Bob')], organizations: [acme] });
    issuer = issuerOf(service);
    app = await OAuthApp.register(issuer);
    browser = await browserOf(service, 'Ada');
  });
  afterAll(() => service.stop());

  /** The error with which a request for authorization is sent back to its client. */
  const sentBack = ({ status, headers }: Visit): Record<string, string> => {
    const url = new URL(headers.get('location')!);
    expect([status, url.origin + url.pathname]).toEqual([303, REDIRECT]);
    return Object.fromEntries(url.searchParams);
  };

  it('cannot pass for this issuer, which the metadata and each answer name whatever the Host', async () => {
    const { port } = new URL(issuer);
    const { body } = await service.api.request('GET', '//.well-known/oauth-authorization-server', {
      headers: { 'x-forwarded-host': 'evil.test', 'x-forwarded-proto': 'https', forwarded: 'host=evil.test' },
    });
    expect(body).toMatchObject({
      issuer: `http://localhost:${port}`,
      authorization_endpoint: `http://localhost:${port}/oauth/authorize`,
      token_endpoint: `http://localhost:${port}/oauth/token`,
      authorization_response_iss_parameter_supported: true,
      code_challenge_methods_supported: ['S256'],
      response_types_supported: ['code'],
      client_id_metadata_document_supported: true,
    });
    for (const path of ['', '/mcp', '/api/v1']) {
      const metadata = await fetch(`${issuer}/.well-known/oauth-protected-resource${path}`);
      const named = { resource: issuer + path, authorization_servers: [issuer] };
      expect(await metadata.json()).toMatchObject(named);
    }
    const failed = await app.ask(browser, { params: { prompt: 'none' } });
    expect(sentBack(failed)).toMatchObject({ iss: issuer, state: 's1' });
  });

  it.each([
    'https://evil.test/callback',
    `${REDIRECT}/`,
    `${REDIRECT}/more`,
    `${REDIRECT}?next=https://evil.test`,
    `${REDIRECT}#fragment`,
    `${REDIRECT}%2f..%2fother`,
    'https://assistant.test/callback/../other',
    'https://assistant.test@evil.test/callback',
    'https://me:secret@assistant.test/callback',
    'https://assistant.test:8443/callback',
    'https://ASSISTANT.test/callback',
    'https://assistant.test.evil.test/callback',
    'http://assistant.test/callback',
    '//assistant.test/callback',
    'javascript:alert(1)',
    'data:text/html,x',
  ])('is not led to %s', async (uri) => {
    for (const params of [{}, { response_type: 'token' }, { prompt: 'none' }, { scope: 'operator' }]) {
      const page = await app.ask(browser, { params: { redirect_uri: uri, ...params } });
      expect([page.status, page.headers.get('location')]).toEqual([400, null]);
      expect(page.text).toContain('invalid_redirect_uri');
    }
  });

  it('finds that programs on a device may use any port of it, but nothing else', async () => {
    const program = await OAuthApp.register(issuer, {
      redirect_uris: ['http://127.0.0.1:8000/back', 'com.acme.app:/back'],
    });
    const statusFor = async (uri: string): Promise<number> =>
      (await browser.request(program.authorizationUrl({ params: { redirect_uri: uri } }))).status;
    for (const uri of ['http://127.0.0.1:8000/back', 'http://127.0.0.1:9/back', 'com.acme.app:/back'])
      expect([uri, await statusFor(uri)]).toEqual([uri, 303]);
    for (const uri of [
      'http://127.0.0.1:8000/other',
      'http://localhost:8000/back',
      'http://127.0.0.1.evil.test:8000/back',
      'https://127.0.0.1:8000/back',
      'com.acme.app:/other',
      'com.acme.app2:/back',
    ])
      expect([uri, await statusFor(uri)]).toEqual([uri, 400]);
  });

  it.each([
    ['GET', '/.well-known/oauth-authorization-server'],
    ['POST', '/oauth/token'],
    ['POST', '/oauth/register'],
  ])('finds no cookie in what pages of any site may read: %s %s', async (method, path) => {
    const origin = 'https://app.test';
    const asks = {
      'access-control-request-method': method,
      'access-control-request-headers': 'content-type',
    };
    const preflight = await fetch(issuer + path, { method: 'OPTIONS', headers: { origin, ...asks } });
    expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([204, '*']);
    const { headers } = await fetch(issuer + path, { method, headers: { origin } });
    expect(headers.get('access-control-allow-credentials')).toBeNull();
    expect(['*', origin]).toContain(headers.get('access-control-allow-origin'));
    expect(headers.getSetCookie()).toEqual([]);
    const page = await browser.request(app.authorizationUrl(), { headers: { origin } });
    expect(page.headers.get('access-control-allow-origin')).toBeNull();
  });

  it.each([
    { code_challenge: undefined, code_challenge_method: undefined },
    { code_challenge_method: 'plain' },
    { code_challenge_method: undefined },
    { code_challenge: 'short' },
  ])('cannot go without PKCE: %j', async (params) => {
    expect(sentBack(await app.ask(browser, { params }))).toMatchObject({
      error: 'invalid_request',
      iss: issuer,
    });
  });

  it.each([
    { response_type: 'token' },
    { response_type: 'id_token' },
    { response_mode: 'fragment' },
    { response_mode: 'web_message' },
  ])('gets no answer in another form than a code in the query: %j', async (params) => {
    const page = await app.ask(browser, { params });
    const { error = 'shown' } = page.status === 303 ? sentBack(page) : {};
    expect(['shown', 'unsupported_response_type', 'unsupported_response_mode']).toContain(error);
    expect(page.text).not.toContain('name="decision"');
  });

  it('cannot decide for the user', async () => {
    const page = await app.ask(browser);
    const [, csrf = ''] = /name="csrf" value="([^"]+)"/.exec(page.text)!;
    const form = { csrf, decision: 'allow', scope: 'recordings:read', reach: 'all', days: '7' };
    const send = (from: Visitor, fields: Record<string, string>, headers: Record<string, string>) =>
      from.request(page.url, { ...MAKE, body: new URLSearchParams(fields), headers });
    const own = { origin: issuer, 'sec-fetch-site': 'same-origin' };
    const { csrf: _, ...unsigned } = form;
    expect((await send(browser, unsigned, own)).status).toBe(403);
    expect((await send(browser, { ...form, csrf: 'x'.repeat(csrf.length) }, own)).status).toBe(403);
    const foreign = { origin: 'https://evil.test', 'sec-fetch-site': 'cross-site' };
    expect((await send(browser, form, foreign)).status).toBe(403);
    // A link is no decision.
    const opened = await browser.request(`${page.url}?${new URLSearchParams(form)}`);
    expect([opened.status, opened.text]).toEqual([200, expect.stringContaining('name="decision"')]);
    // Nor may the browser of somebody else, also if they are the same user.
    for (const name of ['Bob', 'Ada'])
      expect((await send(await browserOf(service, name), form, own)).status).toBe(404);
    expect((await new Visitor().request(page.url)).status).toBe(404);
    // Somebody else has signed in meanwhile.
    const bob = await browserOf(service, 'Bob');
    const mine = browser.cookie(issuer, 'mrs_session')!;
    browser.setCookie(issuer, 'mrs_session', bob.cookie(issuer, 'mrs_session')!);
    expect((await send(browser, form, own)).status).toBe(403);
    browser.setCookie(issuer, 'mrs_session', mine);
    expect((await send(browser, form, own)).status).toBe(303);
  });

  it('does not get scopes that no client can have, nor organizations of others', async () => {
    const page = await app.ask(browser, { scope: 'recordings:read' });
    const form = { scope: ['recordings:read', 'operator', 'keys:manage'], days: '7' };
    const back = await app.decide(browser, page, form);
    expect((await app.redeem(back.searchParams.get('code')!)).body.scope).toBe('recordings:read');
    const own = await OAuthApp.register(issuer);
    const asked = await own.ask(await browserOf(service, 'Bob'));
    const nobody = { reach: 'chosen', organization: acme.id };
    await expect(own.decide(await browserOf(service, 'Bob'), asked, nobody)).rejects.toThrow('404');
  });
});
