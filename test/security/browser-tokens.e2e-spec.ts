import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { csrfToken } from '../../src/platform/http/requests/session-cookie.js';
import { UrlSigner } from '../../src/platform/secrets/url-signer.js';
import { folder, keyOf, member, organization, recording, transcript, user } from '../factories/workspace.js';
import { browserToken, Page, SITE } from '../support/browser-tokens.js';
import { done, outcome, refusal, SESSION, type Client } from '../support/client.js';
import { openapi } from '../support/contract.js';
import { startService, type TestService } from '../support/service.js';
import { sessionOf } from '../support/sessions.js';
import { created, RawTus } from '../support/uploads.js';

const EVIL = 'https://evil.example';
const CONFIGURED = 'https://known.example';
const READ = ['recordings:read', 'transcripts:read'];
const WRITE = ['recordings:write', 'transcripts:write', 'summaries:write', 'questions'];
const ALL = [...READ, ...WRITE];
const HOUR_MS = 3_600_000;

/** Every operation that a token can be given, by its scope. Think twice before a line is added. */
const OPENED: Readonly<Record<string, readonly string[]>> = {
  'recordings:read': [
    'GET /action-items',
    'GET /recordings',
    'GET /recordings/{id}',
    'GET /recordings/{id}/summary',
    'GET /recordings/{id}/summary/revisions',
    'GET /recordings/{id}/summary/revisions/{revision}',
    'GET /recordings/{id}/tracks',
  ],
  'recordings:write': [
    'DELETE /uploads/{id}',
    'HEAD /uploads/{id}',
    'PATCH /recordings/{id}',
    'PATCH /recordings/{id}/tracks/{trackId}',
    'PATCH /uploads/{id}',
    'POST /recordings',
    'POST /recordings/bulk',
    'POST /recordings/{id}/tracks',
    'POST /recordings/{id}/upload',
    'POST /recordings/{id}/upload/complete',
    'POST /uploads',
    'PUT /recordings/{id}/media',
    'PUT /recordings/{id}/tracks/{trackId}/media',
  ],
  'transcripts:read': ['GET /recordings/{id}/transcript', 'GET /recordings/{id}/transcript/revisions'],
  'recordings:read, transcripts:read': ['GET /recordings/search'],
  'transcripts:write': [
    'PATCH /recordings/{id}/transcript/segments/{segmentId}',
    'PATCH /recordings/{id}/transcript/speakers',
    'POST /recordings/{id}/transcript/revisions/{revision}/restore',
    'POST /recordings/{id}/transcription',
    'PUT /recordings/{id}/transcript',
  ],
  'summaries:write': [
    'PATCH /recordings/{id}/action-items/{actionItemId}',
    'POST /recordings/{id}/summary',
    'POST /recordings/{id}/summary/revisions/{revision}/restore',
    'PUT /recordings/{id}/summary',
  ],
  questions: ['POST /questions', 'POST /recordings/{id}/questions'],
};

interface Asked {
  readonly method: string;
  readonly path: string;
  readonly scopes: readonly string[];
}

/** As the document has what operations require of an API key. */
type Secured = Record<string, Record<string, { readonly security?: readonly { bearer?: string[] }[] }>>;

/** All operations that take an API key. */
const OPERATIONS: readonly Asked[] = Object.entries(openapi.paths as unknown as Secured).flatMap(
  ([path, methods]) =>
    Object.entries(methods).flatMap(([method, { security = [] }]) => {
      const scopes = security.find(({ bearer }) => bearer)?.bearer;
      return scopes ? [{ method: method.toUpperCase(), path: path.replace('/api/v1', ''), scopes }] : [];
    }),
);

