import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { folder, id, keyOf, member, organization, user } from '../../factories/workspace.js';
import type { Client } from '../../support/client.js';
import { directoryOf, entraUser, scimError, type Scim } from '../../support/scim.js';
import { startService, type TestService } from '../../support/service.js';

// The steps of Microsoft's SCIM validator, and of its provisioning service.

const board = folder('Board', { restrictedTo: [] });
const acme = organization('Acme', {
  members: [member('Ada', 'OWNER'), member('Grace', 'EDITOR'), member('Alan', 'EDITOR')],
  folders: [board],
});
const GRANTS = [
  { value: 'Editors', organization: acme.id, role: 'EDITOR' },
  { value: 'Board', organization: acme.id, role: 'VIEWER', folders: [board.id] },
  { value: 'Bosses', organization: acme.id, role: 'OWNER' },
];
let service: TestService;
let ada: Client;
let entra: Scim;

beforeAll(async () => {
  const provider = {
    name: 'entra',
    label: 'Entra ID',
    issuer: 'https://login.acme.test',
    client_id: 'mrs',
    client_secret: 'secret',
    grants: GRANTS,
  };
  service = await startService({ IDENTITY_PROVIDERS: JSON.stringify([provider]) });
  await service.import({ users: [user('Ada'), user('Grace'), user('Alan')], organizations: [acme] });
  ada = service.api.as(keyOf('Ada'));
  entra = await directoryOf(service, ada, acme.id);
});
afterAll(() => service?.stop());

const membersOf = async (): Promise<Record<string, string>> => {
  const { body } = await ada.get(`/organizations/${acme.id}/members?limit=100`);
  return Object.fromEntries(
    body.data.map((one: { email: string; role: string }) => [one.email.split('@')[0], one.role]),
  );
};
const create = async (name: string, more?: object): Promise<string> => {
  const { status, body } = await entra.post('/Users', entraUser(name, more));
  expect([status, body.detail]).toEqual([201, undefined]);
  return body.id;
};
const group = async (displayName: string, more: object = {}): Promise<string> => {
  const { status, body } = await entra.post('/Groups', {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'],
    externalId: `group-${displayName}`,
    displayName,
    meta: { resourceType: 'Group' },
    ...more,
  });
  expect([status, body.detail]).toEqual([201, undefined]);
  return body.id;
};
const filter = (text: string): string => `filter=${encodeURIComponent(text)}`;
const found = async (path: string) => {
  const { status, body } = await entra.get(path);
  return { status, total: body.totalResults, ids: body.Resources?.map((one: { id: string }) => one.id) };
};

