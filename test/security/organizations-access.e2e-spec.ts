import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { emailOf, folder, id, keyOf, member, organization, recording, user } from '../factories/workspace.js';
import { refusal } from '../support/client.js';
import { startService, type TestService } from '../support/service.js';

const ROLES = ['OWNER', 'ADMIN', 'EDITOR', 'VIEWER'] as const;
const PEOPLE = [...ROLES, 'Former', 'Stranger'];
const people = Object.fromEntries(PEOPLE.map((name) => [name, user(name)]));

const open = folder('Board');
const restricted = folder('Council', { restrictedTo: [emailOf('OWNER')] });
const inactive = folder('Attic', { active: false });
const foreign = folder('Foreign');
const acme = organization('Acme', {
  members: [
    ...ROLES.map((role) => member(role, role, { viewAllRecordings: true })),
    member('Former', 'OWNER'),
  ],
  folders: [restricted, open, inactive],
});
const elsewhere = organization('Elsewhere', { members: [member('Stranger', 'OWNER')], folders: [foreign] });
const lapsed = organization('Lapsed', {
  subscription: { status: 'expired' },
  members: ROLES.map((role) => member(role, role)),
});

const inFolder = (name: string, home = 'Acme') => recording('OWNER', { organization: home, folder: name });

const paths = (organizationId: string): string[] => [
  `/organizations/${organizationId}/folders`,
  `/organizations/${organizationId}/members`,
  `/recordings?organization_id=${organizationId}`,
  `/recordings?organization_id=${organizationId}&folder_id=${open.id}`,
];

/** What nobody has given. */
const OWN = { external_id: null, metadata: {} };

describe('access to an organization', () => {
  let service: TestService;
  const recordings = [
    inFolder('Board'),
    inFolder('Council'),
    inFolder('Attic'),
    inFolder('Foreign', 'Elsewhere'),
  ];

  beforeAll(async () => {
    service = await startService();
    await service.import({
      users: Object.values(people),
      organizations: [acme, elsewhere, lapsed],
      recordings,
    });
    await service.dataSource.query('DELETE FROM organization_members WHERE user_id = $1', [
      people['Former']?.id,
    ]);
  });
  afterAll(() => service.stop());
  const as = (name: string) => service.api.as(keyOf(name));

  describe.each(ROLES)('%s', (role) => {
    it('lists the organizations with their own role and the number of members, whatever the subscription', async () => {
      // How many recordings there are is for those who may see all of them.
      const quotas = ['OWNER', 'ADMIN'].includes(role) ? expect.any(Object) : null;
      expect((await as(role).get('/organizations')).body).toEqual({
        data: [
          { id: acme.id, name: 'Acme', role, member_count: 4, ...OWN, quotas },
          { id: lapsed.id, name: 'Lapsed', role, member_count: 4, ...OWN, quotas },
        ],
      });
    });

    it('lists only active folders', async () => {
      const { status, body } = await as(role).get(`/organizations/${acme.id}/folders`);
      expect(status).toBe(200);
      expect(body).toMatchObject({
        data: [
          { id: open.id, name: 'Board', is_active: true, is_restricted: false },
          { id: restricted.id, name: 'Council', is_active: true, is_restricted: true },
        ],
      });
      expect(body.data).toHaveLength(2);
    });

    it('lists all members', async () => {
      const { status, body } = await as(role).get(`/organizations/${acme.id}/members`);
      expect(status).toBe(200);
      const expected = ROLES.map((name) => ({
        id: people[name]?.id,
        email: emailOf(name),
        name,
        role: name,
      }));
      expect(body.data).toHaveLength(4);
      expect(body.data).toEqual(expect.arrayContaining(expected.map((one) => expect.objectContaining(one))));
    });

    it('lists the recordings', async () => {
      const { status, body } = await as(role).get(`/recordings?organization_id=${acme.id.toUpperCase()}`);
      expect(status).toBe(200);
      expect(body.pagination.total).toBe(3);
    });

    it.each([
      ['unknown', id()],
      ['of another organization', foreign.id],
      ['inactive', inactive.id],
      ['not a UUID', 'Board'],
      ['not a UUID, quoted', "' OR true --"],
    ])('gets an empty page for a folder that is %s', async (_, folderId) => {
      const query = `organization_id=${acme.id}&folder_id=${encodeURIComponent(folderId)}`;
      const { status, body } = await as(role).get(`/recordings?${query}`);
      expect(status).toBe(200);
      expect(body).toEqual({
        data: [],
        pagination: { total: 0, limit: 20, offset: 0, has_more: false, next_cursor: null },
      });
    });

    it('gets the recordings in an active folder', async () => {
      const { body } = await as(role).get(`/recordings?organization_id=${acme.id}&folder_id=${open.id}`);
      expect(body.data.map((item: { id: string }) => item.id)).toEqual([recordings[0]?.id]);
    });
  });

  it.each(['Former', 'Stranger'])('non-members (%s) get 403 FORBIDDEN everywhere', async (name) => {
    for (const path of paths(acme.id)) {
      const { status, body } = await as(name).get(path);
      expect([path, status, body]).toEqual([path, 403, refusal('FORBIDDEN')]);
    }
  });

  it.each(PEOPLE)(
    'an organization that does not exist is 404 ORGANIZATION_NOT_FOUND for %s',
    async (name) => {
      for (const path of [id(), 'Acme', '%7B%7D'].flatMap(paths)) {
        const { status, body } = await as(name).get(path);
        expect([path, status, body]).toEqual([path, 404, refusal('ORGANIZATION_NOT_FOUND')]);
      }
    },
  );

  it('a user without organizations gets an empty list', async () => {
    expect((await as('Former').get('/organizations')).body).toEqual({ data: [] });
  });

  it('an organization the user has left is not listed', async () => {
    expect((await as('Stranger').get('/organizations')).body).toEqual({
      data: [
        {
          id: elsewhere.id,
          name: 'Elsewhere',
          role: 'OWNER',
          member_count: 1,
          ...OWN,
          quotas: expect.any(Object),
        },
      ],
    });
  });

  it('folder_id without organization_id is rejected', async () => {
    const { status, body } = await as('OWNER').get(`/recordings?folder_id=${open.id}`);
    expect([status, body]).toEqual([400, refusal('VALIDATION_ERROR', expect.stringContaining('folder_id'))]);
  });
});
