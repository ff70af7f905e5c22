import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { id, keyOf, member, organization, user } from '../../factories/workspace.js';
import { done, outcome, refusal, type Client, type Reply } from '../../support/client.js';
import { keyed } from '../../support/idempotency.js';
import { insertServiceAccount } from '../../factories/worlds.js';
import { startService, type TestService } from '../../support/service.js';

describe('a program that provisions users, with the scope users:manage', () => {
  let service: TestService;
  let product: Client;
  let count = 0;
  /** External ids and addresses of this test. */
  let crm: string;
  let address: string;
  const [root, ada, eve] = [user('Root'), user('Ada'), user('Eve')];
  const acme = organization('Acme', { members: [member('Ada', 'OWNER'), member('Eve', 'VIEWER')] });

  const operators = async (...ids: string[]): Promise<void> => {
    await service.dataSource.query('UPDATE users SET operator = true WHERE id = ANY ($1)', [ids]);
  };
  const withScopes = async (...scopes: string[]): Promise<Client> => {
    const { key } = await done(service.api.as(keyOf('Root')).post('/api-keys', { name: 'product', scopes }));
    return service.api.as(key);
  };
  const put = (path: string, body: object): Promise<Reply> => product.request('PUT', path, { body });
  const statusAndMessage = ({ status, body }: Reply): [number, string] => [status, body.error?.message];

  beforeAll(async () => {
    service = await startService();
    await service.import({ users: [root, ada, eve], organizations: [acme] });
    await operators(root.id);
    product = await withScopes('users:manage', 'organizations:manage');
  });
  afterAll(() => service.stop());

  beforeEach(() => {
    count += 1;
    crm = `CRM ${count}/ü`;
    address = `customer${count}@customer.test`;
  });

  const path = (externalId: string): string => `/users/ext:${encodeURIComponent(externalId)}`;
  const made = (fields: object = {}): Promise<Reply['body']> =>
    done(product.post('/users', { name: 'Grace', email: address, ...fields }));

  it('creates a user, who is sent nothing, and finds them by external id and metadata', async () => {
    const metadata = { tier: `gold ${count}`, region: 'eu' };
    const reply = await product.post('/users', {
      name: ' Grace ',
      email: address,
      plan: 'FREE',
      external_id: crm,
      metadata,
    });
    const { data } = reply.body;
    expect([reply.status, data]).toEqual([
      201,
      {
        id: expect.any(String),
        email: address,
        email_verified: true,
        name: 'Grace',
        plan: 'FREE',
        is_operator: false,
        external_id: crm,
        metadata,
        created_at: expect.any(String),
      },
    ]);
    expect(reply.headers.get('location')).toBe(`/api/v1/users/${data.id}`);
    for (const found of [`/users/${data.id}`, path(crm)])
      expect(await done(product.get(found))).toEqual(data);
    for (const query of [
      `external_id=${encodeURIComponent(crm)}`,
      `metadata[tier]=gold%20${count}&metadata[region]=eu`,
    ])
      expect(await done(product.get(`/users?${query}`))).toEqual([data]);
    expect(await done(product.get(`/users?metadata[tier]=gold%20${count}&metadata[region]=us`))).toEqual([]);
    const logged = await service.dataSource.query(
      `SELECT type, actor_id FROM change_log WHERE target_id = $1 ORDER BY id`,
      [data.id],
    );
    expect(logged).toEqual([{ type: 'user.created', actor_id: root.id }]);
  });

  it('creates one user for a request that is repeated with its Idempotency-Key', async () => {
    const body = { name: 'Grace', email: address };
    const [first, again] = [
      await product.post('/users', body, keyed(`user-${count}`)),
      await product.post('/users', body, keyed(`user-${count}`)),
    ];
    expect([again.status, again.body]).toEqual([201, first.body]);
  });

  it('names the user who has the external id or the verified address, and lets several have an unverified one', async () => {
    const { id: other } = await made({ external_id: crm });
    const unknown = { name: 'Lin', email: `other-${address}` };
    expect(statusAndMessage(await product.post('/users', { ...unknown, external_id: crm }))).toEqual([
      409,
      `external_id: "${crm}" is that of the user ${other}.`,
    ]);
    expect(
      statusAndMessage(await product.post('/users', { name: 'Lin', email: address.toUpperCase() })),
    ).toEqual([409, `A user ${address.toUpperCase()} already exists.`]);
    for (const _ of [1, 2])
      expect(await made({ email_verified: false })).toMatchObject({ email_verified: false });
  });

  it('creates or changes the user with an external id, whatever is omitted stays', async () => {
    const grace = { name: 'Grace', email: address, plan: 'FREE', metadata: { tier: 'gold', region: 'eu' } };
    const created = await put(path(crm), grace);
    expect([created.status, created.body.data]).toMatchObject([201, { ...grace, external_id: crm }]);
    const { id: userId } = created.body.data;
    const changed = await put(path(crm), {
      name: 'Grace Hopper',
      email: address,
      email_verified: false,
      external_id: crm,
      metadata: { tier: 'silver' },
    });
    expect([changed.status, changed.headers.get('location'), changed.body.data]).toMatchObject([
      200,
      null,
      // Verified already.
      { id: userId, name: 'Grace Hopper', plan: 'FREE', email_verified: true, metadata: { tier: 'silver' } },
    ]);
    const moved = {
      name: 'Grace Hopper',
      email: `new-${address}`,
      email_verified: false,
      external_id: 'CRM-new',
    };
    expect((await put(`/users/${userId}`, moved)).body.data).toMatchObject({
      ...moved,
      metadata: { tier: 'silver' },
    });
  });

  it('creates one user when several requests at once name them', async () => {
    const replies = await Promise.all(
      Array.from({ length: 4 }, () => put(path(crm), { name: 'Grace', email: address })),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 200, 200, 201]);
    expect(new Set(replies.map(({ body }) => body.data.id)).size).toBe(1);
  });

  it('refuses an external id unlike that of the path, none, one too long, and users who do not exist', async () => {
    const body = { name: 'Grace', email: address };
    for (const [where, fields, status, message] of [
      [path(crm), { external_id: 'CRM-other' }, 400, 'external_id: must be the one in the path, or omitted'],
      [
        '/users/ext:%20',
        {},
        400,
        'id: must have 1 to 200 characters after ext:, none of them a control character',
      ],
      [
        path('x'.repeat(201)),
        {},
        400,
        'id: must have 1 to 200 characters after ext:, none of them a control character',
      ],
      [`/users/${id()}`, { external_id: crm }, 404, 'User not found.'],
      ['/users/grace', {}, 404, expect.stringContaining('"grace" is not an id')],
    ] as const)
      expect(statusAndMessage(await put(where, { ...body, ...fields }))).toEqual([status, message]);
    expect(outcome(await put(path(crm), { name: 'Grace' }))).toEqual([400, 'VALIDATION_ERROR']);
    expect(statusAndMessage(await product.get(path(crm)))).toEqual([
      404,
      `User not found. You see none with the external id "${crm}".`,
    ]);
  });

  it('merges metadata, changes and removes an external id', async () => {
    const { id: userId } = await made({ external_id: crm, metadata: { tier: 'gold', region: 'eu' } });
    const changes = { external_id: `${crm}+`, metadata: { region: null, seats: '5' } };
    expect(await done(product.patch(path(crm), changes))).toMatchObject({
      external_id: `${crm}+`,
      metadata: { tier: 'gold', seats: '5' },
      email_verified: true,
    });
    expect(await done(product.patch(`/users/${userId}`, { external_id: null }))).toMatchObject({
      external_id: null,
    });
    expect(await made({ external_id: `${crm}+`, email: `other-${address}` })).toMatchObject({
      name: 'Grace',
    });
  });

  it('creates a key that acts for the user, shown once, and for all that needs no operator', async () => {
    const { id: userId } = await made({ external_id: crm });
    const create = (body: object, options = {}): Promise<Reply> =>
      product.post(`${path(crm)}/api-keys`, body, options);
    const first = await create({ name: 'product' }, keyed(`key-${count}`));
    expect([first.status, first.headers.get('location')]).toEqual([201, `/api/v1/users/${userId}`]);
    const again = await create({ name: 'product' }, keyed(`key-${count}`));
    expect([again.status, again.body.data]).toEqual([201, { ...first.body.data, key: null }]);
    const grace = service.api.as(first.body.data.key);
    expect(await done(grace.get('/me'))).toMatchObject({ id: userId, is_operator: false });
    const { id: recordingId } = await done(grace.post('/recordings', { title: 'Mine', media: 'none' }));
    expect(outcome(await product.get(`/recordings/${recordingId}`))).toEqual([403, 'FORBIDDEN']);
    expect((await done(grace.get('/api-keys'))).map(({ name }: { name: string }) => name)).toEqual([
      'product',
    ]);
    const narrow = await done(create({ name: 'reads', scopes: ['recordings:read'], expires_in: 3600 }));
    expect(narrow).toMatchObject({ scopes: ['recordings:read'], expires_at: expect.any(String) });
    for (const scopes of [['operator'], ['users:manage'], ['full']])
      expect(outcome(await create({ name: 'more', scopes }))).toEqual([403, 'FORBIDDEN']);
    const [{ actor_id: actor }] = await service.dataSource.query(
      `SELECT actor_id FROM change_log WHERE type = 'api_key.created' AND target_id = $1`,
      [narrow.id],
    );
    expect(actor).toBe(root.id);
  });

  it('keeps its hands off operators and keys of service accounts', async () => {
    const { id: other } = await made({ external_id: crm });
    await operators(other);
    const body = { name: 'Mallory', email: `mallory-${address}` };
    for (const refused of [
      await product.patch(`/users/${root.id}`, { email: body.email }),
      await put(path(crm), body),
      await put(`/users/${root.id}`, body),
      await product.delete(`/users/${other}`),
    ])
      expect(statusAndMessage(refused)).toEqual([
        403,
        'This user is an operator, whom only an API key with the scope operator can change.',
      ]);
    for (const operator of [root.id, other])
      expect(statusAndMessage(await product.post(`/users/${operator}/api-keys`, { name: 'x' }))).toEqual([
        403,
        'This user is an operator. Operators create their own API keys: POST /api/v1/api-keys.',
      ]);
    const machine = await insertServiceAccount(service.dataSource, {
      name: `Machine ${count}`,
      organizationId: acme.id,
      role: 'EDITOR',
    });
    expect(outcome(await product.post(`/users/${machine}/api-keys`, { name: 'x' }))).toEqual([
      409,
      'CONFLICT',
    ]);
    const everything = await withScopes('operator');
    expect(await done(everything.patch(path(crm), { name: 'Renamed' }))).toMatchObject({ name: 'Renamed' });
  });

  it('does not do what else operators do', async () => {
    expect(outcome(await product.get(`/organizations/${acme.id}`))).toEqual([403, 'FORBIDDEN']);
    expect(outcome(await product.patch(`/organizations/${acme.id}`, { plan: 'FREE' }))).toEqual([
      403,
      'FORBIDDEN',
    ]);
    const reads = await withScopes('profile:read');
    expect(statusAndMessage(await reads.get('/users'))).toEqual([
      403,
      expect.stringContaining('does not have the scope users:manage.'),
    ]);
  });

  it('creates an organization for a user, who becomes its OWNER', async () => {
    await made({ external_id: crm });
    const body = { name: 'Customer', external_id: crm, metadata: { seats: '5' }, plan: 'ENTERPRISE' };
    const reply = await product.post('/organizations', { ...body, owner_id: `ext:${crm}` });
    expect([reply.status, reply.body.data]).toMatchObject([201, { ...body, role: null, member_count: 1 }]);
    const { key } = await done(product.post(`${path(crm)}/api-keys`, { name: 'product' }));
    expect(await done(service.api.as(key).get('/organizations'))).toMatchObject([
      { id: reply.body.data.id, role: 'OWNER', external_id: crm },
    ]);
    expect(
      statusAndMessage(await product.post('/organizations', { ...body, owner_id: `ext:${crm}` })),
    ).toEqual([409, `external_id: "${crm}" is that of the organization ${reply.body.data.id}.`]);
    for (const owner_id of [id(), 'ext:nobody'])
      expect(statusAndMessage(await product.post('/organizations', { name: 'Nobody’s', owner_id }))).toEqual([
        400,
        'owner_id: must be the id of a user who is not a service account',
      ]);
    expect(
      outcome(await service.api.as(keyOf('Ada')).post('/organizations', { name: 'Mine', plan: 'PRO' })),
    ).toEqual([403, 'FORBIDDEN']);
  });

  it('makes users members and changes them, without being one', async () => {
    const { id: userId } = await made({ external_id: crm });
    const at = `/organizations/${acme.id}/members/ext:${encodeURIComponent(crm)}`;
    const added = await put(at, { role: 'EDITOR', features: { downloads: false } });
    expect([added.status, added.headers.get('location'), added.body.data]).toMatchObject([
      201,
      `/api/v1/organizations/${acme.id}/members`,
      { id: userId, role: 'EDITOR', features: { downloads: false, sharing: true }, disabled_webhooks: [] },
    ]);
    const changed = await put(at, { role: 'ADMIN' });
    expect([changed.status, changed.body.data]).toMatchObject([
      200,
      { id: userId, role: 'ADMIN', features: { downloads: false } },
    ]);
    const members = await done(service.api.as(keyOf('Ada')).get(`/organizations/${acme.id}/members`));
    expect(members).toContainEqual(expect.objectContaining({ id: userId, role: 'ADMIN' }));
    const last = await put(`/organizations/${acme.id}/members/${ada.id}`, { role: 'VIEWER' });
    expect(outcome(last)).toEqual([409, 'CONFLICT']);
    for (const [where, code] of [
      [`/organizations/${acme.id}/members/${id()}`, 'NOT_FOUND'],
      [`/organizations/${id()}/members/${userId}`, 'ORGANIZATION_NOT_FOUND'],
    ] as const)
      expect(outcome(await put(where, { role: 'VIEWER' }))).toEqual([404, code]);
    const refused = await put(at, { features: {} });
    expect([refused.status, refused.body]).toEqual([
      400,
      refusal('VALIDATION_ERROR', expect.stringContaining('role: is required')),
    ]);
  });

  it('makes somebody OWNER of two organizations with one external id, which then stands for several', async () => {
    const { id: userId } = await made();
    const organizations = [userId, eve.id].map((owner_id) => ({ name: 'Same', external_id: crm, owner_id }));
    const ids: string[] = [];
    for (const body of organizations) ids.push((await done(product.post('/organizations', body))).id);
    await done(put(`/organizations/${ids[1]}/members/${userId}`, { role: 'OWNER' }));
    const { key } = await done(product.post(`/users/${userId}/api-keys`, { name: 'own' }));
    const own = service.api.as(key);
    const ambiguous = await own.get(`/organizations/ext:${encodeURIComponent(crm)}`);
    expect(statusAndMessage(ambiguous)).toEqual([400, expect.stringContaining('stands for several')]);
    for (const one of ids) expect(ambiguous.body.error.message).toContain(one);
    await done(own.patch(`/organizations/${ids[1]}`, { external_id: `${crm} 2` }));
    expect(await done(own.get(`/organizations/ext:${encodeURIComponent(crm)}`))).toMatchObject({
      id: ids[0],
    });
  });

  it('two requests at once make somebody a member once', async () => {
    const { id: userId } = await made();
    const replies = await Promise.all(
      [1, 2].map(() => put(`/organizations/${acme.id}/members/${userId}`, { role: 'VIEWER' })),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 201]);
  });
});