describe('users of Entra ID', () => {
  it('are created, and members with the least rights', async () => {
    const { status, headers, body } = await entra.post('/Users', entraUser('barbara'));
    expect(status).toBe(201);
    expect(headers.get('content-type')).toBe('application/scim+json; charset=utf-8');
    expect(headers.get('location')).toBe(body.meta.location);
    expect(body).toEqual({
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
      id: expect.any(String),
      externalId: 'ext-barbara',
      userName: 'barbara@acme.test',
      name: { formatted: 'barbara Jones', familyName: 'Jones', givenName: 'barbara' },
      displayName: 'barbara',
      emails: [{ value: 'barbara@acme.test', type: 'work', primary: true }],
      active: true,
      meta: {
        resourceType: 'User',
        created: expect.any(String),
        lastModified: expect.any(String),
        location: `http://localhost:${new URL(service.api.base).port}/scim/v2/Users/${body.id}`,
      },
    });
    expect((await membersOf())['barbara']).toBe('VIEWER');
    expect((await entra.get(`/Users/${body.id}`)).body).toEqual(body);
  });

  it('are found by what identifies them, and only by that', async () => {
    const tom = await create('tom');
    const one = { status: 200, total: 1, ids: [tom] };
    expect(await found(`/Users?${filter('userName eq "tom@acme.test"')}`)).toEqual(one);
    expect(await found(`/Users?${filter('userName eq "TOM@acme.test"')}`)).toEqual(one);
    expect(await found(`/Users?${filter('externalId eq "ext-tom"')}`)).toEqual(one);
    expect(await found(`/Users?${filter('emails[type eq "work"].value eq "tom@acme.test"')}`)).toEqual(one);
    const both = 'userName eq "tom@acme.test" and externalId eq "ext-tom"';
    expect(await found(`/Users?${filter(both)}`)).toEqual(one);
    const none = { status: 200, total: 0, ids: [] };
    expect(await found(`/Users?${filter(`userName eq "${id()}"`)}`)).toEqual(none);
    expect(await found(`/Users?${filter('id eq "nobody"')}`)).toEqual(none);
  });

  it('are refused a second time', async () => {
    await create('ursula');
    const again = await entra.post('/Users', entraUser('ursula', { emails: [] }));
    expect([again.status, again.body]).toEqual([409, scimError(409, expect.any(String), 'uniqueness')]);
    const sameId = await entra.post('/Users', entraUser('other', { externalId: 'ext-ursula' }));
    expect([sameId.status, sameId.body.scimType]).toEqual([409, 'uniqueness']);
  });

  it('change by the paths that it sends, also those that were never there or are not kept', async () => {
    const path = `/Users/${await create('vera')}`;
    const { status, body } = await entra.patch(
      path,
      { op: 'Replace', path: 'emails[type eq "work"].value', value: 'vera.new@acme.test' },
      { op: 'Replace', path: 'name.familyName', value: 'Smith' },
      { op: 'Add', path: 'displayName', value: 'Vera Smith' },
      { op: 'Replace', path: 'title', value: 'Manager' },
      { op: 'Add', path: 'phoneNumbers[type eq "mobile"].value', value: '+49 30 1' },
      { op: 'Add', path: 'roles[primary eq "True"].value', value: 'Boss' },
      {
        op: 'Add',
        path: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:manager',
        value: 'somebody',
      },
    );
    expect([status, body.emails, body.name, body.displayName]).toEqual([
      200,
      [{ value: 'vera.new@acme.test', type: 'work', primary: true }],
      { formatted: 'vera Jones', familyName: 'Smith', givenName: 'vera' },
      'Vera Smith',
    ]);
    const whole = await entra.patch(path, {
      op: 'replace',
      value: { 'name.givenName': 'V.', 'emails[type eq "work"].value': 'v@acme.test', active: 'True' },
    });
    expect([whole.body.name.givenName, whole.body.emails[0].value]).toEqual(['V.', 'v@acme.test']);
    const removed = await entra.patch(path, { op: 'Remove', path: 'externalId' });
    expect([removed.status, removed.body.externalId]).toEqual([200, undefined]);
  });

  it('are disabled with a text in place of a boolean, stay in the list, and come back', async () => {
    const path = `/Users/${await create('wanda')}`;
    const off = await entra.patch(path, { op: 'Replace', path: 'active', value: 'False' });
    expect([off.status, off.body.active]).toEqual([200, false]);
    expect((await membersOf())['wanda']).toBeUndefined();
    expect((await entra.get(path)).body.active).toBe(false);
    const on = await entra.patch(path, { op: 'Replace', value: { active: 'True' } });
    expect([on.status, on.body.active]).toEqual([200, true]);
    expect((await membersOf())['wanda']).toBe('VIEWER');
  });

  it('are deleted, which ends the membership', async () => {
    const path = `/Users/${await create('xenia')}`;
    expect((await entra.delete(path)).status).toBe(204);
    expect((await membersOf())['xenia']).toBeUndefined();
    expect((await entra.get(path)).body).toEqual(scimError(404, expect.any(String)));
    expect((await entra.delete(path)).status).toBe(404);
  });

  it('keep the role that a member has given them since', async () => {
    const path = `/Users/${await create('rosa')}`;
    const promoted = await ada.patch(`/organizations/${acme.id}/members/${path.slice(7)}`, {
      role: 'EDITOR',
    });
    expect(promoted.status).toBe(200);
    await entra.patch(path, { op: 'Replace', path: 'displayName', value: 'Rosa' });
    expect((await membersOf())['rosa']).toBe('EDITOR');
  });

  it('are no members if they arrive disabled, also who was one', async () => {
    const { body } = await entra.post('/Users', entraUser('alan', { active: false }));
    expect([body.active, (await membersOf())['alan']]).toEqual([false, undefined]);
    const { body: nadia } = await entra.post('/Users', entraUser('nadia', { active: 'False' }));
    expect([nadia.active, (await membersOf())['nadia']]).toEqual([false, undefined]);
  });

  it('keep what members have given them: an editor who is linked stays one', async () => {
    const { body } = await entra.post('/Users', entraUser('grace', { displayName: 'Somebody Else' }));
    expect((await membersOf())['grace']).toBe('EDITOR');
    const { name, email } = (await service.api.as(keyOf('Grace')).get('/me')).body.data;
    expect([body.displayName, name, email]).toEqual(['Somebody Else', 'Grace', 'grace@acme.test']);
  });
});

