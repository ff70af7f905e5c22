import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { id, keyOf, member, organization, user } from '../../factories/workspace.js';
import type { Client, Reply } from '../../support/client.js';
import { directoryOf, entraUser, Scim, scimError } from '../../support/scim.js';
import { startService, type TestService } from '../../support/service.js';

const acme = organization('Acme', {
  members: [member('Ada', 'OWNER'), member('Alan', 'ADMIN'), member('Edith', 'EDITOR')],
});
const globex = organization('Globex', { members: [member('Gus', 'OWNER'), member('Ada', 'OWNER')] });
let service: TestService;
let ada: Client;
let acmes: Scim;
let globexes: Scim;

beforeAll(async () => {
  const grants = [{ value: 'Many', organization: globex.id, role: 'EDITOR' }];
  const client = { client_id: 'mrs', client_secret: 'secret' };
  const provider = { name: 'idp', label: 'IdP', issuer: 'https://idp.test', ...client, grants };
  service = await startService({
    RATE_LIMIT_WRONG_KEYS_PER_MINUTE: '0',
    IDENTITY_PROVIDERS: JSON.stringify([provider]),
  });
  await service.import({
    users: ['Ada', 'Alan', 'Edith', 'Gus'].map((name) => user(name)),
    organizations: [acme, globex],
  });
  ada = service.api.as(keyOf('Ada'));
  acmes = await directoryOf(service, ada, acme.id);
  globexes = await directoryOf(service, service.api.as(keyOf('Gus')), globex.id);
});
afterAll(() => service?.stop());

const scimOf = async (name: string, limits: object): Promise<Scim> => {
  const { body } = await service.api.as(keyOf(name)).post('/api-keys', { name: 'directory', ...limits });
  return new Scim(service.api.base, body.data.key);
};
const result = ({ status, body }: Reply) => [status, body?.scimType ?? null, body?.detail ?? null];
const SCOPE = { scopes: ['directory:manage'] };

describe('who keeps a directory', () => {
  it('has a key of one organization with the scope, and is an OWNER or a service account that is ADMIN', async () => {
    const ofAcme = { ...SCOPE, organizations: [acme.id] };
    expect((await (await scimOf('Ada', ofAcme)).get('/Users')).status).toBe(200);
    for (const [name, limits] of [
      ['Ada', SCOPE],
      ['Ada', { ...SCOPE, organizations: [acme.id, globex.id] }],
      ['Ada', { scopes: ['organizations:manage'], organizations: [acme.id] }],
      ['Ada', { scopes: ['read-only'], organizations: [acme.id] }],
      ['Alan', ofAcme],
      ['Edith', ofAcme],
    ] as const) {
      const { status, body } = await (await scimOf(name, limits)).get('/Users');
      expect([name, status, body]).toEqual([name, 403, scimError(403, expect.any(String))]);
    }
    const editor = { name: 'Editor', role: 'EDITOR', ...SCOPE };
    const { body } = await ada.post(`/organizations/${acme.id}/service-accounts`, editor);
    const posted = await new Scim(service.api.base, body.data.api_key.key).post('/Users', entraUser('zed'));
    expect(posted.status).toBe(403);
  });

  it('is nobody without a valid key', async () => {
    const wrong = await new Scim(service.api.base, keyOf('Nobody')).get('/Users');
    expect([wrong.status, wrong.body]).toEqual([401, scimError(401, expect.any(String))]);
    expect(wrong.headers.get('www-authenticate')).toBe('Bearer');
    expect(wrong.headers.get('x-request-id')).toEqual(expect.any(String));
    const { status, body } = await new Scim(service.api.base, '').get('/Schemas');
    expect([status, body.status]).toEqual([401, '401']);
  });

  it('counts towards the rate limit of the user', async () => {
    const { headers } = await acmes.get('/Users?count=0');
    expect(Number(headers.get('ratelimit-remaining'))).toBeGreaterThan(0);
  });
});

