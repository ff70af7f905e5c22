import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { keyOf, member, organization, user } from '../../factories/workspace.js';
import { refusal, type Reply } from '../../support/client.js';
import { startService, type TestService } from '../../support/service.js';

/** What nobody has given. */
const OWN = { external_id: null, metadata: {} };

describe('GET /organizations', () => {
  let service: TestService;
  const zeta = organization('Zeta', { members: [member('Ada', 'OWNER'), member('Grace', 'VIEWER')] });
  const acme = organization('Acme', { members: [member('Ada', 'EDITOR')] });
  const ended = organization('Ended', {
    subscription: { status: 'expired', endsAt: null },
    members: [member('Ada', 'VIEWER'), member('Grace', 'ADMIN'), member('Linus', 'OWNER')],
  });

  beforeAll(async () => {
    service = await startService();
    await service.import({
      users: [user('Ada'), user('Grace'), user('Linus')],
      organizations: [zeta, acme, ended, organization('Foreign', { members: [member('Linus', 'OWNER')] })],
    });
  });
  afterAll(() => service.stop());

  const quotas = expect.any(Object);
  const list = (name: string, query = ''): Promise<Reply> =>
    service.api.as(keyOf(name)).get(`/organizations${query}`);
  const namesIn = ({ body }: Reply): string[] => body.data.map((one: { name: string }) => one.name);

  it("lists the caller's organizations by name, with the caller's role and the number of members", async () => {
    const { status, body } = await list('Ada');
    expect(status).toBe(200);
    expect(body).toEqual({
      data: [
        { id: acme.id, name: 'Acme', role: 'EDITOR', member_count: 1, ...OWN, quotas: null },
        { id: ended.id, name: 'Ended', role: 'VIEWER', member_count: 3, ...OWN, quotas: null },
        { id: zeta.id, name: 'Zeta', role: 'OWNER', member_count: 2, ...OWN, quotas },
      ],
    });
  });

  it('lists the role of each caller', async () => {
    const { body } = await list('Grace');
    expect(body.data).toEqual([
      { id: ended.id, name: 'Ended', role: 'ADMIN', member_count: 3, ...OWN, quotas },
      { id: zeta.id, name: 'Zeta', role: 'VIEWER', member_count: 2, ...OWN, quotas: null },
    ]);
  });

  it('pages by cursor on request', async () => {
    const first = await list('Ada', '?limit=2');
    expect(namesIn(first)).toEqual(['Acme', 'Ended']);
    const cursor: string = first.body.pagination.next_cursor;
    expect(first.body.pagination).toEqual({ limit: 2, has_more: true, next_cursor: expect.any(String) });
    const second = await list('Ada', `?limit=2&cursor=${cursor}`);
    expect(namesIn(second)).toEqual(['Zeta']);
    expect(second.body.pagination).toEqual({ limit: 2, has_more: false, next_cursor: null });
  });

  it.each([
    ['E', ['Acme', 'Ended', 'Zeta']],
    ['ET', ['Zeta']],
    ['foreign', []],
    ['%25', []],
  ])("searches a part of the name among the caller's: %s", async (text, names) => {
    expect(namesIn(await list('Ada', `?search=${text}`))).toEqual(names);
  });

  it.each(['cursor=x', 'limit=0', 'search=', 'unknown=1'])('refuses ?%s', async (query) => {
    const { status, body } = await list('Ada', `?${query}`);
    expect([status, body]).toEqual([400, refusal('VALIDATION_ERROR')]);
  });
});
