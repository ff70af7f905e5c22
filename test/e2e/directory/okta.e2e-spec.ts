import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { id, keyOf, member, organization, user } from '../../factories/workspace.js';
import { directoryOf, scimError, type Scim } from '../../support/scim.js';
import { startService, type TestService } from '../../support/service.js';

// The steps of Okta's SCIM 2.0 specification test, and of its group push.

const acme = organization('Acme', { members: [member('Ada', 'OWNER')] });
let service: TestService;
let okta: Scim;

beforeAll(async () => {
  service = await startService();
  await service.import({ users: [user('Ada')], organizations: [acme] });
  okta = await directoryOf(service, service.api.as(keyOf('Ada')), acme.id);
});
afterAll(() => service?.stop());

const oktaUser = (name: string, more: object = {}): object => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
  userName: `${name}@okta.test`,
  name: { givenName: 'Runscope', familyName: name },
  emails: [{ primary: true, value: `${name}@okta.test`, type: 'work' }],
  displayName: `Runscope ${name}`,
  locale: 'en-US',
  externalId: `00u${name}`,
  groups: [],
  password: 'never kept',
  active: true,
  ...more,
});
const LIST = 'urn:ietf:params:scim:api:messages:2.0:ListResponse';

describe('the specification test of Okta', () => {
  it('reads an empty list, and pages of users in a stable order', async () => {
    expect((await okta.get('/Users?count=1&startIndex=1')).body).toEqual({
      schemas: [LIST],
      totalResults: 0,
      startIndex: 1,
      itemsPerPage: 0,
      Resources: [],
    });
    for (const name of ['one', 'two', 'three']) await okta.post('/Users', oktaUser(name));
    const page = async (query: string) => {
      const { body } = await okta.get(`/Users?${query}`);
      const names = body.Resources.map(({ userName }: { userName: string }) => userName.split('@')[0]);
      return [body.totalResults, body.startIndex, body.itemsPerPage, names];
    };
    expect(await page('startIndex=1&count=2')).toEqual([3, 1, 2, ['one', 'two']]);
    expect(await page('startIndex=3&count=2')).toEqual([3, 3, 1, ['three']]);
    expect(await page('startIndex=9')).toEqual([3, 9, 0, []]);
    expect(await page('startIndex=0&count=0')).toEqual([3, 1, 0, []]);
    expect((await okta.get('/Users?count=many')).body).toEqual(
      scimError(400, 'count: must be a number', 'invalidValue'),
    );
  });

  it('finds nobody by an unknown name, and nothing by an unknown id', async () => {
    const unknown = encodeURIComponent(`userName eq "${id()}"`);
    expect((await okta.get(`/Users?filter=${unknown}`)).body.totalResults).toBe(0);
    for (const path of ['/Users/010101001010101011001010101011', `/Users/${id()}`, `/Groups/${id()}`]) {
      const { status, body } = await okta.get(path);
      expect([status, body]).toEqual([404, scimError(404, expect.any(String))]);
    }
  });

  it('creates a user, refuses another with the same name, replaces and disables them', async () => {
    const { status, body } = await okta.post('/Users', oktaUser('four'));
    expect([status, body.password, body.locale]).toEqual([201, undefined, undefined]);
    const path = `/Users/${body.id}`;
    const twice = await okta.post('/Users', oktaUser('four'));
    expect([twice.status, twice.body.schemas]).toEqual([
      409,
      ['urn:ietf:params:scim:api:messages:2.0:Error'],
    ]);
    const put = await okta.put(
      path,
      oktaUser('four', { id: body.id, name: { givenName: 'New', familyName: 'Name' } }),
    );
    expect([put.status, put.body.name]).toEqual([200, { givenName: 'New', familyName: 'Name' }]);
    const none = await okta.put(path, { userName: 'four', emails: [] });
    const still = [{ value: 'four@okta.test', type: 'work', primary: true }];
    expect([none.status, none.body.emails]).toEqual([200, still]);
    expect((await okta.patch(path, { op: 'remove', path: 'emails' })).body.emails).toEqual(still);
    const off = await okta.patch(path, { op: 'replace', value: { active: false } });
    expect([off.status, off.body.active]).toEqual([200, false]);
    expect((await okta.get(path)).body.active).toBe(false);
    const again = await okta.put(path, oktaUser('four'));
    expect([again.status, again.body.active]).toEqual([200, true]);
  });

  it('shows a part of the attributes', async () => {
    const { body } = await okta.post('/Users?attributes=userName', oktaUser('five'));
    expect(Object.keys(body).sort()).toEqual(['id', 'schemas', 'userName']);
    const { body: rest } = await okta.get(`/Users/${body.id}?excludedAttributes=name,emails,meta`);
    expect(Object.keys(rest).sort()).toEqual([
      'active',
      'displayName',
      'externalId',
      'id',
      'schemas',
      'userName',
    ]);
  });

  it('pushes a group: its name with its id, and its members', async () => {
    const { body: six } = await okta.post('/Users', oktaUser('six'));
    const { body: group } = await okta.post('/Groups', {
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'],
      displayName: 'Test SCIMv2',
      members: [],
    });
    const path = `/Groups/${group.id}`;
    await okta.patch(path, { op: 'replace', value: { id: group.id, displayName: 'Test SCIMv2 (renamed)' } });
    await okta.patch(
      path,
      { op: 'remove', path: `members[value eq "${six.id}"]` },
      { op: 'add', path: 'members', value: [{ value: six.id, display: 'six@okta.test' }] },
    );
    expect((await okta.get(path)).body).toMatchObject({
      displayName: 'Test SCIMv2 (renamed)',
      members: [{ value: six.id, display: 'Runscope six' }],
    });
    await okta.patch(path, { op: 'replace', path: 'members', value: [] });
    expect((await okta.get(path)).body.members).toEqual([]);
    const put = await okta.put(path, { displayName: 'Whole', members: [{ value: six.id }] });
    expect([put.status, put.body.members]).toEqual([200, [{ value: six.id, display: 'Runscope six' }]]);
    expect((await okta.get('/Groups?startIndex=1&count=100')).body.Resources).toHaveLength(1);
  });

  it('reads what the service supports', async () => {
    const { body: config } = await okta.get('/ServiceProviderConfig');
    expect(config).toMatchObject({
      patch: { supported: true },
      bulk: { supported: false },
      filter: { supported: true, maxResults: 200 },
      authenticationSchemes: [{ type: 'oauthbearertoken' }],
    });
    expect((await okta.get('/ResourceTypes/User')).body).toMatchObject({ id: 'User', endpoint: '/Users' });
    const { body: types } = await okta.get('/ResourceTypes');
    expect(types.Resources.map((one: { endpoint: string }) => one.endpoint)).toEqual(['/Users', '/Groups']);
    const { body: schema } = await okta.get('/Schemas/urn:ietf:params:scim:schemas:core:2.0:User');
    expect(schema.attributes.map((one: { name: string }) => one.name)).toEqual([
      'userName',
      'name',
      'displayName',
      'active',
      'emails',
    ]);
    expect((await okta.get('/Schemas')).body.totalResults).toBe(2);
    expect((await okta.get('/Schemas/urn:unknown')).body).toEqual(scimError(404, expect.any(String)));
  });
});