describe('two directories', () => {
  it('never see each other, and may name the same people and groups', async () => {
    const one = (await acmes.post('/Users', entraUser('carol'))).body.id;
    const two = (await globexes.post('/Users', entraUser('dave'))).body.id;
    const { body: group } = await acmes.post('/Groups', { displayName: 'Team', members: [{ value: one }] });
    expect(
      result(await globexes.post('/Groups', { displayName: 'Team', members: [{ value: one }] })),
    ).toEqual([
      400,
      'invalidValue',
      'members: each must have the id of a user of this directory as its value',
    ]);
    expect((await globexes.get('/Groups')).body.totalResults).toBe(0);
    expect((await globexes.get('/Users')).body.Resources.map((found: { id: string }) => found.id)).toEqual([
      two,
    ]);
    const off = { op: 'replace', value: { active: false } };
    for (const reply of [
      await globexes.get(`/Users/${one}`),
      await globexes.patch(`/Users/${one}`, off),
      await globexes.put(`/Users/${one}`, entraUser('carol')),
      await globexes.delete(`/Users/${one}`),
      await globexes.get(`/Groups/${group.id}`),
      await globexes.patch(`/Groups/${group.id}`, { op: 'replace', path: 'displayName', value: 'X' }),
      await globexes.delete(`/Groups/${group.id}`),
    ])
      expect(reply.status).toBe(404);
    expect((await acmes.get(`/Users/${one}`)).body.active).toBe(true);
    // The same person in both: each says what it likes, and only about its own membership.
    const same = await globexes.post('/Users', entraUser('carol', { displayName: 'Her other name' }));
    expect([same.status, same.body.id]).toEqual([201, one]);
    await globexes.delete(`/Users/${one}`);
    expect((await acmes.get(`/Users/${one}`)).body).toMatchObject({ active: true, displayName: 'carol' });
  });
});

const times = (count: number, one: object): object[] => Array.from({ length: count }, () => one);

describe('what is refused', () => {
  const patchWith = (operations: unknown) => ({
    schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
    Operations: operations,
  });

  it.each([
    ['', 'invalidFilter'],
    ['userName', 'invalidFilter'],
    ['userName co "a"', 'invalidFilter'],
    ['userName eq "a" or userName eq "b"', 'invalidFilter'],
    ['not (userName eq "a")', 'invalidFilter'],
    ['password eq "a"', 'invalidFilter'],
    ['constructor eq "a"', 'invalidFilter'],
    ['userName eq "a" and ', 'invalidFilter'],
    ['userName eq "a\\u0000"', 'invalidFilter'],
    ['userName eq "\\ud800"', 'invalidFilter'],
    [`${'('.repeat(900)}userName eq "a"`, 'invalidFilter'],
    [`userName eq "${'a'.repeat(5_000)}"`, 'invalidFilter'],
    [`userName eq "${'\\a'.repeat(400)}`, 'invalidFilter'],
    [`${'a.'.repeat(490)} eq "a"`, 'invalidFilter'],
    [`userName eq "a"${' '.repeat(900)}x`, 'invalidFilter'],
  ])('the filter %.40j: %s', async (filter, scimType) => {
    const { status, body } = await acmes.get(`/Users?filter=${encodeURIComponent(filter)}`);
    expect([status, body]).toEqual([400, scimError(400, expect.any(String), scimType)]);
  });

  it.each<[string, string, string, unknown]>([
    ['no JSON', 'POST', '/Users', '{'],
    ['deep JSON', 'POST', '/Users', '['.repeat(5_000)],
    ['a list', 'POST', '/Users', []],
    ['nothing', 'POST', '/Users', undefined],
    ['another schema', 'POST', '/Users', { schemas: ['urn:x'], userName: 'a@b.c' }],
    ['schemas that are no list', 'PATCH', '/Users/ID', { schemas: null, Operations: null }],
    ['no user name', 'POST', '/Users', { emails: [{ value: 'a@b.c' }] }],
    ['no address', 'POST', '/Users', { userName: 'somebody' }],
    ['a wrong address', 'POST', '/Users', { userName: 'somebody', emails: [{ value: 'a b@c' }] }],
    ['a number for a name', 'POST', '/Users', { userName: 'a@b.c', displayName: 5 }],
    ['NUL in a name', 'POST', '/Users', { userName: 'a@b.c', displayName: 'a\0b' }],
    ['a long name', 'POST', '/Users', { userName: 'a@b.c', displayName: 'a'.repeat(300) }],
    ['many addresses', 'POST', '/Users', { userName: 'a@b.c', emails: times(3_000, { value: 'a@b.c' }) }],
    [
      'many operations',
      'PATCH',
      '/Users/ID',
      patchWith(times(101, { op: 'add', path: 'title', value: 'x' })),
    ],
    ['no operations', 'PATCH', '/Users/ID', patchWith([])],
    ['an unknown operation', 'PATCH', '/Users/ID', patchWith([{ op: 'copy', path: 'active', value: true }])],
    ['no boolean', 'PATCH', '/Users/ID', patchWith([{ op: 'replace', path: 'active', value: 'maybe' }])],
    ['no name any more', 'PATCH', '/Users/ID', patchWith([{ op: 'remove', path: 'userName' }])],
    [
      'many addresses later',
      'PATCH',
      '/Users/ID',
      patchWith([{ op: 'add', path: 'emails', value: times(3_000, {}) }]),
    ],
    [
      'another filter of members',
      'PATCH',
      '/Groups/ID',
      patchWith([{ op: 'remove', path: `members[${'('.repeat(5_000)}]` }]),
    ],
    [
      '10,000 members',
      'PATCH',
      '/Groups/ID',
      patchWith([
        { op: 'add', path: 'members', value: Array.from({ length: 10_000 }, () => ({ value: id() })) },
      ]),
    ],
    ['no name of a group', 'POST', '/Groups', { displayName: ' ' }],
    [
      'a long path',
      'PATCH',
      '/Users/ID',
      patchWith([{ op: 'add', path: `emails[${'type eq "work" '.repeat(90_000)}`, value: 'a@b.c' }]),
    ],
  ])('a body with %s', async (_, method, path, body) => {
    const type = path.startsWith('/Users') ? '/Users' : '/Groups';
    const { body: listed } = await acmes.get(type);
    const { status, body: error } = await acmes.request(
      method,
      path.replace('ID', listed.Resources[0].id),
      body,
    );
    expect([status, error]).toEqual([
      400,
      scimError(400, expect.any(String), expect.stringMatching(/^invalid/) as never),
    ]);
    expect(error.detail).not.toMatch(/undefined|cannot read|is not a function/i);
  });

  it('a body that is too large or of another type', async () => {
    const large = await acmes.request('POST', '/Users', JSON.stringify({ userName: 'x'.repeat(3_000_000) }));
    expect([large.status, large.body.status]).toEqual([413, '413']);
    const form = await acmes.request('POST', '/Users', 'a=b', 'application/x-www-form-urlencoded');
    expect([form.status, form.body.status]).toEqual([415, '415']);
    expect((await acmes.request('POST', '/Users', entraUser('json'), 'application/json')).status).toBe(201);
  });

  it('bulk requests and searches over everything', async () => {
    for (const path of ['/Bulk', '/.search', '/Users/.search'])
      expect([404, 405]).toContain((await acmes.request('POST', path, {})).status);
  });
});

