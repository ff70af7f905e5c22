import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { folder, id, keyOf, member, organization, ownDeletion, user } from '../../factories/workspace.js';
import { outcome, refusal, type Client, type Reply } from '../../support/client.js';
import { startService, type TestService } from '../../support/service.js';

const DAY_MS = 24 * 60 * 60 * 1000;

describe('invitations where no mail server is configured', () => {
  let service: TestService;
  let acme: { id: string };
  let board: { id: string };
  let open: { id: string };
  const [ada, adam, eve, olga] = [user('Ada'), user('Adam'), user('Eve'), user('Olga')];

  beforeAll(async () => {
    service = await startService({
      DEFAULT_PLAN: 'FREE',
      RATE_LIMIT_COSTLY_PER_MINUTE: '0',
      RATE_LIMIT_PER_MINUTE: '0',
    });
    await service.import({ users: [ada, adam, eve, olga] });
  });
  afterAll(() => service.stop());
  afterEach(() => service.setNow(null));
  beforeEach(async () => {
    [board, open] = [folder('Board', { restrictedTo: [] }), folder('Open')];
    acme = organization(`Acme ${Math.random()}`, {
      members: [member('Ada', 'OWNER'), member('Olga', 'OWNER'), member('Adam', 'ADMIN')],
      folders: [board, open],
    });
    await service.import({ organizations: [acme] });
  });

  const as = (name: string): Client => service.api.as(keyOf(name));
  const at = (path = ''): string => `/organizations/${acme.id}/invitations${path}`;
  const invite = (name: string, input: object): Promise<Reply> => as(name).post(at(), input);
  const invited = async (name: string, input: object): Promise<Reply['body']> => {
    const { status, body } = await invite(name, input);
    expect(status).toBe(201);
    return body.data;
  };
  const accept = (body: object, client = service.api): Promise<Reply> =>
    client.post('/invitations/accept', body);
  const GONE = [404, 'INVITATION_NOT_FOUND'];

  it('have the link and the token in the response, and nowhere afterwards', async () => {
    const sent = await invited('Ada', {
      email: 'grace@new.test',
      role: 'EDITOR',
      features: { downloads: false, view_all_recordings: true },
      folder_ids: [board.id],
    });
    expect(sent).toEqual({
      id: expect.any(String),
      email: 'grace@new.test',
      role: 'EDITOR',
      features: {
        downloads: false,
        sharing: true,
        transcription: true,
        summaries: true,
        questions: true,
        view_all_recordings: true,
        view_folder_recordings: true,
      },
      folder_ids: [board.id],
      invited_by: ada.id,
      mail_status: 'none',
      mail_error: null,
      created_at: expect.any(String),
      sent_at: expect.any(String),
      expires_at: expect.any(String),
      invite_url: `${service.api.base.replace('127.0.0.1', 'localhost')}/join/${sent.invite_token}`,
      invite_token: expect.stringMatching(/^inv_[A-Za-z0-9]{43}$/),
    });
    expect(Date.parse(sent.expires_at) - Date.parse(sent.sent_at)).toBe(7 * DAY_MS);
    const listed = await as('Adam').get(at());
    expect(listed.body.data).toEqual([{ ...sent, invite_url: null, invite_token: null }]);
    const stored = await service.dataSource.query('SELECT * FROM invitations WHERE id = $1', [sent.id]);
    expect(JSON.stringify(stored)).not.toContain(sent.invite_token);
  });

  it('make a new person a user on the default plan, with role, flags, folders and one key', async () => {
    const { invite_token: token } = await invited('Ada', {
      email: 'Grace@New.test',
      role: 'VIEWER',
      features: { questions: false },
      folder_ids: [board.id],
    });
    const joined = await accept({ token, name: ' Grace ' });
    expect([joined.status, joined.body.data]).toEqual([
      201,
      {
        organization: { id: acme.id, name: expect.any(String), role: 'VIEWER' },
        user: {
          id: expect.any(String),
          email: expect.stringMatching(/^grace@new\.test$/i),
          email_verified: false,
          name: 'Grace',
        },
        key: expect.stringMatching(/^mrs_[A-Za-z0-9]{43}$/),
      },
    ]);
    const grace = service.api.as(joined.body.data.key);
    expect((await grace.get('/me')).body.data).toMatchObject({ name: 'Grace', plan: 'FREE' });
    const { data: members } = (await as('Ada').get(`/organizations/${acme.id}/members`)).body;
    expect(members.find(({ name }: { name: string }) => name === 'Grace')).toMatchObject({
      role: 'VIEWER',
      features: { questions: false, downloads: true, view_all_recordings: false },
    });
    const { data: folders } = (await as('Ada').get(`/organizations/${acme.id}/folders`)).body;
    expect(folders.find(({ id: one }: { id: string }) => one === board.id)).toMatchObject({
      restricted_to: [joined.body.data.user.id],
    });
    expect(outcome(await accept({ token, name: 'Grace' }))).toEqual(GONE);
    await grace.delete(ownDeletion('grace@new.test'));
  });

  it('work once, also for two at once', async () => {
    for (let round = 0; round < 3; round += 1) {
      const email = `twice${round}@new.test`;
      const { invite_token: token } = await invited('Ada', { email, role: 'EDITOR' });
      const replies = await Promise.all([1, 2, 3].map(() => accept({ token, name: 'Twice' })));
      expect(replies.map(({ status }) => status).sort()).toEqual([201, 404, 404]);
      const found = await service.dataSource.query('SELECT id FROM users WHERE email = $1', [email]);
      expect(found).toHaveLength(1);
    }
  });

  it('make nobody the owner of an address, and do not reveal whether somebody has it', async () => {
    const replies = [];
    for (const email of [eve.email, 'free@new.test']) {
      const { invite_token: token } = await invited('Ada', { email, role: 'EDITOR' });
      expect(outcome(await accept({ token }))).toEqual([400, 'VALIDATION_ERROR']);
      const { status, body } = await accept({ token, name: 'Mallory' });
      expect(body.data.user).toEqual({
        id: expect.any(String),
        email,
        email_verified: false,
        name: 'Mallory',
      });
      const mallory = service.api.as(body.data.key);
      expect((await mallory.get('/me')).body.data).toMatchObject({ email, email_verified: false });
      replies.push([status, Object.keys(body.data), Object.keys(body.data.user)]);
    }
    expect(replies[0]).toEqual(replies[1]);
    expect((await as('Eve').get('/me')).body.data).toMatchObject({ id: eve.id, email_verified: true });
    const { data: members } = (await as('Ada').get(`/organizations/${acme.id}/members?search=Mallory`)).body;
    expect(members).toMatchObject([{ email_verified: false }, { email_verified: false }]);

    const free = user('Free', { email: 'free@new.test' });
    const role = { email: free.email, role: 'VIEWER' };
    await service.import({ users: [free], organizations: [{ ...acme, members: [role], folders: [] }] });
    expect((await as('Free').get(`/organizations/${acme.id}`)).body.data).toMatchObject({ role: 'VIEWER' });
    for (const { id: userId } of members) {
      expect((await as('Ada').delete(`/organizations/${acme.id}/members/${userId}`)).status).toBe(200);
    }
  });

  it('are for the user with that address, with one of their keys', async () => {
    const { invite_token: token } = await invited('Ada', { email: 'EVE@acme.test', role: 'EDITOR' });
    expect(outcome(await accept({ token, name: 'Eve' }, as('Eve')))).toEqual([400, 'VALIDATION_ERROR']);
    expect(outcome(await accept({ token }, as('Olga')))).toEqual([403, 'FORBIDDEN']);
    expect(outcome(await accept({ token }, service.api.as('mrs_wrong')))).toEqual([401, 'INVALID_API_KEY']);
    const joined = await accept({ token }, as('Eve'));
    expect([joined.status, joined.body.data]).toMatchObject([201, { user: { id: eve.id }, key: null }]);
    expect(outcome(await accept({ token }, as('Eve')))).toEqual(GONE);
    expect((await as('Eve').get(`/organizations/${acme.id}`)).body.data.role).toBe('EDITOR');
  });

  it('expire after seven days, and can be sent again', async () => {
    const sent = await invited('Ada', { email: 'late@new.test', role: 'EDITOR' });
    const { invite_token: token } = sent;
    service.setNow(new Date(Date.parse(sent.expires_at)));
    expect(outcome(await accept({ token, name: 'Late' }))).toEqual(GONE);
    expect((await as('Ada').get(at())).body.data).toHaveLength(1);
    const again = await as('Adam').post(at(`/${sent.id}/resend`));
    expect([again.status, again.body.data.id, again.body.data.invited_by]).toEqual([200, sent.id, adam.id]);
    expect(Date.parse(again.body.data.expires_at)).toBe(Date.parse(sent.expires_at) + 7 * DAY_MS);
    expect(outcome(await accept({ token, name: 'Late' }))).toEqual(GONE);
    expect((await accept({ token: again.body.data.invite_token, name: 'Late' })).status).toBe(201);
  });

  it('that were withdrawn do not work', async () => {
    const sent = await invited('Ada', { email: 'gone@new.test', role: 'EDITOR' });
    expect((await as('Adam').delete(at(`/${sent.id}`))).status).toBe(200);
    expect(outcome(await accept({ token: sent.invite_token, name: 'Gone' }))).toEqual(GONE);
    expect(outcome(await as('Ada').delete(at(`/${sent.id}`)))).toEqual(GONE);
    expect(outcome(await as('Ada').post(at(`/${sent.id}/resend`)))).toEqual(GONE);
  });

  it.each([
    ['demoted', { role: 'EDITOR' }, 'EDITOR'],
    ['demoted below the role they gave', { role: 'ADMIN' }, 'OWNER'],
    ['removed', null, 'EDITOR'],
  ])('of a sender who has been %s do not work', async (_, change, role) => {
    const { invite_token: token } = await invited('Olga', { email: 'void@new.test', role });
    const path = `/organizations/${acme.id}/members/${olga.id}`;
    const { status } = change ? await as('Ada').patch(path, change) : await as('Ada').delete(path);
    expect(status).toBe(200);
    expect(outcome(await accept({ token, name: 'Void' }))).toEqual(GONE);
    const users = await service.dataSource.query('SELECT FROM users WHERE email = $1', ['void@new.test']);
    expect(users).toEqual([]);
  });

  it('do not bring back a member who joined in another way and was removed', async () => {
    const { invite_token: token } = await invited('Ada', { email: eve.email, role: 'ADMIN' });
    await service.import({ organizations: [{ ...acme, members: [member('Eve', 'VIEWER')] }] });
    expect((await as('Ada').delete(`/organizations/${acme.id}/members/${eve.id}`)).status).toBe(200);
    expect(outcome(await accept({ token }, as('Eve')))).toEqual(GONE);
  });

  it('are not sent to members, nor twice', async () => {
    expect(outcome(await invite('Ada', { email: 'ADAM@acme.test', role: 'EDITOR' }))).toEqual([
      409,
      'CONFLICT',
    ]);
    await invited('Ada', { email: 'same@new.test', role: 'EDITOR' });
    const twice = await invite('Adam', { email: 'SAME@new.test', role: 'VIEWER' });
    expect([twice.status, twice.body.error.message]).toEqual([
      409,
      `This person has already been invited; POST /api/v1${at()}/{invitationId}/resend sends that invitation again.`,
    ]);
  });

  it('are at most 100 at a time, of which expired ones make room', async () => {
    await service.dataSource.query(
      `INSERT INTO invitations (id, organization_id, email, role, token_hash, invited_by, language, mail_status, created_at, sent_at, expires_at)
       SELECT gen_random_uuid(), $1::uuid, 'many' || n || '@new.test', 'VIEWER', sha256(convert_to(n::text || now(), 'UTF8')), $2::uuid, 'en',
              'none', now(), now(), now() + interval '1 day' FROM generate_series(1, 99) n`,
      [acme.id, ada.id],
    );
    const pair = await Promise.all(
      ['a', 'b', 'c'].map((name) => invite('Ada', { email: `${name}@new.test`, role: 'EDITOR' })),
    );
    expect(pair.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    const page = await as('Ada').get(at('?limit=60'));
    expect([page.body.data.length, page.body.pagination.has_more]).toEqual([60, true]);
    const rest = await as('Ada').get(at(`?limit=60&cursor=${page.body.pagination.next_cursor}`));
    const ids = [...page.body.data, ...rest.body.data].map((one: { id: string }) => one.id);
    expect([ids.length, new Set(ids).size]).toEqual([100, 100]);
    expect((await as('Ada').get(at('?search=MANY9'))).body.data).toHaveLength(11);
    service.setNow(new Date(Date.now() + 2 * DAY_MS));
    expect((await invite('Ada', { email: 'later@new.test', role: 'EDITOR' })).status).toBe(201);
  });

  const viewer = { email: 'a@new.test', role: 'VIEWER' };
  it.each([
    ['a wrong address', { email: 'grace', role: 'EDITOR' }, 'email: '],
    ['a line break', { email: 'a@new.test\r\nBcc: b@new.test', role: 'EDITOR' }, 'email: '],
    ['no role', { email: 'a@new.test' }, 'role: is required and must be one of'],
    ['an unknown flag', { ...viewer, features: { all: true } }, 'features'],
    ['an unknown folder', { ...viewer, folder_ids: [id()] }, 'folder_ids: '],
    ['another language', { ...viewer, language: 'fr' }, 'language: must be one of'],
  ])('refuse %s', async (_, body, message) => {
    const refused = await invite('Ada', body);
    expect([refused.status, refused.body]).toEqual([
      400,
      refusal('VALIDATION_ERROR', expect.stringContaining(message)),
    ]);
  });

  it.each([
    ['no token', { name: 'Eve' }, 400],
    ['another token', { token: `inv_${'0'.repeat(43)}`, name: 'Eve' }, 404],
  ])('accept refuses %s', async (_, body, status) => {
    expect((await accept(body)).status).toBe(status);
  });
});