describe('groups of Entra ID', () => {
  it('are created, found without their members, renamed and deleted', async () => {
    const yara = await create('yara');
    const path = `/Groups/${await group('Plain', { members: [{ value: yara }] })}`;
    expect((await entra.get(path)).body.members).toEqual([{ value: yara, display: 'yara' }]);
    const listed = await entra.get(`/Groups?excludedAttributes=members&${filter('displayName eq "plain"')}`);
    expect([listed.body.totalResults, listed.body.Resources[0].members]).toEqual([1, undefined]);
    const both = `id eq "${path.slice(8)}" and members eq "${yara}"`;
    expect((await found(`/Groups?${filter(both)}`)).total).toBe(1);
    expect((await entra.post('/Groups', { displayName: 'Plain' })).body.scimType).toBe('uniqueness');
    expect((await entra.patch(path, { op: 'Replace', path: 'displayName', value: 'Simple' })).status).toBe(
      204,
    );
    expect((await entra.get(`${path}?excludedAttributes=members`)).body).toEqual({
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'],
      id: path.slice(8),
      externalId: 'group-Plain',
      displayName: 'Simple',
      meta: expect.objectContaining({ resourceType: 'Group' }),
    });
    expect((await entra.delete(path)).status).toBe(204);
    expect((await entra.get(path)).status).toBe(404);
    expect((await membersOf())['yara']).toBe('VIEWER');
  });

  it('give and take roles and folders as the table of the identity provider says', async () => {
    const [zoe, zara] = [await create('zoe'), await create('zara')];
    const editors = `/Groups/${await group('Editors')}`;
    const directors = `/Groups/${await group('Board', { members: [{ value: zara }] })}`;
    const folderMembers = async () =>
      (await ada.get(`/organizations/${acme.id}/folders`)).body.data.find(
        (one: { id: string }) => one.id === board.id,
      ).restricted_to;
    expect(await folderMembers()).toEqual([zara]);
    const added = { op: 'Add', path: 'members', value: [{ value: zoe }, { value: zara }] };
    expect((await entra.patch(editors, added)).status).toBe(204);
    expect(await membersOf()).toMatchObject({ zoe: 'EDITOR', zara: 'EDITOR' });
    expect((await entra.patch(editors, { op: 'Remove', path: `members[value eq "${zoe}"]` })).status).toBe(
      204,
    );
    expect(await membersOf()).toMatchObject({ zoe: 'VIEWER', zara: 'EDITOR' });
    await entra.patch(editors, { op: 'Replace', path: 'displayName', value: 'Authors' });
    expect((await membersOf())['zara']).toBe('VIEWER');
    await entra.patch(directors, { op: 'Remove', path: 'members', value: [{ value: zara }] });
    expect(await folderMembers()).toEqual([]);
  });

  it('never take the last OWNER, and make others one', async () => {
    const { body: boss } = await entra.post('/Users', entraUser('ada'));
    const bosses = `/Groups/${await group('Bosses', { members: [{ value: boss.id }] })}`;
    expect((await entra.patch(bosses, { op: 'Remove', path: 'members' })).status).toBe(204);
    expect((await membersOf())['ada']).toBe('OWNER');
    const off = await entra.patch(`/Users/${boss.id}`, { op: 'Replace', path: 'active', value: 'False' });
    expect(off.body).toEqual(scimError(409, expect.stringContaining('must have an OWNER')));
    const olga = await create('olga');
    await entra.patch(bosses, { op: 'Add', path: 'members', value: [{ value: olga }] });
    expect((await membersOf())['olga']).toBe('OWNER');
  });

  it('have only users of the directory', async () => {
    const path = `/Groups/${await group('Strict')}`;
    const add = (value: string) => entra.patch(path, { op: 'Add', path: 'members', value: [{ value }] });
    expect((await add(id())).body).toEqual(scimError(400, expect.any(String), 'invalidValue'));
    expect((await add('x')).status).toBe(400);
    expect((await entra.get(path)).body.members).toEqual([]);
  });
});