describe('large groups', () => {
  it('change their members with a few statements, and the roles with them', async () => {
    const count = 1_500;
    await service.dataSource.query(
      `WITH people AS (
         INSERT INTO users (id, email, email_verified, name, plan, created_at)
         SELECT gen_random_uuid(), 'p' || n || '@many.test', true, 'P' || n, 'FREE', now() FROM generate_series(1, $1::int) n
         RETURNING id, email
       ), members AS (
         INSERT INTO organization_members (organization_id, user_id, role, granted_by, created_at)
         SELECT $2, id, 'VIEWER', 'directory', now() FROM people
       )
       INSERT INTO directory_users (organization_id, user_id, user_name, email, active, link, created_at, updated_at)
       SELECT $2, id, email, email, true, 'created', now(), now() FROM people`,
      [count, globex.id],
    );
    const ids: { id: string }[] = await service.dataSource.query(
      `SELECT user_id AS id FROM directory_users WHERE user_name LIKE '%@many.test'`,
    );
    const members = ids.map((one) => ({ value: one.id }));
    const { body } = await globexes.post('/Groups', { displayName: 'Many', members });
    expect(body.members).toHaveLength(count);
    const editors = () =>
      service.dataSource.query(
        `SELECT count(*)::int AS count FROM organization_members WHERE organization_id = $1 AND role = 'EDITOR'`,
        [globex.id],
      );
    expect(await editors()).toEqual([{ count }]);
    const removed = await globexes.patch(`/Groups/${body.id}`, {
      op: 'remove',
      path: 'members',
      value: members.slice(1),
    });
    expect(removed.status).toBe(204);
    expect((await globexes.get(`/Groups/${body.id}`)).body.members).toHaveLength(1);
    expect(await editors()).toEqual([{ count: 1 }]);
    const page = await globexes.get('/Users?count=1000');
    expect([page.body.itemsPerPage, page.body.Resources.length]).toEqual([200, 200]);
  });
});
