import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { id, keyOf, member, organization, ownDeletion, recording, user } from '../../factories/workspace.js';
import { outcome, refusal, type Client, type Reply } from '../../support/client.js';
import { eventually, startService, type TestService } from '../../support/service.js';

describe('operators manage users', () => {
  let service: TestService;
  let count = 0;
  let grace: { id: string; name: string; email: string };
  let acme: { id: string; name: string };
  const [root, ada, lin] = [user('Root'), user('Ada'), user('Lin')];

  beforeAll(async () => {
    service = await startService({}, { worker: true });
    await service.import({ users: [root, ada, lin] });
    await service.dataSource.query('UPDATE users SET operator = true WHERE id = $1', [root.id]);
  });
  afterAll(() => service.stop());

  beforeEach(async () => {
    count += 1;
    grace = user(`Grace${count}`, { plan: 'FREE' });
    acme = organization(`Acme ${count}`, {
      members: [member('Ada', 'OWNER'), { email: grace.email, role: 'EDITOR' }, member('Lin', 'VIEWER')],
    });
    await service.import({ users: [grace], organizations: [acme] });
  });

  const as = (name: string): Client => service.api.as(keyOf(name));

  const ownerOf = async (recordingId: string): Promise<string | null> => {
    const [row] = await service.dataSource.query('SELECT owner_id FROM recordings WHERE id = $1', [
      recordingId,
    ]);
    return row.owner_id;
  };

  it('lists all users, newest first, page by page or by a part of name or address', async () => {
    await service.dataSource.query(
      `INSERT INTO users (id, email, name, plan)
       SELECT gen_random_uuid(), 'many' || n || '@new.test', 'Many%', 'FREE' FROM generate_series(1, 25) n`,
    );
    const list = async (query: string): Promise<Reply['body']> =>
      (await as('Root').get(`/users?${query}`)).body;
    const everyone = await list('limit=100');
    expect(everyone.data).toHaveLength(29);
    expect(everyone.pagination).toEqual({ limit: 100, has_more: false, next_cursor: null });
    expect(everyone.data.find((one: { id: string }) => one.id === grace.id)).toEqual({
      id: grace.id,
      email: grace.email,
      email_verified: true,
      name: grace.name,
      plan: 'FREE',
      is_operator: false,
      external_id: null,
      metadata: {},
      created_at: expect.any(String),
    });
    const pages: object[] = [];
    let next: string | null = '';
    while (next !== null) {
      const page: Reply['body'] = await list(`limit=10${next && `&cursor=${next}`}`);
      pages.push(...page.data);
      next = page.pagination.next_cursor;
    }
    expect(pages).toEqual(everyone.data);
    const times = everyone.data.map((one: { created_at: string }) => one.created_at);
    expect(times).toEqual(times.toSorted().toReversed());
    expect((await list('search=ANY%25')).data).toHaveLength(20);
    expect((await list('search=grace1%40ACME')).data).toMatchObject([{ id: grace.id }]);
    expect((await list('search=nobody')).data).toEqual([]);
    await service.dataSource.query(`DELETE FROM users WHERE name = 'Many%'`);
  });

  it.each(['limit=0', 'cursor=x'])('refuses ?%s', async (query) => {
    const { status, body } = await as('Root').get(`/users?${query}`);
    expect([status, body]).toEqual([
      400,
      refusal('VALIDATION_ERROR', expect.stringContaining(query.split('=')[0] ?? '')),
    ]);
  });

  it('changes name, email address and plan, effective with the next request', async () => {
    const old = recording(grace.name, { createdAt: '2026-01-02T03:04:05Z' });
    await service.import({ recordings: [old] });
    const share = () => as(grace.name).post(`/recordings/${old.id}/share-link`, {});
    expect(outcome(await share())).toEqual([403, 'RECORDING_LOCKED']);
    const changes = { name: ' Grace Hopper ', email: 'hopper@new.test', plan: 'PRO' };
    const { status, body } = await as('Root').patch(`/users/${grace.id.toUpperCase()}`, changes);
    expect([status, body.data]).toEqual([
      200,
      {
        id: grace.id,
        email: 'hopper@new.test',
        email_verified: true,
        name: 'Grace Hopper',
        plan: 'PRO',
        is_operator: false,
        external_id: null,
        metadata: {},
        created_at: expect.any(String),
      },
    ]);
    expect((await share()).status).toBe(201);
    expect((await as(grace.name).get('/me')).body.data).toMatchObject({
      email: 'hopper@new.test',
      name: 'Grace Hopper',
    });
    await as('Root').patch(`/users/${grace.id}`, { plan: 'FREE' });
    expect(outcome(await share())).toEqual([403, 'RECORDING_LOCKED']);
  });

  it('vouch for an address by setting it, once for each', async () => {
    await service.dataSource.query(
      `INSERT INTO users (id, email, name, plan)
       SELECT gen_random_uuid(), 'claimed@new.test', 'Claimant', 'FREE' FROM generate_series(1, 2)`,
    );
    const { data } = (await as('Root').get('/users?search=claimed')).body;
    expect(data).toMatchObject([{ email_verified: false }, { email_verified: false }]);
    const vouch = (nth: number) =>
      as('Root').patch(`/users/${data[nth].id}`, { email: 'claimed@new.test', name: 'Vouched' });
    expect((await vouch(0)).body.data).toMatchObject({ email_verified: true });
    expect(outcome(await vouch(1))).toEqual([409, 'CONFLICT']);
    const logged = await service.dataSource.query(
      `SELECT details FROM change_log WHERE type = 'user.updated' AND target_id = $1 ORDER BY id`,
      [data[0].id],
    );
    expect(logged).toEqual(
      expect.arrayContaining([
        { details: { fields: ['name'] } },
        { details: { fields: ['email_verified'] } },
      ]),
    );
    await service.dataSource.query(`DELETE FROM users WHERE email = 'claimed@new.test'`);
  });

  it.each([
    ['nothing', {}, 'body: must have at least one of name, email, plan'],
    ['an empty name', { name: ' ' }, 'name: '],
    ['no address', { email: 'grace' }, 'email: '],
    ['another plan', { plan: 'ENTERPRISE' }, 'plan: must be one of'],
    ['the operator flag', { is_operator: true }, 'is_operator'],
  ])('refuses %s', async (_, body, message) => {
    const refused = await as('Root').patch(`/users/${grace.id}`, body);
    expect([refused.status, refused.body]).toEqual([
      400,
      refusal('VALIDATION_ERROR', expect.stringContaining(message)),
    ]);
  });

  it('refuses an address that another user has, in any case, and users that do not exist', async () => {
    const taken = await as('Root').patch(`/users/${grace.id}`, { email: 'ADA@acme.test' });
    expect(outcome(taken)).toEqual([409, 'CONFLICT']);
    for (const unknown of [id(), 'grace']) {
      expect(outcome(await as('Root').patch(`/users/${unknown}`, { name: 'X' }))).toEqual([404, 'NOT_FOUND']);
      expect(outcome(await as('Root').delete(`/users/${unknown}`))).toEqual([404, 'NOT_FOUND']);
    }
  });

  it('deletes a user: personal recordings go, those of organizations get another owner', async () => {
    const personal = recording(grace.name, { media: 'call.mp4' });
    const weekly = recording(grace.name, { organization: acme.name });
    await service.import({ recordings: [personal, weekly] }, { 'call.mp4': 'film' });
    const { body } = await as('Ada').post(`/recordings/${weekly.id}/share-link`, {});
    const { status } = await as('Root').delete(`/users/${grace.id}?new_owner=${lin.id}`);
    expect(status).toBe(200);
    expect(outcome(await as(grace.name).get('/me'))).toEqual([401, 'USER_NOT_FOUND']);
    expect((await as('Lin').get(`/recordings/${weekly.id}`)).status).toBe(200);
    expect((await service.api.get(`/shares/${body.data.share_token}`)).status).toBe(200);
    const { data: members } = (await as('Ada').get(`/organizations/${acme.id}/members`)).body;
    expect(members.map(({ name }: { name: string }) => name).sort()).toEqual(['Ada', 'Lin']);
    await eventually(async () => {
      expect((await service.objects()).filter((key) => key.includes(personal.id))).toEqual([]);
    });
    const left = await service.dataSource.query('SELECT id FROM recordings WHERE id = ANY ($1)', [
      [personal.id, weekly.id],
    ]);
    expect(left).toEqual([{ id: weekly.id }]);
  });

  it('refuses to delete the last OWNER, and a new_owner who is not a member, naming the organization', async () => {
    await service.import({
      organizations: [organization(`Only of Lin ${count}`, { members: [member('Lin', 'OWNER')] })],
    });
    const last = await as('Root').delete(`/users/${lin.id}`);
    expect([last.status, last.body]).toEqual([
      409,
      refusal('CONFLICT', expect.stringContaining(`this is the last one of "Only of Lin ${count}".`)),
    ]);
    const refused = await as('Root').delete(`/users/${grace.id}?new_owner=${root.id}`);
    expect([refused.status, refused.body]).toEqual([
      400,
      refusal('VALIDATION_ERROR', `new_owner: must be another member of "${acme.name}"`),
    ]);
    expect((await as(grace.name).get('/me')).status).toBe(200);
  });

  it('becomes the owner of the recordings where they are a member too, unless the request names another', async () => {
    const beta = organization(`Beta ${count}`, {
      members: [member('Ada', 'OWNER'), member('Root', 'VIEWER'), { email: grace.email, role: 'EDITOR' }],
    });
    await service.import({ organizations: [beta] });
    const [inAcme, inBeta] = [acme, beta].map(({ name }) => recording(grace.name, { organization: name }));
    await service.import({ recordings: [inAcme, inBeta] });
    expect((await as('Root').delete(`/users/${grace.id}`)).status).toBe(200);
    expect(await ownerOf(inAcme!.id)).toBe(ada.id);
    expect(await ownerOf(inBeta!.id)).toBe(root.id);
  });

  describe('themselves', () => {
    it('a user changes their name, and nothing else', async () => {
      const { status, body } = await as('Lin').patch('/me', { name: 'Lin Wei' });
      expect([status, body.data]).toMatchObject([200, { id: lin.id, name: 'Lin Wei', plan: 'PRO' }]);
      for (const changes of [{}, { name: '' }, { plan: 'PRO' }, { name: 'Lin', email: 'lin@new.test' }]) {
        expect(outcome(await as('Lin').patch('/me', changes))).toEqual([400, 'VALIDATION_ERROR']);
      }
    });

    it('a user does not change their name with a key that is limited to organizations', async () => {
      const beta = organization(`Limited ${count}`, { members: [member('Lin', 'OWNER')] });
      await service.import({ organizations: [beta] });
      const { data } = (await as('Lin').post('/api-keys', { name: 'robot', organizations: [beta.id] })).body;
      const { status, body } = await service.api.as(data.key).patch('/me', { name: 'Robot' });
      expect([status, body]).toEqual([
        403,
        refusal(
          'FORBIDDEN',
          'This API key is limited to certain organizations, so it cannot change the user.',
        ),
      ]);
      const scoped = (await as('Lin').post('/api-keys', { name: 'robot', scopes: ['profile:write'] })).body;
      expect((await service.api.as(scoped.data.key).patch('/me', { name: 'Lin Wei' })).status).toBe(200);
    });

    it('a user who does not name their own address is not deleted', async () => {
      const rule = 'must be your own email address, as in GET /api/v1/me: it confirms the deletion';
      for (const [query, problem] of [
        ['', `is required and ${rule}`],
        ['?confirm=', rule],
        ['?confirm=true', rule],
        [`?confirm=${ada.email}`, rule],
      ]) {
        const { status, body } = await as('Lin').delete(`/me${query}`);
        expect([status, body]).toEqual([400, refusal('VALIDATION_ERROR', `confirm: ${problem}`)]);
      }
      expect((await as('Lin').get('/me')).status).toBe(200);
    });

    it('an address confirms it in any case, also if its + was not encoded', async () => {
      const plus = user('Plus', { email: 'plus+work@acme.test' });
      await service.import({ users: [plus] });
      expect((await as('Plus').delete('/me?confirm=PLUS+work@acme.test')).status).toBe(200);
    });

    it('a user deletes themselves; the recordings of organizations go to an OWNER', async () => {
      const weekly = recording(grace.name, { organization: acme.name });
      await service.import({ recordings: [weekly] });
      expect((await as(grace.name).delete(ownDeletion(grace.email))).body).toEqual({
        data: { success: true, disabled_webhooks: [], ended_share_links: 0, ended_invitations: 0 },
      });
      expect(outcome(await as(grace.name).get('/me'))).toEqual([401, 'USER_NOT_FOUND']);
      expect(await ownerOf(weekly.id)).toBe(ada.id);
    });
  });
});
