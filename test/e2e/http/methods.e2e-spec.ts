import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { id, keyOf, user } from '../../factories/workspace.js';
import { rawRequest, refusal, sendRaw } from '../../support/client.js';
import { openapi } from '../../support/contract.js';
import { routesOf } from '../../support/routes.js';
import { startService, type TestService } from '../../support/service.js';
import { TUS } from '../../support/uploads.js';

/** Paths that are not in the API document, and the methods that their routes take. */
const ELSEWHERE: Readonly<Record<string, readonly string[]>> = {
  '/account': ['GET', 'POST'],
  '/app': ['GET'],
  '/app/master.m3u8': ['GET'],
  '/assets/app/{version}/master.m3u8': ['GET'],
  '/account/passkeys': ['POST'],
  '/account/passkeys/options': ['POST'],
  '/.well-known/oauth-authorization-server': ['GET'],
  '/.well-known/oauth-protected-resource': ['GET'],
  '/.well-known/oauth-protected-resource/api/v1': ['GET'],
  '/.well-known/oauth-protected-resource/mcp': ['GET'],
  '/assets/logos/{version}': ['GET'],
  '/assets/share/{version}/{name}': ['GET'],
  '/exports/{id}/file': ['GET'],
  '/join/{token}': ['GET', 'POST'],
  '/mcp': ['POST'],
  '/media/{id}/captions.vtt': ['GET'],
  '/media/{id}/hls/{token}/master.m3u8': ['GET'],
  '/media/{id}/thumbnail': ['GET'],
  '/media/{id}/video': ['GET'],
  '/oauth/authorize': ['GET'],
  '/oauth/authorize/{uid}': ['GET'],
  '/oauth/consent/{uid}': ['GET', 'POST'],
  '/oauth/device': ['GET', 'POST'],
  '/oauth/device/{uid}': ['GET'],
  '/oauth/device-authorization': ['POST'],
  '/oauth/register': ['POST'],
  '/oauth/revoke': ['POST'],
  '/oauth/token': ['POST'],
  '/s/{token}': ['GET', 'POST'],
  '/s/{token}/captions.vtt': ['GET'],
  '/s/{token}/oembed': ['GET'],
  '/s/{token}/poster.jpg': ['GET'],
  '/s/{token}/transcript': ['GET'],
  '/s/{token}/views': ['POST'],
  '/sign-in': ['GET'],
  '/sign-in/key': ['POST'],
  '/sign-in/link/{token}': ['GET', 'POST'],
  '/sign-in/mail': ['POST'],
  '/sign-in/passkey': ['POST'],
  '/sign-in/passkey/options': ['POST'],
  '/sign-out': ['POST'],
  '/sign-in/with/{provider}': ['GET'],
  '/sign-in/with/{provider}/callback': ['GET'],
  '/sign-in/with/{provider}/logout': ['GET', 'POST'],
  ...Object.fromEntries(
    ['Users', 'Groups'].flatMap((kind) => [
      [`/scim/v2/${kind}`, ['GET', 'POST']],
      [`/scim/v2/${kind}/{id}`, ['GET', 'PUT', 'PATCH', 'DELETE']],
    ]),
  ),
  '/scim/v2/ServiceProviderConfig': ['GET'],
  '/scim/v2/ResourceTypes': ['GET'],
  '/scim/v2/ResourceTypes/{id}': ['GET'],
  '/scim/v2/Schemas': ['GET'],
  '/scim/v2/Schemas/{id}': ['GET'],
};
/** Media, and what OAuth clients request by themselves. */
const OF_ANY_SITE = /^\/(media\/|\.well-known\/|oauth\/(token|register|revoke|device-authorization)$)/;
const SENT = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE'];
/** Answered by `@tus/server`. */
const isTus = (path: string): boolean => path.startsWith('/api/v1/uploads');

