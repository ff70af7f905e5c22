import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { keyOf, recording, user } from '../../factories/workspace.js';
import { Visitor, type Visit } from '../../support/browser-visit.js';
import { refusal } from '../../support/client.js';
import { browserOf, issuerOf, OAuthApp, type TokenReply } from '../../support/oauth.js';
import { startService, type TestService } from '../../support/service.js';

const GRANT = 'urn:ietf:params:oauth:grant-type:device_code';

interface Shown {
  readonly device_code: string;
  readonly user_code: string;
  readonly verification_uri: string;
  readonly verification_uri_complete: string;
  readonly expires_in: number;
}

describe('a command line that shows a code', () => {
  let service: TestService;
  let cli: OAuthApp;
  let browser: Visitor;
  beforeAll(async () => {
    service = await startService();
    await service.import({ users: [user('Ada')], recordings: [recording('Ada', { title: 'Talk' })] });
    cli = OAuthApp.of(issuerOf(service), 'mrs');
    browser = await browserOf(service, 'Ada');
  });
  afterAll(() => service.stop());

  const begin = async (scope = 'recordings:read transcripts:read'): Promise<Shown> => {
    const { status, body } = await cli.post('/oauth/device-authorization', { scope });
    expect(status).toBe(200);
    return body as unknown as Shown;
  };
  const poll = ({ device_code }: Shown): Promise<TokenReply> => cli.token({ grant_type: GRANT, device_code });
  /** Types a code into the page. */
  const type = async (code: string, visitor = browser): Promise<Visit> => {
    const page = await visitor.open(`${issuerOf(service)}/oauth/device`);
    const [, xsrf = ''] = /name="xsrf" value="([^"]+)"/.exec(page.text)!;
    const sent = await visitor.request(page.url, {
      method: 'POST',
      body: new URLSearchParams({ xsrf, confirm: 'yes', user_code: code }),
      headers: { origin: issuerOf(service) },
    });
    const next = sent.headers.get('location');
    return next === null ? sent : visitor.open(new URL(next, page.url));
  };
  const failure = (error: string) => ({ status: 400, body: { error } });

  it('is connected by somebody who types it', async () => {
    const shown = await begin();
    expect(shown).toEqual({
      device_code: expect.any(String),
      user_code: expect.stringMatching(/^[B-Z]{4}-[B-Z]{4}$/),
      verification_uri: `${issuerOf(service)}/oauth/device`,
      verification_uri_complete: `${issuerOf(service)}/oauth/device?user_code=${shown.user_code}`,
      expires_in: 600,
    });
    expect(await poll(shown)).toMatchObject(failure('authorization_pending'));
    const page = await type(shown.user_code.toLowerCase().replace('-', ' '));
    expect(page.url.pathname).toMatch(/^\/oauth\/consent\//);
    expect(page.text).toContain('<bdi>npx mrs</bdi> asks to act for you');
    expect(page.text).toContain('The app runs on a device that showed you a code.');
    expect(await poll(shown)).toMatchObject(failure('authorization_pending'));
    const end = await cli.submit(browser, page, { scope: 'recordings:read' });
    expect([end.status, end.text]).toEqual([200, expect.stringContaining('<h1>Connected</h1>')]);
    const { status, body } = await poll(shown);
    expect([status, body.scope]).toEqual([200, 'recordings:read']);
    const { data } = (await service.api.as(body.access_token).get('/recordings')).body;
    expect(data).toMatchObject([{ title: 'Talk' }]);
    const refreshed = await cli.refresh(body.refresh_token);
    expect(refreshed.status).toBe(200);
    const [connection] = (await service.api.as(keyOf('Ada')).get('/me/connections')).body.data;
    expect(connection.client).toEqual({ id: 'mrs', name: 'npx mrs' });
    // Used a second time, the code was stolen.
    expect(await poll(shown)).toMatchObject(failure('invalid_grant'));
    expect(await service.api.as(refreshed.body.access_token).get('/recordings')).toMatchObject({
      status: 401,
      body: refusal('INVALID_TOKEN'),
    });
  });

  it('shows the code of a link to be checked, and sends nothing by itself', async () => {
    const { verification_uri_complete: link, user_code: code } = await begin();
    const page = await browser.open(link);
    expect([page.status, page.text]).toEqual([200, expect.stringContaining(`value="${code}"`)]);
    expect(page.text).not.toContain('<script');
  });

  it('learns that it was refused', async () => {
    const shown = await begin();
    const page = await cli.submit(browser, await type(shown.user_code), { decision: 'deny' });
    expect([page.status, page.text]).toEqual([200, expect.stringContaining('<h1>Not connected</h1>')]);
    expect(await poll(shown)).toMatchObject(failure('access_denied'));
    expect(await poll(shown)).toMatchObject({ status: 400 });
    expect((await type(shown.user_code)).status).toBe(400);
  });

  it('has ten minutes', async () => {
    const shown = await begin();
    service.setNow(new Date(Date.now() + 600_000 + 1_000));
    try {
      expect((await poll(shown)).body.error).toMatch(/^(expired_token|invalid_grant)$/);
      expect((await type(shown.user_code)).status).toBe(400);
    } finally {
      service.setNow(null);
    }
  });

  it('is not found by another code, or one that has been used', async () => {
    for (const code of ['WRNG-WRNG', '', 'x'.repeat(1_000), '<b>']) {
      const page = await type(code);
      expect([code, page.status]).toEqual([code, 400]);
      expect(page.text).toContain('This code is wrong, or no longer valid.');
      expect(page.text).not.toContain('<b>');
    }
    const shown = await begin();
    await type(shown.user_code);
    expect((await type(shown.user_code)).status).toBe(400);
  });

  it('cannot be connected by a form of another page', async () => {
    const { user_code } = await begin();
    for (const visitor of [browser, new Visitor()]) {
      const sent = await visitor.request(`${issuerOf(service)}/oauth/device`, {
        method: 'POST',
        body: new URLSearchParams({ confirm: 'yes', user_code }),
      });
      expect([sent.status, sent.headers.get('location')]).toEqual([400, null]);
    }
  });

  it.each(['nothing', '%22;--%20%5C', encodeURIComponent('quo\'te"')])(
    'has pages that nobody else can open: %s',
    async (uid) => {
      const page = await new Visitor().request(`${issuerOf(service)}/oauth/device/${uid}`);
      expect([page.status, page.text]).toEqual([400, expect.stringContaining('<h1>')]);
    },
  );

  it('has codes that no other client can use, and no other way to be connected', async () => {
    const app = await OAuthApp.register(issuerOf(service));
    expect(await app.post('/oauth/device-authorization', { scope: 'recordings:read' })).toMatchObject(
      failure('invalid_request'),
    );
    const other = await OAuthApp.register(issuerOf(service), {
      grant_types: [GRANT, 'refresh_token'],
      response_types: [],
    });
    const shown = await begin();
    expect(await other.token({ grant_type: GRANT, device_code: shown.device_code })).toMatchObject(
      failure('invalid_grant'),
    );
    const refused = await cli.ask(browser);
    expect([refused.status, refused.headers.get('location')]).toEqual([400, null]);
  });
});
