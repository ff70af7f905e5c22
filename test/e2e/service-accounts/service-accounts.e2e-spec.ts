import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  emailOf,
  folder,
  id,
  keyOf,
  member,
  organization,
  ownDeletion,
  recording,
  user,
} from '../../factories/workspace.js';
import { insertServiceAccount } from '../../factories/worlds.js';
import { type Client, outcome, refusal, type Reply } from '../../support/client.js';
import { SecurityEventsService } from '../../../src/modules/audit/security-events.service.js';
import { eventsOf } from '../../support/events.js';
import { eventually, startService, type TestService } from '../../support/service.js';

const HOOK = { url: 'https://hooks.example.com/x', types: ['*'] };

describe('service accounts of an organization', () => {
  let service: TestService;
  const people = ['Ada', 'Grace', 'Alan', 'Eve'].map((name) => user(name));
  const beta = organization('Beta', { members: [member('Eve', 'OWNER')] });
  let acme: ReturnType<typeof organization>;
  let hr: ReturnType<typeof folder>;
  let talk: ReturnType<typeof recording>;
  let home: string;

  beforeAll(async () => {
    service = await startService({}, { worker: true });
    await service.import({ users: people, organizations: [beta] });
  });
  afterAll(() => service.stop());

  beforeEach(async () => {
    hr = folder('HR', { restrictedTo: [emailOf('Grace')] });
    const name = `Acme ${Math.random()}`;
    acme = organization(name, {
      members: [member('Ada', 'OWNER'), member('Grace', 'ADMIN'), member('Alan', 'EDITOR')],
      folders: [hr],
    });
    talk = recording('Grace', { organization: name, folder: 'HR' });
    await service.import({ organizations: [acme], recordings: [talk] });
    home = `/organizations/${acme.id}`;
  });

  const as = (name: string): Client => service.api.as(keyOf(name));
  const create = async (fields: object = {}, client = as('Ada')): Promise<Reply['body']> => {
    const { status, body } = await client.post(`${home}/service-accounts`, {
      name: 'CRM sync',
      role: 'EDITOR',
      ...fields,
    });
    expect([status, body.error]).toEqual([201, undefined]);
    return body.data;
  };
  const clientOf = (account: Reply['body']): Client => service.api.as(account.api_key.key);
  const made = async (client: Client): Promise<string> =>
    (await client.post('/recordings', { title: 'Call', organization_id: acme.id, media: 'none' })).body.data
      .id;

  it('are users of kind service that are not among the members', async () => {
    const account = await create({ expires_in: 3600, scopes: ['profile:read', 'organizations:read'] });
    expect(account).toMatchObject({ name: 'CRM sync', role: 'EDITOR' });
    expect(account.api_key).toMatchObject({ name: 'CRM sync', organizations: [acme.id], folders: null });
    const { body } = await clientOf(account).get('/me');
    expect(body.data).toMatchObject({
      id: account.id,
      kind: 'service',
      name: 'CRM sync',
      email: expect.stringMatching(/\.invalid$/),
      email_verified: false,
    });
    expect((await as('Ada').get('/me')).body.data.kind).toBe('person');
    const members = (await as('Ada').get(`/organizations/${acme.id}/members`)).body.data;
    expect(members).toHaveLength(3);
    const { member_count: count } = (await clientOf(account).get(`/organizations/${acme.id}`)).body.data;
    expect(count).toBe(3);
    const { api_key: key, ...listed } = account;
    expect((await as('Grace').get(`${home}/service-accounts`)).body.data).toEqual([listed]);
    const { key: _, ...shown } = key;
    expect((await as('Grace').get(`${home}/service-accounts/${account.id}`)).body.data).toEqual({
      ...listed,
      api_keys: [expect.objectContaining(shown)],
    });
  });

  it('work for the organization, and only for it', async () => {
    const client = clientOf(await create({ role: 'ADMIN' }));
    const call = await made(client);
    expect((await client.get('/recordings')).body.pagination.total).toBe(2);
    expect((await as('Ada').get(`/recordings/${call}`)).body.data.owner.name).toBe('CRM sync');
    for (const refused of [
      client.post('/recordings', { title: 'Personal', media: 'none' }),
      client.post('/organizations', { name: 'Own' }),
      client.delete(ownDeletion((await client.get('/me')).body.data.email)),
      client.post('/api-keys', { name: 'wide', organizations: [beta.id] }),
      client.patch(`/recordings/${call}`, { organization_id: null }),
    ])
      expect((await refused).status).toBeGreaterThanOrEqual(400);
    expect(outcome(await client.get(`/organizations/${beta.id}`))).toEqual([404, 'ORGANIZATION_NOT_FOUND']);
    const own = (await client.post('/api-keys', { name: 'second' })).body.data;
    expect(own.organizations).toEqual([acme.id]);
  });

  it('do not rename themselves: those who manage them do', async () => {
    const account = await create({ role: 'ADMIN' });
    const { status, body } = await clientOf(account).patch('/me', { name: 'Robot' });
    const path = `/api/v1${home}/service-accounts/${account.id}`;
    expect([status, body]).toEqual([403, refusal('FORBIDDEN', expect.stringContaining(`PATCH ${path}.`))]);
    const renamed = await as('Ada').patch(`${home}/service-accounts/${account.id}`, { name: 'Robot' });
    expect(renamed.body.data.name).toBe('Robot');
  });

  it.each([
    ['an EDITOR', 'Alan', 'VIEWER', 403, 'FORBIDDEN'],
    ['an ADMIN who would make another', 'Grace', 'ADMIN', 403, 'FORBIDDEN'],
    ['an OWNER of another organization', 'Eve', 'VIEWER', 403, 'FORBIDDEN'],
    ['anyone for an OWNER', 'Ada', 'OWNER', 400, 'VALIDATION_ERROR'],
  ])('cannot be created by %s', async (_, name, role, status, code) => {
    expect(outcome(await as(name).post(`${home}/service-accounts`, { name: 'x', role }))).toEqual([
      status,
      code,
    ]);
  });

  it('are managed by those who manage their role', async () => {
    const admin = await create({ role: 'ADMIN' });
    const viewer = await create({ role: 'VIEWER' });
    const at = (account: Reply['body'], more = ''): string => `${home}/service-accounts/${account.id}${more}`;
    expect((await as('Grace').patch(at(viewer), { role: 'EDITOR' })).body.data.role).toBe('EDITOR');
    const key = `/keys/${admin.api_key.id}`;
    for (const refused of [
      as('Grace').patch(at(viewer), { role: 'ADMIN' }),
      as('Grace').patch(at(admin), { name: 'Mine' }),
      as('Grace').delete(at(admin)),
      as('Grace').post(at(admin, '/keys'), { name: 'x' }),
      as('Grace').post(at(admin, `${key}/rotate`), {}),
      as('Grace').delete(at(admin, key)),
      as('Alan').get(`${home}/service-accounts`),
      as('Alan').get(at(admin)),
      as('Alan').delete(at(viewer)),
      clientOf(admin).delete(at(admin)),
    ])
      expect(outcome(await refused)).toEqual([403, 'FORBIDDEN']);
    const gone = [404, 'SERVICE_ACCOUNT_NOT_FOUND'];
    const elsewhere = `/organizations/${beta.id}/service-accounts/${viewer.id}`;
    for (const unknown of [
      `${home}/service-accounts/${id()}`,
      `${home}/service-accounts/x`,
      at({ id: people[2]!.id }),
      elsewhere,
    ]) {
      const client = as(unknown === elsewhere ? 'Eve' : 'Ada');
      expect(outcome(await client.get(unknown))).toEqual(gone);
      expect(outcome(await client.patch(unknown, { name: 'x' }))).toEqual(gone);
      expect(outcome(await client.delete(unknown))).toEqual(gone);
      expect(outcome(await client.post(`${unknown}/keys`, { name: 'x' }))).toEqual(gone);
    }
  });

  it('cannot have keys that do more or work longer than that of the one who makes them', async () => {
    const limits = { scopes: ['organizations:manage', 'keys:manage', 'recordings:read'], expires_in: 3600 };
    const limited = service.api.as(
      (await as('Ada').post('/api-keys', { name: 'limited', ...limits })).body.data.key,
    );
    const fields = { name: 'x', role: 'VIEWER' };
    for (const [more, why] of [
      [{ scopes: ['audit:read'] }, 'does not have the scope audit:read'],
      [{ expires_in: 7200 }, 'expires at'],
    ] as const)
      expect((await limited.post(`${home}/service-accounts`, { ...fields, ...more })).body).toEqual(
        refusal('FORBIDDEN', expect.stringContaining(why)),
      );
    const { api_key: key } = await create(fields, limited);
    expect(key.scopes).toHaveLength(3);
    expect(Date.parse(key.expires_at)).toBeLessThanOrEqual(Date.now() + 3_600_000);
  });

  it.each([
    ['no id', ['x']],
    ['no folder', [id()]],
  ])('cannot be created for what is %s', async (_, folders) => {
    const { status, body } = await as('Ada').post(`${home}/service-accounts`, {
      name: 'x',
      role: 'VIEWER',
      folders,
    });
    const message = `folders: must be ids of folders of the organizations, not ${folders[0]}`;
    expect([status, body]).toEqual([400, refusal('VALIDATION_ERROR', message)]);
    expect((await as('Ada').get(`${home}/service-accounts`)).body.data).toEqual([]);
  });

  it('keep their last name in the audit log when they are deleted', async () => {
    const account = await create({ role: 'ADMIN' });
    const call = await made(clientOf(account));
    await as('Ada').patch(`${home}/service-accounts/${account.id}`, { name: 'CRM' });
    await as('Ada').delete(`${home}/service-accounts/${account.id}`);
    const log = async (query: string) => (await as('Ada').get(`${home}/audit-log?${query}`)).body.data;
    expect(await log(`target_id=${call}&type=recording.created`)).toMatchObject([
      { actor: { kind: 'user', id: account.id, name: 'CRM' } },
    ]);
    const [deleted] = await log(`target_id=${account.id}&type=service_account.deleted`);
    expect(deleted.changes).toMatchObject({ name: 'CRM', before: { role: 'ADMIN' } });
  });

  it('need keys that expire where the organization demands it', async () => {
    const account = await create();
    await service.dataSource.query('UPDATE organizations SET api_key_max_days = 90 WHERE id = $1', [acme.id]);
    const owner = service.api.as(
      (await as('Ada').post('/api-keys', { name: 'x', expires_in: 86_400 })).body.data.key,
    );
    expect(outcome(await clientOf(account).get(home))).toEqual([403, 'FORBIDDEN']);
    const again = { name: 'again', role: 'VIEWER', expires_in: 3_600 };
    const { body } = await owner.post(`${home}/service-accounts`, again);
    expect((await clientOf(body.data).get(home)).status).toBe(200);
    // Whoever manages it has a key that expires, and can nonetheless replace one that does not.
    const rotate = `${home}/service-accounts/${account.id}/keys/${account.api_key.id}/rotate`;
    const rotated = await owner.post(rotate, { expires_in: 3_600 });
    expect((await service.api.as(rotated.body.data.key).get(home)).status).toBe(200);
    const unlimited = await as('Ada').post(`${home}/service-accounts`, { name: 'x', role: 'VIEWER' });
    expect(outcome(unlimited)).toEqual([403, 'FORBIDDEN']);
  });

  it('see restricted folders that they are created for, or that name them', async () => {
    const viewer = clientOf(await create({ role: 'VIEWER', folders: [hr.id] }));
    expect((await viewer.get(`/recordings/${talk.id}`)).status).toBe(200);
    const other = await create({ role: 'VIEWER' });
    expect((await clientOf(other).get(`/recordings/${talk.id}`)).status).toBe(404);
    await as('Ada').patch(`/organizations/${acme.id}/folders/${hr.id}`, { restricted_to: [other.id] });
    expect((await clientOf(other).get(`/recordings/${talk.id}`)).status).toBe(200);
    expect((await viewer.get(`/recordings/${talk.id}`)).status).toBe(404);
    const { status, body } = await as('Ada').post(`${home}/service-accounts`, {
      name: 'x',
      role: 'VIEWER',
      folders: [id()],
    });
    expect([status, body.error.message]).toEqual([400, expect.stringContaining('folders: must be ids of')]);
  });

  it('are no members, and take over nothing from them', async () => {
    const account = await create({ role: 'ADMIN' });
    const at = `/organizations/${acme.id}/members`;
    const none = [404, 'MEMBER_NOT_FOUND'];
    expect(outcome(await as('Ada').patch(`${at}/${account.id}`, { role: 'OWNER' }))).toEqual(none);
    expect(outcome(await as('Ada').delete(`${at}/${account.id}`))).toEqual(none);
    expect(outcome(await clientOf(account).delete(`${at}/${account.id}`))).toEqual(none);
    const transfer = await as('Ada').post(`/organizations/${acme.id}/transfer`, { user_id: account.id });
    expect(outcome(transfer)).toEqual([400, 'VALIDATION_ERROR']);
    const removing = `${at}/${people[2]!.id}?new_owner=${account.id}`;
    expect(outcome(await as('Ada').delete(removing))).toEqual([400, 'VALIDATION_ERROR']);
    // Removed by the account, their recordings go to a person.
    const call = await made(as('Alan'));
    expect((await clientOf(account).delete(`${at}/${people[2]!.id}`)).status).toBe(200);
    expect((await as('Ada').get(`/recordings/${call}`)).body.data.owner.name).toBe('Ada');
  });

  it('outlive the member who created them', async () => {
    const client = clientOf(await create({ role: 'VIEWER' }, as('Grace')));
    expect((await as('Ada').delete(`/organizations/${acme.id}/members/${people[1]!.id}`)).status).toBe(200);
    expect((await client.get(`/organizations/${acme.id}`)).status).toBe(200);
  });

  it('are named in the audit log and in events, with what happens to them and to their keys', async () => {
    const events = await eventsOf(service, async () => {
      const account = await create({ role: 'ADMIN' });
      const client = clientOf(account);
      await made(client);
      await as('Ada').patch(`${home}/service-accounts/${account.id}`, { name: 'CRM', role: 'EDITOR' });
      await as('Ada').post(`${home}/service-accounts/${account.id}/keys`, { name: 'second' });
      await as('Ada').delete(`${home}/service-accounts/${account.id}/keys/${account.api_key.id}`);
    });
    const ofAcme = events.filter(({ organizationId }) => organizationId === acme.id);
    expect(ofAcme.map(({ type }) => type)).toEqual([
      'service_account.created',
      'api_key.created',
      'recording.created',
      'user.updated',
      'service_account.updated',
      'api_key.created',
      'api_key.revoked',
    ]);
    const { data: log } = (await as('Ada').get(`/organizations/${acme.id}/audit-log?type=recording.created`))
      .body;
    expect(log[0].actor).toMatchObject({ kind: 'user', name: 'CRM' });
    await service.app.get(SecurityEventsService).flush();
    const { body: signIns } = await as('Grace').get(`${home}/audit-log?type=sign_in.succeeded`);
    expect(signIns.data[0].actor.name).toBe('CRM');
    const seenBy = async (name: string): Promise<Reply['body'][]> =>
      (await as(name).get(`/events?organization_id=${acme.id}&limit=100`)).body.data;
    const seen = await seenBy('Grace');
    expect(seen.findLast(({ type }) => type === 'recording.created').data.actor.service_account).toBe('CRM');
    expect(seen.find(({ type }) => type === 'service_account.created').data).toMatchObject({
      service_account_id: expect.any(String),
      actor: { id: people[0]!.id, service_account: null },
      changes: { after: { role: 'ADMIN' } },
    });
    const types = (await seenBy('Alan')).map(({ type }) => type);
    expect(types.filter((type) => /^(service_account|api_key|user)\./.test(type))).toEqual([]);
  });

  it('leave with their keys, webhooks and links when they are deleted; recordings stay', async () => {
    const account = await create({ role: 'ADMIN' });
    const client = clientOf(account);
    const call = await made(client);
    const hook = await client.post('/webhooks', { ...HOOK, organization_id: acme.id });
    expect(hook.status).toBe(201);
    const { body } = await as('Ada').delete(`${home}/service-accounts/${account.id}`);
    expect(body.data).toMatchObject({ success: true, disabled_webhooks: [{ id: hook.body.data.id }] });
    expect(outcome(await client.get('/me'))).toEqual([401, 'USER_NOT_FOUND']);
    expect((await as('Ada').get(`/recordings/${call}`)).body.data.owner.name).toBe('Ada');
    expect((await as('Ada').get(`${home}/service-accounts`)).body.data).toEqual([]);
  });

  it('lose the webhooks of an ADMIN with the role', async () => {
    const account = await create({ role: 'ADMIN' });
    const hook = await clientOf(account).post('/webhooks', { ...HOOK, organization_id: acme.id });
    const { body } = await as('Ada').patch(`${home}/service-accounts/${account.id}`, { role: 'VIEWER' });
    expect(body.data.disabled_webhooks).toMatchObject([{ id: hook.body.data.id }]);
  });

  it('are refused at once, and deleted, with the organization', async () => {
    const account = await create();
    expect((await as('Ada').delete(`/organizations/${acme.id}?recordings=delete`)).status).toBe(200);
    expect(outcome(await clientOf(account).get('/me'))[0]).toBe(401);
    await eventually(async () =>
      expect(await service.dataSource.query('SELECT FROM users WHERE id = $1', [account.id])).toEqual([]),
    );
    expect(outcome(await clientOf(account).get('/me'))).toEqual([401, 'INVALID_API_KEY']);
  });

  it('rotate their own keys, or have them rotated; of two at once, one does', async () => {
    const account = await create();
    const first = `${home}/service-accounts/${account.id}/keys/${account.api_key.id}/rotate`;
    const both = await Promise.all([
      as('Ada').post(first, { overlap: 0 }),
      as('Ada').post(first, { overlap: 0 }),
    ]);
    expect(both.map(({ status }) => status).sort()).toEqual([201, 409]);
    const { data } = both.find(({ status }) => status === 201)!.body;
    expect((await clientOf(account).get('/me')).status).toBe(401);
    const client = service.api.as(data.key);
    expect((await client.post(`/api-keys/${data.id}/rotate`, {})).body.data.organizations).toEqual([acme.id]);
    expect(
      outcome(await as('Ada').post(`${home}/service-accounts/${account.id}/keys/${id()}/rotate`, {})),
    ).toEqual([404, 'API_KEY_NOT_FOUND']);
    expect((await as('Ada').delete(`${home}/service-accounts/${account.id}/keys/${data.id}`)).status).toBe(
      200,
    );
    expect((await client.get('/me')).status).toBe(401);
  });

  it('are at most 100', async () => {
    const bots = Array.from({ length: 99 }, (_, index) => ({
      name: `Bot${index}`,
      organizationId: acme.id,
      role: 'VIEWER',
    }));
    await Promise.all(bots.map((bot) => insertServiceAccount(service.dataSource, bot)));
    const both = await Promise.all(
      [1, 2].map(() => as('Ada').post(`${home}/service-accounts`, { name: 'x', role: 'VIEWER' })),
    );
    expect(both.map(({ status }) => status).sort()).toEqual([201, 409]);
  });

  it('are not among the users that operators list, who cannot give them an address or a plan', async () => {
    const account = await create();
    await service.dataSource.query('UPDATE users SET operator = true WHERE id = $1', [people[3]!.id]);
    const listed = (await as('Eve').get('/users?limit=100')).body.data.map(
      ({ name }: { name: string }) => name,
    );
    expect(listed.sort()).toEqual(['Ada', 'Alan', 'Eve', 'Grace']);
    const given = await as('Eve').patch(`/users/${account.id}`, { email: 'x@acme.test' });
    expect(outcome(given)).toEqual([409, 'CONFLICT']);
    expect((await as('Eve').delete(`/users/${account.id}`)).status).toBe(200);
    expect((await as('Ada').get(`${home}/service-accounts`)).body.data).toEqual([]);
  });
});
