import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { id } from '../factories/workspace.js';
import { refusal } from '../support/client.js';
import { isDocumentedElsewhere, openapi } from '../support/contract.js';
import { routesOf } from '../support/routes.js';
import { scimError } from '../support/scim.js';
import { startService, type TestService } from '../support/service.js';

/** Routes that work without a key. Think twice before adding to this list. */
const PUBLIC_PAGES = [
  'GET /account',
  // They lead to the page for signing in.
  'GET /app',
  'GET /app/*path',
  'GET /assets/app/:version/*path',
  'GET /assets/logos/:version',
  'GET /assets/share/:version/:name',
  'GET /exports/:id/file',
  'GET /health/live',
  'GET /health/ready',
  'GET /join/:token',
  'GET /media/:id/captions.vtt',
  'GET /media/:id/hls/:token/*path',
  'GET /media/:id/thumbnail',
  'GET /media/:id/video',
  'GET /s/:token',
  'GET /s/:token/captions.vtt',
  'GET /s/:token/oembed',
  'GET /s/:token/poster.jpg',
  'GET /s/:token/transcript',
  'GET /sign-in',
];
/** What a plan includes, and how to authenticate, is no secret, and the same for everyone. */
const PUBLIC_FACTS = [
  'GET /api/v1/plans',
  'GET /.well-known/oauth-authorization-server',
  'GET /.well-known/oauth-protected-resource',
  'GET /.well-known/oauth-protected-resource/api/v1',
  'GET /.well-known/oauth-protected-resource/mcp',
];
/** Authorized by the token of a share link: its password form, its views, and the equivalent for programs. */
const PUBLIC_SHARES = [
  'POST /s/:token',
  'POST /s/:token/views',
  'GET /api/v1/shares/:token',
  'POST /api/v1/shares/:token/access',
];
/** Authorized by the token of an invitation. */
const PUBLIC_INVITATIONS = ['POST /join/:token', 'POST /api/v1/invitations/accept'];
/** How people come by a session, and end it. */
const PUBLIC_SIGN_IN = [
  'GET /sign-in/link/:token',
  'POST /sign-in/key',
  'POST /sign-in/link/:token',
  'POST /sign-in/mail',
  'POST /sign-out',
];
/** To an identity provider and back, authorized by its tokens. */
const PUBLIC_PROVIDERS = [
  'GET /sign-in/with/:provider',
  'GET /sign-in/with/:provider/callback',
  'GET /sign-in/with/:provider/logout',
  'POST /sign-in/with/:provider/logout',
];
/** OAuth clients, authorized as its RFCs say, and the decision of somebody who has signed in. */
const PUBLIC_OAUTH = [
  'GET /oauth/authorize',
  'GET /oauth/authorize/:uid',
  'GET /oauth/consent/:uid',
  'GET /oauth/device',
  'GET /oauth/device/:uid',
  'POST /oauth/consent/:uid',
  'POST /oauth/device',
  'POST /oauth/device-authorization',
  'POST /oauth/register',
  'POST /oauth/revoke',
  'POST /oauth/token',
];
/** Refused to all but pages that were opened on this host. */
const PUBLIC_DEMO = ['POST /docs/demo-key'];
/** Whoever has a key can revoke it. */
const PUBLIC_REPORTS = ['POST /api/v1/api-keys/revoke-leaked'];
/** Authorized by a session and its token, or by a passkey. */
const PUBLIC_ACCOUNTS = ['POST /account', 'POST /sign-in/passkey', 'POST /sign-in/passkey/options'];
/** CORS preflight, sent by browsers without a key. */
const PUBLIC_OPTIONS = ['OPTIONS /api/v1/uploads', 'OPTIONS /api/v1/uploads/:id'];
const PUBLIC = [
  ...PUBLIC_PAGES,
  ...PUBLIC_FACTS,
  ...PUBLIC_SHARES,
  ...PUBLIC_INVITATIONS,
  ...PUBLIC_SIGN_IN,
  ...PUBLIC_DEMO,
  ...PUBLIC_PROVIDERS,
  ...PUBLIC_OAUTH,
  ...PUBLIC_REPORTS,
  ...PUBLIC_ACCOUNTS,
  ...PUBLIC_OPTIONS,
].sort();

/** `METHOD /path/:parameter` of every operation of the API document. */
function documented(): string[] {
  return Object.entries(openapi.paths).flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ':$1')}`),
  );
}

/** `/` leads there. */
const isDocs = (route: string): boolean => /^GET \/(?:docs(?:\/|$)|openapi\.|$)/.test(route);

describe('without a key', () => {
  let service: TestService;
  let routes: string[];

  beforeAll(async () => {
    service = await startService({}, { generated: true });
    routes = [...new Set([...routesOf(service.app), ...documented()])].filter(
      (route) => !isDocs(route) && !route.startsWith('ALL '),
    );
  });
  afterAll(() => service.stop());

  async function send(route: string, headers: Record<string, string> = {}): Promise<Response> {
    const [method, path = ''] = route.split(' ');
    return fetch(service.api.base + path.replace(/[:*]\w+/g, id()), { method, headers });
  }

  it('every documented operation is served', () => {
    expect(routesOf(service.app)).toEqual(expect.arrayContaining(documented()));
  });

  it('every route is in the API document (else: @Endpoint and npm run openapi) or documented elsewhere', () => {
    const known = new Set(documented());
    const unknown = routes.filter((route) => {
      const [method = '', path = ''] = route.split(' ');
      return !known.has(route) && !isDocumentedElsewhere(method, path);
    });
    expect(unknown).toEqual([]);
  });

  it('only the public routes reply with anything other than 401', async () => {
    const answered: string[] = [];
    for (const route of routes) {
      const response = await send(route);
      if (response.status !== 401) answered.push(route);
      else await expectUnauthorized(response, route);
    }
    expect(answered.sort()).toEqual(PUBLIC);
  });

  it.each(['', 'Bearer', 'Bearer ', 'Basic YTpi', 'mrs_0000000000000000000000', 'Bearer a b'])(
    'every route rejects the header "Authorization: %s" as malformed',
    async (authorization) => {
      for (const route of routes.filter((candidate) => !PUBLIC.includes(candidate))) {
        const response = await send(route, { authorization });
        expect([route, response.status]).toEqual([route, 401]);
        await expectUnauthorized(response, route);
      }
    },
  );

  it('HEAD, a trailing slash or different case do not bypass the key', async () => {
    const closed = routes.filter((route) => route.startsWith('GET /api/') && !PUBLIC.includes(route));
    for (const route of closed) {
      const path = route.slice('GET '.length);
      const variants = [`HEAD ${path}`, `GET ${path}/`, `GET ${path.replace('/api/v1', '/API/V1')}`];
      for (const variant of variants) {
        expect([variant, (await send(variant)).status]).toEqual([variant, 401]);
      }
    }
  });
});

async function expectUnauthorized(response: Response, route: string): Promise<void> {
  const challenge = response.headers.get('www-authenticate');
  // That of MCP says more (`e2e/mcp/protocol.e2e-spec.ts`).
  if (route === 'POST /mcp') expect(challenge).toMatch(/^Bearer resource_metadata="/);
  else expect(challenge).toBe('Bearer');
  // Replies to HEAD have no body.
  if (route.startsWith('HEAD ')) return;
  const expected = / \/scim\/v2\//.test(route)
    ? scimError(401, expect.stringMatching(/.{10,}/))
    : refusal('UNAUTHORIZED');
  expect(await response.json()).toEqual(expected);
}
