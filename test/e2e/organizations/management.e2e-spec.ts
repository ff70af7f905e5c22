import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  emailOf,
  folder,
  keyOf,
  member,
  organization,
  ownDeletion,
  recording,
  user,
} from '../../factories/workspace.js';
import { outcome, refusal, type Client, type Reply } from '../../support/client.js';
import { eventually, startService, type TestService } from '../../support/service.js';

const NAMES = ['Olga', 'Otto', 'Adam', 'Anna', 'Edna', 'Vera', 'Eric', 'Former', 'Stranger'] as const;
const [OLGA, OTTO, ADAM, ANNA, EDNA, VERA, ERIC, FORMER, STRANGER] = NAMES.map((name) => user(name));
const DAY_MS = 24 * 60 * 60 * 1000;
const FULL = {
  downloads: true,
  sharing: true,
  transcription: true,
  summaries: true,
  questions: true,
  view_all_recordings: false,
  view_folder_recordings: true,
};

describe('organizations are managed by their members', () => {
  let service: TestService;
  let acme: { id: string; name: string };
  let board: { id: string };

  beforeAll(async () => {
    service = await startService({}, { worker: true });
    await service.import({ users: [OLGA, OTTO, ADAM, ANNA, EDNA, VERA, ERIC, FORMER, STRANGER] });
  });
  afterAll(() => service.stop());
  afterEach(() => service.setNow(null));

  beforeEach(async () => {
    board = folder('Board', { restrictedTo: [emailOf('Vera')] });
    acme = organization(`Acme ${Math.random()}`, {
      members: [
        member('Olga', 'OWNER'),
        member('Adam', 'ADMIN'),
        member('Anna', 'ADMIN'),
        member('Edna', 'EDITOR'),
        member('Vera', 'VIEWER'),
        member('Former', 'EDITOR'),
      ],
      folders: [board],
    });
    await service.import({ organizations: [acme] });
    const { status } = await as('Olga').delete(at(`/members/${FORMER?.id}`));
    expect(status).toBe(200);
  });

  const as = (name: string): Client => service.api.as(keyOf(name));
  const at = (path = ''): string => `/organizations/${acme.id}${path}`;
  const rolesIn = async (): Promise<Record<string, string>> => {
    const { body } = await as('Olga').get(at('/members'));
    return Object.fromEntries(
      body.data.map(({ name, role }: { name: string; role: string }) => [name, role]),
    );
  };

  it('the creator becomes its OWNER, on the default plan', async () => {
    const created = await as('Stranger').post('/organizations', { name: '  New Ltd  ' });
    expect(created.status).toBe(201);
    expect(created.body.data).toEqual({
      bin_days: null,
      remember_voices: false,
      id: expect.any(String),
      name: 'New Ltd',
      role: 'OWNER',
      member_count: 1,
      external_id: null,
      metadata: {},
      quotas: expect.any(Object),
      features: {
        downloads: true,
        sharing: true,
        transcription: true,
        summaries: true,
        questions: true,
      },
      members_may_take_recordings: false,
      branding: { accent: null, domain: null, logo_url: null },
      sso_provider: null,
      oauth_clients: null,
      api_key_max_days: null,
      plan: 'PRO',
      subscription: { status: 'active', ends_at: null },
      transfer: null,
      created_at: expect.any(String),
    });
    const { id } = created.body.data;
    expect((await as('Stranger').get(`/organizations/${id}`)).body).toEqual(created.body);
    expect((await as('Stranger').get(`/organizations/${id}/members`)).body.data).toEqual([
      {
        id: STRANGER?.id,
        email: emailOf('Stranger'),
        email_verified: true,
        name: 'Stranger',
        role: 'OWNER',
        features: FULL,
        joined_at: expect.any(String),
      },
    ]);
    expect((await as('Stranger').delete(`/organizations/${id}`)).status).toBe(200);
  });

  it('an OWNER renames it and turns features off, effective with the next request', async () => {
    const weekly = recording('Edna', { organization: acme.name });
    await service.import({ recordings: [weekly] });
    const changes = { name: 'Acme II', features: { sharing: false } };
    const { status, body } = await as('Olga').patch(at(), changes);
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ name: 'Acme II', features: { sharing: false, downloads: true } });
    const shared = await as('Olga').post(`/recordings/${weekly.id}/share-link`, {});
    expect(outcome(shared)).toEqual([403, 'SHARING_DISABLED']);
  });

  it('members are raised and lowered by those who manage their roles', async () => {
    const { status, body } = await as('Adam').patch(at(`/members/${EDNA?.id}`), {
      role: 'VIEWER',
      features: { downloads: false, view_all_recordings: true },
    });
    expect([status, body.data]).toEqual([
      200,
      {
        id: EDNA?.id,
        email: emailOf('Edna'),
        email_verified: true,
        name: 'Edna',
        role: 'VIEWER',
        features: { ...FULL, downloads: false, view_all_recordings: true },
        joined_at: expect.any(String),
        disabled_webhooks: [],
      },
    ]);
    expect((await as('Olga').patch(at(`/members/${EDNA?.id}`), { role: 'OWNER' })).status).toBe(200);
    expect(await rolesIn()).toMatchObject({ Edna: 'OWNER' });
  });

  it('the last OWNER can neither leave nor be demoted', async () => {
    const last = [409, 'CONFLICT'];
    expect(outcome(await as('Olga').delete(at(`/members/${OLGA?.id}`)))).toEqual(last);
    expect(outcome(await as('Olga').patch(at(`/members/${OLGA?.id}`), { role: 'ADMIN' }))).toEqual(last);
    expect(outcome(await as('Olga').delete(ownDeletion(emailOf('Olga'))))).toEqual(last);
    expect(await rolesIn()).toMatchObject({ Olga: 'OWNER' });
  });

  it('of two OWNERs who give up their role at once, one stays', async () => {
    for (let round = 0; round < 2; round += 1) {
      await as('Olga').patch(at(`/members/${ANNA?.id}`), { role: 'OWNER' });
      const replies = await Promise.all([
        as('Olga').patch(at(`/members/${OLGA?.id}`), { role: 'ADMIN' }),
        as('Anna').patch(at(`/members/${ANNA?.id}`), { role: 'ADMIN' }),
      ]);
      expect(replies.map(({ status }) => status).sort()).toEqual([200, 409]);
      const roles = await rolesIn();
      expect([roles['Olga'], roles['Anna']].sort()).toEqual(['ADMIN', 'OWNER']);
      if (roles['Anna'] === 'OWNER') await as('Anna').patch(at(`/members/${OLGA?.id}`), { role: 'OWNER' });
      await as('Olga').patch(at(`/members/${ANNA?.id}`), { role: 'ADMIN' });
    }
  });

  it("a removed member's recordings pass to the remover, or to new_owner", async () => {
    const [ofEdna, ofVera] = ['Edna', 'Vera'].map((name) => recording(name, { organization: acme.name }));
    await service.import({ recordings: [ofEdna, ofVera] });
    const ownerOf = async (one?: { id: string }): Promise<string> => {
      const rows = await service.dataSource.query('SELECT owner_id FROM recordings WHERE id = $1', [one?.id]);
      return rows[0].owner_id;
    };
    expect((await as('Adam').delete(at(`/members/${EDNA?.id}?new_owner=${VERA?.id}`))).status).toBe(200);
    expect(outcome(await as('Edna').get(`/recordings/${ofEdna?.id}`))).toEqual([404, 'RECORDING_NOT_FOUND']);
    expect((await as('Vera').get(`/recordings/${ofEdna?.id}`)).status).toBe(200);
    expect(await ownerOf(ofEdna)).toBe(VERA?.id);

    expect((await as('Adam').delete(at(`/members/${VERA?.id}`))).status).toBe(200);
    expect((await as('Vera').get(`/recordings/${ofVera?.id}`)).status).toBe(404);
    expect([await ownerOf(ofEdna), await ownerOf(ofVera)]).toEqual([ADAM?.id, ADAM?.id]);

    // Of a member who leaves, an OWNER.
    expect((await as('Adam').delete(at(`/members/${ADAM?.id}`))).status).toBe(200);
    expect([await ownerOf(ofEdna), await ownerOf(ofVera)]).toEqual([OLGA?.id, OLGA?.id]);
  });

  it('deleting a folder keeps its recordings', async () => {
    const { id } = recording('Edna');
    const kept = recording('Edna', {
      id,
      organization: acme.name,
      folder: 'Board',
    });
    await service.import({ recordings: [kept] });
    expect((await as('Vera').get(`/recordings/${id}`)).status).toBe(200);
    expect((await as('Adam').delete(at(`/folders/${board.id}`))).status).toBe(200);
    expect((await as('Vera').get(`/recordings/${id}`)).status).toBe(404);
    expect((await as('Edna').get(`/recordings/${id}`)).status).toBe(200);
    expect((await as('Adam').post(at('/folders'), { name: 'Board' })).status).toBe(201);
    await eventually(async () => {
      const folders = await service.dataSource.query('SELECT id FROM folders WHERE id = $1', [board.id]);
      expect(folders).toEqual([]);
    });
    expect((await as('Adam').get(`/recordings/${id}`)).status).toBe(200);
  });

  it('ownership is transferred once the other side accepts', async () => {
    const offered = await as('Olga').post(at('/transfer'), { user_id: EDNA?.id });
    expect(offered.status).toBe(201);
    expect(offered.body.data).toMatchObject({ user_id: EDNA?.id, from_user_id: OLGA?.id });
    expect((await as('Edna').get(at())).body.data.transfer).toEqual(offered.body.data);
    expect((await as('Adam').get(at())).body.data.transfer).toBeNull();
    expect(outcome(await as('Adam').post(at('/transfer/accept')))).toEqual([404, 'TRANSFER_NOT_FOUND']);
    const accepted = await as('Edna').post(at('/transfer/accept'));
    expect([accepted.status, accepted.body.data.role]).toEqual([200, 'OWNER']);
    expect(await rolesIn()).toMatchObject({ Edna: 'OWNER', Olga: 'ADMIN' });
  });

  it('an offer of the ownership that has expired after seven days cannot be accepted', async () => {
    const offered = await as('Olga').post(at('/transfer'), { user_id: EDNA?.id });
    const sent = Date.parse(offered.body.data.created_at);
    service.setNow(new Date(sent + 7 * DAY_MS - 1));
    expect((await as('Edna').get(at())).body.data.transfer).toEqual(offered.body.data);
    service.setNow(new Date(sent + 7 * DAY_MS));
    for (const name of ['Olga', 'Edna']) expect((await as(name).get(at())).body.data.transfer).toBeNull();
    const gone = [404, 'TRANSFER_NOT_FOUND'];
    expect(outcome(await as('Edna').post(at('/transfer/accept')))).toEqual(gone);
    expect(outcome(await as('Olga').delete(at('/transfer')))).toEqual(gone);
    expect(await rolesIn()).toMatchObject({ Edna: 'EDITOR', Olga: 'OWNER' });
    expect((await as('Olga').post(at('/transfer'), { user_id: EDNA?.id })).status).toBe(201);
    expect((await as('Edna').post(at('/transfer/accept'))).status).toBe(200);
  });

  it('an organization with recordings is deleted only together with them', async () => {
    const weekly = recording('Edna', { organization: acme.name, media: 'call.mp4' });
    await service.import({ recordings: [weekly] }, { 'call.mp4': 'film' });
    expect(outcome(await as('Olga').delete(at()))).toEqual([409, 'CONFLICT']);
    expect((await as('Edna').get(`/recordings/${weekly.id}`)).status).toBe(200);
    expect((await as('Olga').delete(at('?recordings=delete'))).status).toBe(200);
    expect((await as('Edna').get(`/recordings/${weekly.id}`)).status).toBe(404);
    expect(outcome(await as('Olga').get(at()))).toEqual([404, 'ORGANIZATION_NOT_FOUND']);
    expect(outcome(await as('Olga').get(at('/members')))).toEqual([404, 'ORGANIZATION_NOT_FOUND']);
    await eventually(async () => {
      const rows = await service.dataSource.query('SELECT id FROM organizations WHERE id = $1', [acme.id]);
      expect(rows).toEqual([]);
      expect((await service.objects()).filter((key) => key.includes(weekly.id))).toEqual([]);
    });
  });

  it('only an organization whose plan permits it has recordings beyond its history', async () => {
    const old = recording('Edna', {
      organization: acme.name,
      createdAt: '2026-01-02T03:04:05Z',
    });
    await service.import({ recordings: [old] });
    const share = () => as('Edna').post(`/recordings/${old.id}/share-link`, {});
    expect((await share()).status).toBe(201);
    await service.dataSource.query('UPDATE users SET operator = true WHERE id = $1', [STRANGER?.id]);
    const operator = as('Stranger');
    const ended = await operator.patch(at(), {
      plan: 'PRO',
      subscription: { status: 'active', ends_at: '2026-01-01' },
    });
    expect([ended.status, ended.body.data]).toMatchObject([
      200,
      { plan: 'PRO', role: null, subscription: { status: 'active', ends_at: '2026-01-01T00:00:00.000Z' } },
    ]);
    expect(outcome(await share())).toEqual([403, 'RECORDING_LOCKED']);
    await operator.patch(at(), { plan: 'ENTERPRISE' });
    expect(outcome(await share())).toEqual([402, 'ORGANIZATION_SUBSCRIPTION_EXPIRED']);
    await operator.patch(at(), { subscription: { ends_at: null } });
    expect((await share()).status).toBeLessThan(300);
    await service.dataSource.query('UPDATE users SET operator = false WHERE id = $1', [STRANGER?.id]);
    expect(outcome(await operator.patch(at(), { plan: 'FREE' }))).toEqual([403, 'FORBIDDEN']);
  });

  const nobody = { restricted_to: [STRANGER?.id] };
  const features = JSON.parse('{"features":{"__proto__":{}}}') as object;
  it.each([
    ['an empty name', 'POST', '', { name: '  ' }, 'name: '],
    ['an unknown plan of a creator', 'POST', '', { name: 'Acme', plan: 'GOLD' }, 'plan: must be one of'],
    ['nothing', 'PATCH', '/$', {}, 'body: must have at least one of name, features, members_may_take'],
    ['a view flag of it', 'PATCH', '/$', { features: { view_all_recordings: true } }, 'features'],
    ['no feature', 'PATCH', '/$', { features: {} }, 'features: must have at least one of downloads, sharing'],
    ['features as a list', 'PATCH', '/$', { features: [] }, 'features: must be an object'],
    ['a prototype', 'PATCH', '/$', features, 'features.__proto__: unknown field'],
    ['a wrong end', 'PATCH', '/$', { subscription: { ends_at: 'soon' } }, 'subscription.ends_at: '],
    ['another word for delete', 'DELETE', '/$?recordings=keep', undefined, 'recordings: '],
    ['an offer to a stranger', 'POST', '/$/transfer', { user_id: STRANGER?.id }, 'user_id: '],
    ['an offer to oneself', 'POST', '/$/transfer', { user_id: OLGA?.id }, 'user_id: '],
    ['no body', 'PATCH', `/$/members/${EDNA?.id}`, undefined, 'body: must have at least one of role'],
    ['an unknown role', 'PATCH', `/$/members/${EDNA?.id}`, { role: 'KING' }, 'role: must be one of'],
    ['a folder for a stranger', 'POST', '/$/folders', { name: 'New', ...nobody }, 'restricted_to: '],
    ['a folder that is maybe active', 'PATCH', '/$/folders/%', { is_active: 'maybe' }, 'is_active: '],
  ])('refuses %s, and says what is wrong', async (_, method, path, body, message) => {
    const full = `/organizations${path.replace('$', acme.id).replace('%', board.id)}`;
    const refused = await as('Olga').request(method, full, { body });
    expect([refused.status, refused.body]).toEqual([
      400,
      refusal('VALIDATION_ERROR', expect.stringContaining(message)),
    ]);
    expect(await rolesIn()).toMatchObject({ Olga: 'OWNER', Edna: 'EDITOR' });
  });

  it('a folder is renamed, restricted, opened and hidden, effective with the next request', async () => {
    const weekly = recording('Edna', { organization: acme.name, folder: 'Board' });
    await service.import({ recordings: [weekly] });
    const seen = async (): Promise<boolean[]> =>
      Promise.all(
        ['Vera', 'Eric'].map(async (name) => (await as(name).get(`/recordings/${weekly.id}`)).status === 200),
      );
    await as('Olga')
      .post(at('/invitations'), { email: emailOf('Eric'), role: 'VIEWER' })
      .then(({ body }) => as('Eric').post('/invitations/accept', { token: body.data.invite_token }));
    const change = (body: object): Promise<Reply> => as('Adam').patch(at(`/folders/${board.id}`), body);
    expect(await seen()).toEqual([true, false]);
    const { status, body } = await change({ name: 'Council', restricted_to: [ERIC?.id, ERIC?.id] });
    expect([status, body.data]).toMatchObject([
      200,
      {
        id: board.id,
        name: 'Council',
        is_active: true,
        is_restricted: true,
        restricted_to: [ERIC?.id],
        external_id: null,
        metadata: {},
      },
    ]);
    expect(await seen()).toEqual([false, true]);
    await change({ restricted_to: null });
    expect(await seen()).toEqual([true, true]);
    await change({ is_active: false });
    expect(await seen()).toEqual([false, false]);
    expect(outcome(await change({ name: 'x', is_active: true }))).toEqual([200, null]);
    expect(await seen()).toEqual([true, true]);
    await as('Adam').post(at('/folders'), { name: 'Taken' });
    expect(outcome(await change({ name: 'Taken' }))).toEqual([409, 'CONFLICT']);
    for (const unknown of [STRANGER?.id, 'x']) {
      const missing = at(`/folders/${unknown}`);
      expect(outcome(await as('Adam').patch(missing, { name: 'y' }))).toEqual([404, 'FOLDER_NOT_FOUND']);
      expect(outcome(await as('Adam').delete(missing))).toEqual([404, 'FOLDER_NOT_FOUND']);
    }
  });

  it('a user can be OWNER of at most 100 organizations, also by requests at once', async () => {
    await service.dataSource.query(
      `WITH made AS (INSERT INTO organizations (id, name, plan, subscription_status)
         SELECT gen_random_uuid(), 'Many', 'PRO', 'active' FROM generate_series(1, 98) RETURNING id)
       INSERT INTO organization_members (organization_id, user_id, role) SELECT id, $1, 'OWNER' FROM made`,
      [ERIC?.id],
    );
    const create = () => as('Eric').post('/organizations', { name: 'Many' });
    const replies = await Promise.all([create(), create(), create(), create()]);
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 201, 409, 409]);
    const becomesOwner = at(`/members/${ERIC?.id}`);
    const { body } = await as('Olga').post(at('/invitations'), { email: emailOf('Eric'), role: 'OWNER' });
    const accept = { token: body.data.invite_token };
    expect(outcome(await as('Eric').post('/invitations/accept', accept))).toEqual([409, 'CONFLICT']);
    await service.import({ organizations: [{ ...acme, members: [member('Eric', 'EDITOR')] }] });
    expect(outcome(await as('Olga').patch(becomesOwner, { role: 'OWNER' }))).toEqual([409, 'CONFLICT']);
    await as('Olga').post(at('/transfer'), { user_id: ERIC?.id });
    expect(outcome(await as('Eric').post(at('/transfer/accept')))).toEqual([409, 'CONFLICT']);
    await service.dataSource.query(`DELETE FROM organizations WHERE name = 'Many'`);
  });

  it('the folders of an organization list at most 20,000 members in total', async () => {
    const logging = (table: string, how: 'DISABLE' | 'ENABLE'): Promise<unknown> =>
      service.dataSource.query(`ALTER TABLE ${table} ${how} TRIGGER ${table}_log`);
    // Nothing here is about the change log, which takes most of the time.
    const logged = ['folders', 'folder_members'];
    for (const table of logged) await logging(table, 'DISABLE');
    await service.dataSource.query(
      `WITH many AS (
         INSERT INTO folders (id, organization_id, name, active, restricted, created_at)
         SELECT gen_random_uuid(), $1::uuid, 'Many ' || n, true, true, now() FROM generate_series(1, 4000) n RETURNING id)
       INSERT INTO folder_members (folder_id, user_id, organization_id)
       SELECT many.id, m.user_id, $1::uuid FROM many, (SELECT user_id FROM organization_members WHERE organization_id = $1 LIMIT 5) m
       LIMIT 19998`,
      [acme.id],
    );
    for (const table of logged) await logging(table, 'ENABLE');
    const restrict = (to: (string | undefined)[]): Promise<Reply> =>
      as('Adam').patch(at(`/folders/${board.id}`), { restricted_to: to });
    const refused = await restrict([ADAM?.id, EDNA?.id, VERA?.id]);
    expect([refused.status, refused.body]).toEqual([
      409,
      refusal(
        'CONFLICT',
        'The restricted folders of an organization can list at most 20,000 members in total; remove some from restricted_to first.',
      ),
    ]);
    expect((await restrict([ADAM?.id, EDNA?.id])).status).toBe(200);
    const input = { email: emailOf('Eric'), role: 'VIEWER', folder_ids: [board.id] };
    const { body } = await as('Olga').post(at('/invitations'), input);
    const accept = (): Promise<Reply> =>
      as('Eric').post('/invitations/accept', { token: body.data.invite_token });
    expect(outcome(await accept())).toEqual([409, 'CONFLICT']);
    await restrict([]);
    expect((await accept()).status).toBe(201);
  });
});
