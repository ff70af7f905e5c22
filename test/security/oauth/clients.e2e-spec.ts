import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { user } from '../../factories/workspace.js';
import type { Visitor } from '../../support/browser-visit.js';
import { browserOf, issuerOf, OAuthApp, REDIRECT } from '../../support/oauth.js';
import { startService, type TestService } from '../../support/service.js';

const DAY_MS = 86_400_000;
const REGISTRATIONS = 200;

describe('a hostile OAuth client', () => {
  let service: TestService;
  let issuer: string;
  let browser: Visitor;
  beforeAll(async () => {
    service = await startService({ RATE_LIMIT_PASSWORDS_PER_MINUTE: String(REGISTRATIONS) });
    await service.import({ users: [user('Ada')] });
    issuer = issuerOf(service);
    browser = await browserOf(service, 'Ada');
  });
  afterAll(() => service.stop());

  const register = async (metadata: object) => {
    const response = await fetch(`${issuer}/oauth/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ redirect_uris: [REDIRECT], token_endpoint_auth_method: 'none', ...metadata }),
    });
    return { status: response.status, body: JSON.parse(await response.text()) };
  };
  const pageOf = (client: OAuthApp) => client.ask(browser, { scope: 'recordings:read' });

  it.each([
    [{ client_name: 'x'.repeat(101) }, 'client_name must be a line of 1 to 100 characters'],
    [{ client_name: '\u200b\u202e' }, 'client_name must be a line of 1 to 100 characters'],
    [{ client_name: 'a\u0007b' }, 'client_name must be a line of 1 to 100 characters'],
    [{ client_name: { en: 'x' } }, 'client_name must be a line of 1 to 100 characters'],
    [{ redirect_uris: Array.from({ length: 11 }, (_, n) => `${REDIRECT}${n}`) }, 'at most 10 URLs'],
    [{ redirect_uris: [`${REDIRECT}/${'x'.repeat(2_000)}`] }, 'at most 10 URLs'],
    [{ redirect_uris: ['http://assistant.test/callback'] }, 'at most 10 URLs'],
    [{ redirect_uris: ['javascript:alert(1)'] }, 'at most 10 URLs'],
    [{ redirect_uris: ['data:text/html,x'] }, 'at most 10 URLs'],
    [{ redirect_uris: [`${REDIRECT}#f`] }, 'at most 10 URLs'],
    [{ redirect_uris: ['https://me@assistant.test/'] }, 'at most 10 URLs'],
    [{ redirect_uris: ['/callback'] }, 'at most 10 URLs'],
    [{ redirect_uris: [] }, 'redirect_uris must contain members'],
    [{ redirect_uris: 'https://assistant.test/' }, 'at most 10 URLs'],
    [{ client_uri: `https://assistant.test/${'x'.repeat(17_000)}` }, 'at most 16384 bytes'],
    [{ grant_types: ['client_credentials'] }, 'grant_types'],
    [{ grant_types: ['implicit'], response_types: ['token'] }, 'grant_types'],
    [{ token_endpoint_auth_method: 'client_secret_jwt' }, 'token_endpoint_auth_method'],
  ])('is not registered with %j', async (metadata, problem) => {
    const { status, body } = await register(metadata);
    expect([status, body.error]).toEqual([
      400,
      expect.stringMatching(/^invalid_(client_metadata|redirect_uri)$/),
    ]);
    expect(body.error_description).toContain(problem);
  });

  it('is registered with what it asks for left out that no client has', async () => {
    const more = {
      scope: 'recordings:read operator',
      sector_identifier_uri: 'https://assistant.test/sector',
    };
    const { status, body } = await register({ ...more, client_id: 'mrs', client_secret: 'mine' });
    expect(status).toBe(201);
    expect(body.client_id).toMatch(/^[\da-f-]{36}$/);
    expect([body.client_secret, body.registration_access_token]).toEqual([undefined, undefined]);
    expect((await register({ client_name: 'x'.repeat(60_000) })).status).toBe(400);
  });

  it.each([
    ['<img src=x onerror=alert(1)>', '<bdi>&lt;img src=x onerror=alert(1)&gt;</bdi> asks'],
    ['Good\u202eevil\u2066', '<bdi>Goodevil</bdi> asks'],
    ['{client}{name}', '<bdi>{client}{name}</bdi> asks'],
  ])('is shown by its name as text: %j', async (name, shown) => {
    const page = await pageOf(await OAuthApp.register(issuer, { client_name: name }));
    expect(page.text).toContain(shown);
    expect(page.text).toContain('The app gave this name itself.');
  });

  it('has a secret that is kept as a hash, and is asked for', async () => {
    const { clientId, secret } = await OAuthApp.register(issuer, {
      token_endpoint_auth_method: 'client_secret_basic',
    });
    const app = OAuthApp.of(issuer, clientId);
    const back = await app.decide(browser, await pageOf(app));
    const send = async (given: string) => {
      const response = await fetch(`${issuer}/oauth/token`, {
        method: 'POST',
        headers: { authorization: `Basic ${Buffer.from(`${clientId}:${given}`).toString('base64')}` },
        body: new URLSearchParams({
          grant_type: 'authorization_code',
          code: back.searchParams.get('code')!,
          redirect_uri: REDIRECT,
          code_verifier: app.verifier,
        }),
      });
      return { status: response.status, body: JSON.parse(await response.text()) };
    };
    const [{ hash }] = await service.dataSource.query<[{ hash: string }]>(
      `SELECT encode(secret_hash, 'hex') AS hash FROM oauth_clients WHERE id = $1`,
      [clientId],
    );
    for (const wrong of ['x', hash, `${secret}x`])
      expect(await send(wrong)).toMatchObject({ status: 401, body: { error: 'invalid_client' } });
    expect((await app.redeem(back.searchParams.get('code')!)).body.error).toBe('invalid_client');
    expect((await send(secret!)).status).toBe(200);
  });

  it('finds nothing in the database that lets it in', async () => {
    const app = await OAuthApp.register(issuer, { token_endpoint_auth_method: 'client_secret_post' });
    const unused = await app.decide(browser, await pageOf(app));
    const first = await app.connect(browser);
    const { body: second } = await app.refresh(first.refresh_token);
    const device = await OAuthApp.of(issuer, 'mrs').post('/oauth/device-authorization', {});
    const { device_code, user_code } = device.body as unknown as Record<string, string>;
    const cookies = ['mrs_oauth', 'mrs_oauth_asked'].map((name) => browser.cookie(issuer, name));
    const secrets = [
      app.secret,
      unused.searchParams.get('code'),
      first.access_token,
      first.refresh_token,
      second.access_token,
      second.refresh_token,
      device_code,
      user_code,
      user_code!.replace('-', ''),
      ...cookies.filter(Boolean),
    ];
    expect(secrets).not.toContain(undefined);
    const tables = await service.dataSource.query<{ name: string }[]>(
      `SELECT oid::regclass::text AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace`,
    );
    expect(tables.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['oauth_artifacts', 'oauth_clients']),
    );
    const found: string[] = [];
    for (const { name } of tables) {
      const [row] = await service.dataSource.query(
        `SELECT count(*)::int AS count FROM ${name} t, unnest($1::text[]) secret WHERE position(secret IN t::text) > 0`,
        [secrets],
      );
      if (row.count > 0) found.push(name);
    }
    expect(found).toEqual([]);
  });

  it('is forgotten after a day if nobody has connected it', async () => {
    const [connected, unknown] = [await OAuthApp.register(issuer), await OAuthApp.register(issuer)];
    await connected.connect(browser);
    service.setNow(new Date(Date.now() + DAY_MS + 60_000));
    try {
      await OAuthApp.register(issuer);
    } finally {
      service.setNow(null);
    }
    expect((await pageOf(connected)).status).toBe(200);
    const refused = await pageOf(unknown);
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('invalid_client')]);
  });

  it('registers only so often from one address', async () => {
    let refused: Response | undefined;
    for (let count = 0; count <= REGISTRATIONS && !refused; count += 1) {
      const response = await fetch(`${issuer}/oauth/register`, { method: 'POST', body: '{}' });
      await response.text();
      if (response.status === 429) refused = response;
    }
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0);
  });
});
