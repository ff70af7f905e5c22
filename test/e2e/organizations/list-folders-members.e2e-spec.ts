import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { emailOf, folder, id, keyOf, member, organization, user } from '../../factories/workspace.js';
import { refusal, type Reply } from '../../support/client.js';
import { startService, type TestService } from '../../support/service.js';

const FLAGS = {
  downloads: true,
  sharing: true,
  transcription: true,
  summaries: true,
  questions: true,
  view_all_recordings: false,
  view_folder_recordings: true,
};

/** What nobody has given. */
const OWN = { external_id: null, metadata: {} };

describe('GET /organizations/:id/...', () => {
  let service: TestService;
  const [sales, board, closed] = [
    folder('Sales'),
    folder('Board', { restrictedTo: [emailOf('Ada')] }),
    folder('Closed', { active: false }),
  ];
  const [ada, grace, linus] = [user('Ada'), user('Grace'), user('Linus', { plan: 'FREE' })];
  const acme = organization('Acme', {
    members: [member('Linus', 'VIEWER'), member('Grace', 'EDITOR'), member('Ada', 'OWNER')],
    folders: [sales, board, closed],
  });
  const lonely = organization('Lonely', { members: [member('Ada', 'ADMIN')] });

  beforeAll(async () => {
    service = await startService();
    await service.import({ users: [ada, grace, linus, user('Nobody')], organizations: [acme, lonely] });
  });
  afterAll(() => service.stop());

  const list = (of: { id: string }, what: string, name = 'Ada'): Promise<Reply> =>
    service.api.as(keyOf(name)).get(`/organizations/${of.id}/${what}`);

  it('lists all active folders by name, including restricted ones', async () => {
    const { status, body } = await list(acme, 'folders', 'Linus');
    expect(status).toBe(200);
    expect(body).toEqual({
      data: [
        { id: board.id, name: 'Board', is_active: true, is_restricted: true, restricted_to: null, ...OWN },
        { id: sales.id, name: 'Sales', is_active: true, is_restricted: false, restricted_to: null, ...OWN },
      ],
    });
  });

  it('shows managers who a folder is restricted to, and inactive folders on request', async () => {
    const { body } = await list(acme, 'folders?all=true');
    expect(body.data).toEqual([
      { id: board.id, name: 'Board', is_active: true, is_restricted: true, restricted_to: [ada.id], ...OWN },
      { id: closed.id, name: 'Closed', is_active: false, is_restricted: false, restricted_to: null, ...OWN },
      { id: sales.id, name: 'Sales', is_active: true, is_restricted: false, restricted_to: null, ...OWN },
    ]);
    expect((await list(acme, 'folders?all=true', 'Linus')).body).toEqual(refusal('FORBIDDEN'));
  });

  it.each([
    ['folders', ['Board', 'Sales']],
    ['members', ['Ada', 'Grace', 'Linus']],
  ])('pages by cursor on request: %s', async (what, names) => {
    const found: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const page = await list(acme, `${what}?limit=1${cursor && `&cursor=${cursor}`}`);
      expect(page.body.pagination).toMatchObject({ limit: 1, has_more: found.length + 1 < names.length });
      found.push(...page.body.data.map(({ name }: { name: string }) => name));
      cursor = page.body.pagination.next_cursor as string | null;
    }
    expect(found).toEqual(names);
  });

  it('searches a part of the name, of members also of the email address', async () => {
    expect((await list(acme, 'folders?search=OAR')).body.data).toMatchObject([{ name: 'Board' }]);
    expect((await list(acme, 'members?search=grace%40')).body.data).toMatchObject([{ name: 'Grace' }]);
    expect((await list(acme, 'members?search=%25')).body.data).toEqual([]);
  });

  it.each(['cursor=x', 'limit=0', 'search=', 'unknown=1'])('refuses ?%s', async (query) => {
    for (const what of ['folders', 'members']) {
      expect((await list(acme, `${what}?${query}`)).body).toEqual(refusal('VALIDATION_ERROR'));
    }
  });

  it('lists no folders of other organizations', async () => {
    expect((await list(lonely, 'folders')).body).toEqual({ data: [] });
  });

  it.each(['Ada', 'Grace', 'Linus'])(
    'lists all members by name, whatever the role of the caller: %s',
    async (caller) => {
      const { status, body } = await list(acme, 'members', caller);
      const shown = ({ id: of, email, name }: typeof ada, role: string) => ({
        id: of,
        email,
        email_verified: true,
        name,
        role,
        // Flags are for those who manage members, and for oneself.
        features: caller === 'Ada' || caller === name ? FLAGS : null,
        joined_at: expect.any(String),
      });
      expect([status, body.data]).toEqual([
        200,
        [shown(ada, 'OWNER'), shown(grace, 'EDITOR'), shown(linus, 'VIEWER')],
      ]);
    },
  );

  it.each(['folders', 'members'])('refuses a caller who is not a member: %s', async (what) => {
    const { status, body } = await list(acme, what, 'Nobody');
    expect(status).toBe(403);
    expect(body).toEqual(refusal('FORBIDDEN'));
  });

  it.each(['folders', 'members'])('answers ORGANIZATION_NOT_FOUND if it does not exist: %s', async (what) => {
    for (const unknown of [id(), `${acme.id}%00`]) {
      const { status, body } = await list({ id: unknown }, what);
      expect(status).toBe(404);
      expect(body).toEqual(refusal('ORGANIZATION_NOT_FOUND'));
    }
  });
});
