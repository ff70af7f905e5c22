import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { keyOf, user } from '../../factories/workspace.js';
import type { Visitor } from '../../support/browser-visit.js';
import { ClientDocuments } from '../../support/client-documents.js';
import { browserOf, issuerOf, OAuthApp } from '../../support/oauth.js';
import { startService, type TestService } from '../../support/service.js';

/** How many documents are fetched for one address in a minute, and requests begun. */
const FETCHED = 120;

describe('the metadata document of an OAuth client', () => {
  let service: TestService;
  let documents: ClientDocuments;
  let issuer: string;
  let browser: Visitor;
  beforeAll(async () => {
    documents = await ClientDocuments.start();
    service = await startService({ RATE_LIMIT_PASSWORDS_PER_MINUTE: String(FETCHED) });
    await service.import({ users: [user('Ada')] });
    issuer = issuerOf(service);
    browser = await browserOf(service, 'Ada');
  });
  afterAll(async () => {
    await service.stop();
    await documents.stop();
  });

  const pageOf = (client: OAuthApp) => client.ask(browser, { scope: 'recordings:read' });

  it('is not looked for in the network of the service', async () => {
    for (const id of [
      documents.publish('/private'),
      documents.url('/private').replace('127.0.0.1', 'localhost'),
      'https://169.254.169.254/latest/meta-data',
      'https://[::1]/client.json',
      'http://assistant.test/client.json',
      'https://user@assistant.test/client.json',
      'https://assistant.test/client.json#x',
    ]) {
      const page = await pageOf(OAuthApp.of(issuer, id));
      expect([id, page.status, page.headers.get('location')]).toEqual([id, 400, null]);
      expect(page.text).toContain('invalid_client');
    }
    expect(documents.requests).toEqual([]);
  });

  it('says who asks, by the site that publishes it', async () => {
    documents.reach(service);
    const app = OAuthApp.of(issuer, documents.publish('/good'));
    const page = await pageOf(app);
    const { host } = new URL(app.clientId);
    expect(page.text).toContain('<bdi>Published</bdi> asks');
    expect(page.text).toContain(`published by <bdi>${host}</bdi>`);
    const { access_token: token } = await app.connect(browser, { scope: 'recordings:read' });
    expect((await service.api.as(token).get('/recordings')).status).toBe(200);
    const [newest] = (await service.api.as(keyOf('Ada')).get('/me/connections')).body.data;
    expect(newest.client).toEqual({ id: app.clientId, name: 'Published' });
    expect(documents.requests.filter((path) => path === '/good')).toHaveLength(1);
  });

  it('is refused if it is that of another client, or none', async () => {
    documents.reach(service);
    const moved = (location: string) =>
      documents.answer('/moved', (_request, response) => {
        response.writeHead(302, { location }).end();
      });
    const clients = [
      documents.publish('/mismatch', { client_id: documents.url('/good') }),
      documents.publish('/secret', { client_secret: 'secret' }),
      documents.publish('/method', { token_endpoint_auth_method: 'client_secret_basic' }),
      documents.publish('/redirects', { redirect_uris: ['http://evil.test/'] }),
      documents.publish('/script', { redirect_uris: ['javascript:alert(1)'] }),
      documents.publish('/name', { client_name: 'x'.repeat(101) }),
      documents.publish('/large', { logo_uri: `https://a.test/${'x'.repeat(40_000)}` }),
      moved(documents.url('/good')),
      documents.answer('/html', (_request, response) => {
        response.end('<html>');
      }),
      documents.answer('/list', (_request, response) => {
        response.end('[]');
      }),
      documents.answer('/endless', (request, response) => {
        const send = (): unknown => request.socket.destroyed || response.write('x'.repeat(16_000), send);
        send();
      }),
      documents.url('/missing'),
    ];
    for (const id of clients) {
      const page = await pageOf(OAuthApp.of(issuer, id));
      expect([id, page.status, page.headers.get('location')]).toEqual([id, 400, null]);
      expect([id, page.text]).toEqual([
        id,
        expect.stringMatching(/invalid_(client|client_metadata|redirect_uri)\b/),
      ]);
      const { body } = await OAuthApp.of(issuer, id).refresh('x');
      expect([id, body.error]).toEqual([
        id,
        expect.stringMatching(/^invalid_(client|client_metadata|redirect_uri)$/),
      ]);
    }
  });

  it('is not waited for longer than a few seconds', async () => {
    const begun = performance.now();
    const { body } = await OAuthApp.of(
      issuer,
      documents.answer('/silent', () => {}),
    ).refresh('x');
    expect(body.error).toBe('invalid_client');
    expect(performance.now() - begun).toBeLessThan(30_000);
  });

  it('is fetched only so often for one address', async () => {
    documents.reach(service);
    const first = documents.requests.length;
    for (let count = 0; count <= FETCHED; count += 1)
      await OAuthApp.of(issuer, documents.publish(`/many/${count}`)).refresh('x');
    const fetched = documents.requests.length - first;
    expect(fetched).toBeLessThan(FETCHED);
    const { body } = await OAuthApp.of(issuer, documents.publish('/late')).refresh('x');
    expect([body.error, documents.requests.length - first]).toEqual(['invalid_client', fetched]);
  });
});