const templates = new Map<string, readonly string[]>([
  ...Object.entries(openapi.paths).map(
    ([path, operations]) => [path, Object.keys(operations).map((method) => method.toUpperCase())] as const,
  ),
  ...Object.entries(ELSEWHERE),
]);
const concrete = (template: string): string => template.replace(/\{\w+\}/g, id());
const patternOf = (template: string): RegExp => new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}$`);

/** What a request to this path may use: `/recordings/search` is also a recording with that id. */
function methodsOf(path: string): string[] {
  const own = [...templates]
    .filter(([template]) => patternOf(template).test(path))
    .flatMap(([, some]) => some);
  return [...new Set([...own, ...(own.includes('GET') ? ['HEAD'] : []), 'OPTIONS'])].sort();
}

const PATHS = [...templates.keys()].map((template) => [template, concrete(template)] as const);

describe('the methods of a URL', () => {
  let service: TestService;
  let key: string;

  beforeAll(async () => {
    service = await startService({ RATE_LIMIT_ANONYMOUS_PER_MINUTE: '0' });
    await service.import({ users: [user('Ada')] });
    key = keyOf('Ada');
  });
  afterAll(() => service.stop());

  const at = (path: string): string => path.replace(/^(?=\/(?!api\/v1))/, '/').replace(/^\/api\/v1/, '');
  const raw = (method: string, path: string) => sendRaw(service.api.base, rawRequest(method, path));

  it('are those of every route', () => {
    const paths = routesOf(service.app)
      .map((route) => route.split(' ')[1] ?? '')
      .filter((path) => path !== '/' && !/^\/(docs|openapi)/.test(path));
    const known = [...templates.keys()].map((template) => template.replace(/\{(\w+)\}/g, ':$1'));
    expect([...new Set(paths)].map((path) => path.replace('*path', 'master.m3u8')).sort()).toEqual(
      known.sort(),
    );
  });

  it.each(PATHS)('%s: OPTIONS names them, without a key', async (_, path) => {
    for (const api of [service.api, service.api.as(key), service.api.as('mrs_wrong')]) {
      const { status, headers, body } = await api.request('OPTIONS', at(path));
      expect([status, body]).toEqual([204, '']);
      if (isTus(path)) continue;
      expect(headers.get('allow')).toBe(methodsOf(path).join(', '));
      expect(headers.get('content-type')).toBeNull();
      const origin = OF_ANY_SITE.test(path) ? '*' : null;
      expect(headers.get('access-control-allow-origin')).toBe(origin);
    }
  });

  it.each(PATHS)('%s: every other one is 405, and Allow names those that are not', async (_, path) => {
    const allowed = methodsOf(path);
    for (const method of SENT.filter((each) => !allowed.includes(each))) {
      const { status, headers, body } = await raw(method, path);
      expect([method, status, headers.get('allow')]).toEqual([method, 405, allowed.join(', ')]);
      const message = `This URL does not accept ${method}, only ${allowed.join(', ')}.`;
      expect(body).toEqual(method === 'HEAD' ? '' : refusal('METHOD_NOT_ALLOWED', message));
    }
  });

  it('405 comes before 401, as 404 does: no key is looked up', async () => {
    for (const authorization of [undefined, 'Bearer mrs_wrong', `Bearer ${key}`]) {
      const headers: Record<string, string> = authorization === undefined ? {} : { authorization };
      expect((await service.api.request('PUT', '/me', { headers })).status).toBe(405);
      expect((await service.api.request('PUT', '/nothing', { headers })).status).toBe(404);
    }
  });

  it.each(['OPTIONS', 'TRACE', 'HEAD', 'PROPFIND', 'PUT'])('%s of an unknown URL is 404', async (method) => {
    for (const path of ['/api/v1/nothing', '/nothing', '/api/v2/me']) {
      const { status, headers } = await raw(method, path);
      expect([status, headers.get('allow')]).toEqual([404, null]);
    }
  });
});

describe('an unknown URL', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService({ RATE_LIMIT_ANONYMOUS_PER_MINUTE: '0' });
  });
  afterAll(() => service.stop());

  const messageAt = async (method: string, path: string): Promise<string> => {
    const { status, body } = await sendRaw(service.api.base, rawRequest(method, path));
    expect(status).toBe(404);
    return body.error.message;
  };
  const DOCS = 'All operations are described at /docs.';

  it.each([
    ['GET', '/recordings', 'GET /api/v1/recordings'],
    ['POST', '/v1/recordings/', 'POST /api/v1/recordings'],
    ['GET', `/recordings/${id()}/transcript?limit=5`, 'GET /api/v1/recordings/{id}/transcript'],
    ['PATCH', `/recordings/${id()}`, 'PATCH /api/v1/recordings/{id}'],
    ['GET', '/api/v2/me', 'GET /api/v1/me'],
    ['GET', '/api/v1/recording', 'GET /api/v1/recordings'],
    ['GET', `/api/v1/recordings/${id()}/summaries`, 'GET /api/v1/recordings/{id}/summary'],
    ['GET', '/api/v1/keys', 'GET /api/v1/api-keys'],
    ['GET', '/health', 'GET /health/live'],
  ])('%s %s leads to %s', async (method, path, nearest) => {
    expect(await messageAt(method, path)).toBe(
      `Nothing was found at this URL. Did you mean ${nearest}? ${DOCS}`,
    );
  });

  it.each([
    '/wp-login.php',
    '/nothing/at/all',
    `/api/v1/${'recordings/'.repeat(50)}`,
    '/%3Cscript%3E',
    '/.env',
    `/api/v1/recordings/${id()}/download`,
  ])('that is near to none leads to the documentation, and is not repeated: %s', async (path) => {
    expect(await messageAt('GET', path)).toBe(`Nothing was found at this URL. ${DOCS}`);
  });
});

describe('with CORS', () => {
  const ORIGIN = 'https://app.example';
  let service: TestService;
  beforeAll(async () => {
    service = await startService({ CORS_ORIGINS: ORIGIN });
    await service.import({ users: [user('Ada')] });
  });
  afterAll(() => service.stop());

  const options = (path: string, headers: Record<string, string>) =>
    service.api.request('OPTIONS', path, { headers: { origin: ORIGIN, ...headers } });

  it('any other OPTIONS request names the methods, which scripts may read', async () => {
    const { status, headers } = await options('/me', {});
    expect([status, headers.get('allow')]).toEqual([204, 'DELETE, GET, HEAD, OPTIONS, PATCH']);
    expect(headers.get('access-control-allow-origin')).toBe(ORIGIN);
    expect(headers.get('access-control-expose-headers')).toContain('Allow');
  });

  it.each([
    ['OPTIONS', 204, { ...TUS }],
    ['POST', 201, { ...TUS, 'upload-length': '5', 'upload-metadata': 'title SGk=' }],
    ['POST', 412, {}],
  ])(
    '%s of tus (%i) lets scripts read all headers that any other reply does',
    async (method, status, tus) => {
      const exposed = async (verb: string, path: string, headers: Record<string, string>) => {
        const reply = await service.api
          .as(keyOf('Ada'))
          .request(verb, path, { headers: { origin: ORIGIN, ...headers } });
        return [reply.status, reply.headers.get('access-control-expose-headers')!.split(/, ?/)] as const;
      };
      const [, others] = await exposed('GET', '/me', {});
      expect(others).toEqual(
        expect.arrayContaining(['X-Request-Id', 'Retry-After', 'Content-Range', 'Upload-Offset']),
      );
      expect(await exposed(method, '/uploads', tus)).toEqual([status, expect.arrayContaining(others)]);
    },
  );
});