describe('a browser token', () => {
  let service: TestService;
  let ada: Client;
  const lobby = folder('Lobby');
  const board = folder('Board');
  const acme = organization('Acme', { members: [member('Ada', 'OWNER')], folders: [lobby, board] });
  const within = { organization: 'Acme', folder: 'Lobby', transcript: transcript(3) };
  const shown = recording('Ada', within);
  const beside = recording('Ada', { ...within, title: 'Beside' });
  const secret = recording('Ada', { ...within, folder: 'Board', title: 'Secret' });
  const personal = recording('Ada');

  beforeAll(async () => {
    service = await startService({ CORS_ORIGINS: CONFIGURED });
    await service.import({
      users: [user('Ada')],
      organizations: [acme],
      recordings: [shown, beside, secret, personal],
    });
    ada = service.api.as(keyOf('Ada'));
  });
  afterAll(() => service.stop());
  afterEach(() => service.setNow(null));

  const OF_SHOWN = `/recordings/${shown.id}`;
  const toShown = (fields: object = {}) => ({ scopes: READ, recordings: [shown.id], ...fields });
  const readerOf = ({ headers }: { readonly headers: Headers }): string | null =>
    headers.get('access-control-allow-origin');
  const ownKey = async (limits: object = {}): Promise<{ id: string; as: Client }> => {
    const { id, key } = await done(ada.post('/api-keys', { name: 'host', ...limits }));
    return { id, as: service.api.as(key) };
  };

  describe('beyond its origins', () => {
    it('works for pages of its own, which alone may read the reply, without cookies', async () => {
      const page = await Page.open(ada, toShown());
      const reply = await page.get(OF_SHOWN);
      expect([reply.status, readerOf(reply)]).toEqual([200, SITE]);
      expect(reply.headers.get('access-control-allow-credentials')).toBeNull();
      expect(reply.headers.get('vary')).toMatch(/\bOrigin\b/);
      expect(reply.headers.get('access-control-expose-headers')).toMatch(/Retry-After/);
      const missing = await page.get(`/recordings/${secret.id}`);
      expect([missing.status, readerOf(missing)]).toEqual([404, SITE]);
    });

    it.each([
      EVIL,
      'null',
      `${SITE}.evil.example`,
      'http://app.example',
      `${SITE}:8443`,
      'https://APP.example',
      CONFIGURED,
    ])('is refused for %s, which is named', async (origin) => {
      const reply = await (await Page.open(ada, toShown(), origin)).get(OF_SHOWN);
      expect([reply.status, reply.body.error]).toEqual([
        403,
        {
          code: 'FORBIDDEN',
          message: `This browser token is for pages of ${SITE}, not for pages of ${origin}.`,
        },
      ]);
      expect(readerOf(reply)).toBe(origin === CONFIGURED ? CONFIGURED : null);
    });

    it('is refused for programs, and for pages that another origin has opened from here', async () => {
      const page = await Page.open(ada, toShown(), null);
      const { body } = await page.get(OF_SHOWN);
      expect(body).toEqual(
        refusal(
          'FORBIDDEN',
          `This browser token is for pages of ${SITE}, not for a program that sends no Origin.`,
        ),
      );
      for (const site of ['same-origin', 'same-site', 'none'])
        expect((await page.get(OF_SHOWN, { headers: { 'sec-fetch-site': site } })).status).toBe(403);
    });

    it('works for pages of the service itself, whose reads have no Origin, if it is for them', async () => {
      const page = await Page.open(ada, toShown({ origins: [service.api.base] }), null);
      expect((await page.get(OF_SHOWN, { headers: { 'sec-fetch-site': 'same-origin' } })).status).toBe(200);
      expect((await page.get(OF_SHOWN, { headers: { 'sec-fetch-site': 'cross-site' } })).status).toBe(403);
      expect((await page.get(OF_SHOWN)).status).toBe(403);
    });

    const preflight = (path: string, headers: Record<string, string>) =>
      fetch(service.api.base + path, {
        method: 'OPTIONS',
        headers: { origin: EVIL, 'access-control-request-method': 'PATCH', ...headers },
      });

    it('may be sent from anywhere, as a preflight does not have it yet: so every page may ask, without cookies', async () => {
      for (const asked of ['authorization', 'authorization,content-type', 'content-type, Authorization']) {
        const reply = await preflight(`/api/v1${OF_SHOWN}`, { 'access-control-request-headers': asked });
        expect([reply.status, readerOf(reply)]).toEqual([204, EVIL]);
        expect(reply.headers.get('access-control-allow-headers')).toBe(asked);
        expect(reply.headers.get('access-control-allow-credentials')).toBeNull();
        expect(reply.headers.get('vary')).toMatch(/\bOrigin\b/);
      }
      for (const asked of ['x-csrf-token', 'x-authorization', 'content-type'])
        expect(
          readerOf(await preflight(`/api/v1${OF_SHOWN}`, { 'access-control-request-headers': asked })),
        ).toBeNull();
      for (const path of ['/mcp', '/scim/v2/Users', '/sign-in'])
        expect(
          readerOf(await preflight(path, { 'access-control-request-headers': 'authorization' })),
        ).toBeNull();
    });

    it('opens nothing to pages of other origins with a key or a session', async () => {
      const origin = { origin: EVIL };
      expect(readerOf(await ada.get(OF_SHOWN, { headers: origin }))).toBeNull();
      expect(readerOf(await service.api.get(OF_SHOWN, { headers: origin }))).toBeNull();
      const { csrf, cookie } = await sessionFor(service, ada);
      for (const headers of [
        { ...origin, cookie },
        { ...origin, cookie, 'x-csrf-token': csrf },
        { ...origin, cookie, authorization: 'Bearer mrb_1.e30.x' },
      ]) {
        const reply = await service.api.patch(OF_SHOWN, { title: 'Taken over' }, { headers });
        expect([reply.status >= 401, readerOf(reply)]).toEqual([true, null]);
      }
      expect((await done(ada.get(OF_SHOWN))).title).toBe('Weekly sync');
    });
  });

  describe('beyond its time', () => {
    it('is refused once it has expired, which its pages can read', async () => {
      const page = await Page.open(ada, toShown({ expires_in: 60 }));
      const now = Date.now();
      service.setNow(new Date(now + 58_000));
      expect((await page.get(OF_SHOWN)).status).toBe(200);
      service.setNow(new Date(now + 61_000));
      const reply = await page.get(OF_SHOWN);
      expect([...outcome(reply), readerOf(reply)]).toEqual([401, 'TOKEN_EXPIRED', SITE]);
      expect(reply.headers.get('www-authenticate')).toBe('Bearer error="invalid_token"');
      expect(readerOf(await page.at(EVIL).get(OF_SHOWN))).toBeNull();
    });

    it('is refused when its key is revoked, expires or is replaced', async () => {
      const [revoked, replaced] = [await ownKey(), await ownKey()];
      const expiring = await ownKey({ expires_in: 1800 });
      const pages = await Promise.all(
        [revoked, replaced, expiring].map(({ as }) => Page.open(as, toShown({ expires_in: 3600 }))),
      );
      for (const page of pages) expect((await page.get(OF_SHOWN)).status).toBe(200);
      await done(ada.delete(`/api-keys/${revoked.id}`));
      await done(ada.post(`/api-keys/${replaced.id}/rotate`, { overlap: 0 }));
      service.setNow(new Date(Date.now() + HOUR_MS / 2 + 1_000));
      const replies = await Promise.all(pages.map((page) => page.get(OF_SHOWN)));
      expect(replies.map(outcome)).toEqual([
        [401, 'INVALID_API_KEY'],
        [401, 'API_KEY_EXPIRED'],
        [401, 'TOKEN_EXPIRED'],
      ]);
      expect(replies[0]?.body.error.message).toMatch(
        /^The API key that this browser token stands for was revoked/,
      );
    });

    it('is as narrow as its key has become', async () => {
      const key = await ownKey();
      const [recordings, all] = [
        await Page.open(key.as, toShown()),
        await Page.open(key.as, { scopes: READ, folder: lobby.id }),
      ];
      await done(ada.patch(`/api-keys/${key.id}`, { scopes: ['recordings:read'] }));
      for (const page of [recordings, all]) {
        expect((await page.get(OF_SHOWN)).status).toBe(200);
        expect((await page.get(`${OF_SHOWN}/transcript`)).body).toEqual(
          refusal('FORBIDDEN', 'This browser token does not have the scope transcripts:read.'),
        );
      }
      await done(ada.patch(`/api-keys/${key.id}`, { folders: [board.id], organizations: [acme.id] }));
      for (const page of [recordings, all])
        expect(outcome(await page.get(OF_SHOWN))).toEqual([404, 'RECORDING_NOT_FOUND']);
      expect((await all.get('/recordings')).body.data).toEqual([]);
    });
  });

  it.each([
    ['other content', (token: string) => token.replace(/\.(.{9})./, '.$1A')],
    ['another signature', (token: string) => token.slice(0, -2) + (token.endsWith('A') ? 'BB' : 'AA')],
    ['no signature', (token: string) => token.split('.').slice(0, 2).join('.')],
    ['another version', (token: string) => token.replace('mrb_1', 'mrb_2')],
    ['the signature of another service', (token: string) => resigned(token, new UrlSigner(['x'.repeat(43)]))],
    [
      'what is signed for a URL',
      (token: string) =>
        `${token.split('.')[0]}.L3M.${service.app.get(UrlSigner).token('/s', new Date()).split('.')[1]}`,
    ],
  ])('is refused with %s', async (_, change) => {
    const token = await browserToken(ada, toShown());
    const reply = await new Page(ada, change(token)).get(OF_SHOWN);
    expect([reply.status, reply.body, readerOf(reply)]).toEqual([
      401,
      refusal('INVALID_API_KEY', 'This browser token is malformed, or this service has not signed it.'),
      null,
    ]);
  });

  describe('beyond its operations', () => {
    it('is given only those of its scopes', () => {
      const opened: Record<string, string[]> = {};
      for (const { method, path, scopes } of OPERATIONS)
        if (scopes.every((scope) => ALL.includes(scope)))
          (opened[scopes.join(', ')] ??= []).push(`${method} ${path}`);
      for (const operations of Object.values(opened)) operations.sort();
      expect(opened).toEqual(OPENED);
    });

    it('with all scopes, does nothing that needs another', async () => {
      const page = await Page.open(ada, { scopes: ALL, folder: lobby.id });
      const others = OPERATIONS.filter(({ scopes }) => !scopes.every((scope) => ALL.includes(scope)));
      expect(others.length).toBeGreaterThan(60);
      for (const { method, path } of others) {
        const reply = await page.request(method, path.replace(/\{\w+\}/g, shown.id));
        expect([method, path, reply.status, reply.body.error?.message]).toEqual([
          method,
          path,
          403,
          expect.stringMatching(/^This browser token does not have the scope /),
        ]);
      }
    });

    it.each(ALL)('with %s alone, does nothing that needs another', async (scope) => {
      const page = await Page.open(ada, { scopes: [scope], recordings: [shown.id] });
      for (const { method, path, scopes } of OPERATIONS) {
        if (scopes.every((one) => one === scope) || method === 'HEAD') continue;
        const reply = await page.request(method, path.replace(/\{\w+\}/g, shown.id));
        expect([method, path, ...outcome(reply)]).toEqual([method, path, 403, 'FORBIDDEN']);
      }
    });

    it('is limited to its recordings: others do not exist, and everything else is forbidden', async () => {
      const page = await Page.open(ada, { scopes: ALL, recordings: [shown.id, personal.id] });
      const unknown = refusal('RECORDING_NOT_FOUND', 'Recording not found.');
      for (const { method, path } of Object.values(OPENED).flat().map(toAsked)) {
        const isOfRecording = /^\/(recordings|uploads)\/\{id\}/.test(path);
        const reply = await page.request(
          method,
          path.replace('{id}', beside.id).replace(/\{\w+\}/g, secret.id),
        );
        const body = isOfRecording
          ? unknown
          : refusal(
              'FORBIDDEN',
              'This browser token is limited to certain recordings, so it cannot be used here.',
            );
        expect([method, path, reply.status]).toEqual([method, path, isOfRecording ? 404 : 403]);
        if (method !== 'HEAD') expect(reply.body).toEqual(body);
      }
      expect((await page.get(OF_SHOWN.toUpperCase().replace('RECORDINGS', 'recordings'))).status).toBe(200);
      expect((await page.get(`/recordings/${personal.id}`)).status).toBe(200);
    });

    it('uploads to its recording, resumably, and to no other', async () => {
      const [mine, others] = [await created(ada), await created(ada)];
      const fields = { scopes: ['recordings:write'], recordings: [mine.id] };
      const first = new RawTus(withOrigin(service, await browserToken(ada, fields)), mine.id);
      expect((await first.patch(0, Buffer.alloc(10))).status).toBe(204);
      const renewed = withOrigin(service, await browserToken(ada, fields));
      const head = await new RawTus(renewed, mine.id).head();
      expect([head.status, head.headers.get('upload-offset')]).toEqual([200, '10']);
      expect((await new RawTus(renewed, others.id).patch(0, Buffer.alloc(10))).status).toBe(404);
      expect((await new RawTus(renewed, others.id).delete()).status).toBe(404);
      expect((await new RawTus(renewed, mine.id).delete()).status).toBe(204);
      expect((await ada.get(`/recordings/${others.id}`)).status).toBe(200);
    });

    it('sees only its folder, and adds to that alone', async () => {
      const page = await Page.open(ada, { scopes: ALL, folder: lobby.id });
      const listed: { id: string }[] = await done(page.get('/recordings'));
      expect(listed.map(({ id }) => id).sort()).toEqual([shown.id, beside.id].sort());
      const found = await done(page.get('/recordings/search?q=sentence'));
      expect(JSON.stringify(found)).not.toContain(secret.id);
      for (const hidden of [secret, personal])
        expect(outcome(await page.get(`/recordings/${hidden.id}`))).toEqual([404, 'RECORDING_NOT_FOUND']);
      const add = (fields: object) => page.post('/recordings', { title: 'New', media: 'none', ...fields });
      expect((await add({})).status).toBe(403);
      for (const place of [{ folder_id: board.id }, {}])
        expect((await add({ organization_id: acme.id, ...place })).status).toBeGreaterThanOrEqual(400);
      const added = await done(add({ organization_id: acme.id, folder_id: lobby.id }));
      expect((await page.get(`/recordings/${added.id}`)).status).toBe(200);
      await done(ada.patch(`/recordings/${added.id}`, { folder_id: board.id }));
      expect((await page.get(`/recordings/${added.id}`)).status).toBe(404);
    });

    it('moves and deletes no recording', async () => {
      const pages = [
        await Page.open(ada, { scopes: ALL, recordings: [shown.id] }),
        await Page.open(ada, { scopes: ALL, folder: lobby.id }),
      ];
      for (const page of pages)
        for (const place of [
          { folder_id: board.id },
          { folder_id: null },
          { folder_id: lobby.id },
          { organization_id: null },
        ])
          expect((await page.patch(OF_SHOWN, { title: 'Moved', ...place })).body).toEqual(
            refusal('FORBIDDEN', 'This browser token cannot move recordings.'),
          );
      const ids = [shown.id];
      for (const what of [
        { action: 'move', folder_id: board.id, organization_id: acme.id },
        { action: 'delete' },
      ])
        expect((await pages[1]?.post('/recordings/bulk', { ids, mode: 'each', ...what }))?.status).toBe(403);
      expect(await done(ada.get(OF_SHOWN))).toMatchObject({ title: 'Weekly sync', folderId: lobby.id });
    });

    it('is taken neither by MCP nor by SCIM', async () => {
      const page = await Page.open(ada, { scopes: ALL, folder: lobby.id });
      const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
      expect((await page.post('//mcp', list)).body.error.message).toBe(
        'This browser token cannot be used here.',
      );
      expect((await page.get('//scim/v2/Users')).status).toBe(403);
      expect((await page.get('/events/stream')).status).toBe(403);
    });
  });

  describe('of one recipient', () => {
    const keyed = { headers: { 'idempotency-key': 'a-request-1' } };
    const rename = (page: Page) => page.patch(OF_SHOWN, { title: 'Weekly sync' }, keyed);
    const pageFor = (fields: object) => Page.open(ada, { ...toShown(), scopes: ALL, ...fields });
    const isReplay = async (page: Promise<Page>) =>
      (await rename(await page)).headers.get('idempotency-replayed') === 'true';

    it('repeats the requests of an earlier one, and never those of others', async () => {
      expect(await isReplay(pageFor({ recipient: 'one' }))).toBe(false);
      expect(await isReplay(pageFor({ recipient: 'one', expires_in: 120 }))).toBe(true);
      expect(await isReplay(pageFor({ recipient: 'two' }))).toBe(false);
      const other = (await ownKey()).as;
      expect(await isReplay(Page.open(other, { ...toShown(), scopes: ALL, recipient: 'one' }))).toBe(false);
      expect(await isReplay(pageFor({}))).toBe(false);
      expect(await isReplay(pageFor({ expires_in: 180 }))).toBe(false);
      expect(
        (await ada.patch(OF_SHOWN, { title: 'Weekly sync' }, keyed)).headers.get('idempotency-replayed'),
      ).toBeNull();
    });

    it('counts by itself', async () => {
      const [one, two] = [await pageFor({ recipient: 'three' }), await pageFor({ recipient: 'four' })];
      const left = async (page: Page) => (await page.get(OF_SHOWN)).headers.get('ratelimit-remaining');
      expect([await left(one), await left(one), await left(two)]).toEqual(['5999', '5998', '5999']);
    });
  });
});

const toAsked = (name: string): { method: string; path: string } => {
  const [method = '', path = ''] = name.split(' ');
  return { method, path };
};

/** A client that sends a token like a page of its origin. */
function withOrigin({ api }: TestService, token: string): Client {
  const page = new Page(api, token);
  return Object.assign(Object.create(api), {
    request: page.request.bind(page),
    delete: (path: string, options?: object) => page.request('DELETE', path, options),
  }) as Client;
}

function resigned(token: string, signer: UrlSigner): string {
  const signed = token.slice(0, token.lastIndexOf('.'));
  return `${signed}.${signer.signatureOf(signed)}`;
}

/** What the browser of somebody who is signed in has. */
async function sessionFor(service: TestService, as: Client): Promise<{ csrf: string; cookie: string }> {
  const { id } = await done(as.get('/me'));
  const token = (await sessionOf(service, id)).slice(SESSION.length);
  return { csrf: csrfToken(token), cookie: `mrs_session=${token}` };
}
