import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { emailOf, folder, id, keyOf, member, organization, user } from '../../factories/workspace.js';
import { refusal, type Reply } from '../../support/client.js';
import { startService, type TestService } from '../../support/service.js';

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
        { id: board.id, name: 'Board' },
        { id: sales.id, name: 'Sales' },
      ],
    });
  });

  it('lists no folders of other organizations', async () => {
    expect((await list(lonely, 'folders')).body).toEqual({ data: [] });
  });

  it.each(['Ada', 'Grace', 'Linus'])(
    'lists all members by name, whatever the role of the caller: %s',
    async (name) => {
      const { status, body } = await list(acme, 'members', name);
      expect(status).toBe(200);
      expect(body).toEqual({
        data: [
          { id: ada.id, email: 'ada@acme.test', name: 'Ada', role: 'OWNER' },
          { id: grace.id, email: 'grace@acme.test', name: 'Grace', role: 'EDITOR' },
          { id: linus.id, email: 'linus@acme.test', name: 'Linus', role: 'VIEWER' },
        ],
      });
    },
  );

  it('lists the same user in each organization with the role there', async () => {
    expect((await list(lonely, 'members')).body.data).toEqual([
      { id: ada.id, email: 'ada@acme.test', name: 'Ada', role: 'ADMIN' },
    ]);
  });

  it.each(['folders', 'members'])('refuses a caller who is not a member: %s', async (what) => {
    const { status, body } = await list(acme, what, 'Nobody');
    expect(status).toBe(403);
    expect(body).toEqual(refusal('FORBIDDEN'));
  });

  it.each(['folders', 'members'])('answers ORGANIZATION_NOT_FOUND if it does not exist: %s', async (what) => {
    for (const unknown of [id(), 'acme', '0', `%7B${acme.id}%7D`, `${acme.id}%00`]) {
      const { status, body } = await list({ id: unknown }, what);
      expect(status).toBe(404);
      expect(body).toEqual(refusal('ORGANIZATION_NOT_FOUND'));
    }
  });
});
