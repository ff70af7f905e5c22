import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { ImportReport, ListedDifference } from '../../../src/modules/workspace/import-report.js';
import { folder, keyOf, member, organization, recording, user } from '../../factories/workspace.js';
import { eventually, startService, type TestService } from '../../support/service.js';

const ada = user('Ada');
const grace = user('Grace');
const acme = organization('Acme', {
  members: [member('Ada', 'OWNER'), member('Grace', 'EDITOR')],
  folders: [folder('Board'), folder('Sales')],
});
const beta = organization('Beta', { members: [member('Grace', 'OWNER')] });
const sync = recording('Ada', { organization: 'Acme', folder: 'Board', title: 'Weekly sync' });
const own = recording('Ada', { title: 'Private notes' });
const before = { users: [ada, grace], organizations: [acme, beta], recordings: [sync, own] };

describe('An import that updates', () => {
  let service: TestService;

  beforeAll(async () => {
    service = await startService({}, { worker: true });
  });
  beforeEach(async () => {
    await service.dataSource.query('TRUNCATE users, api_keys, organizations, recordings CASCADE');
    await service.import(before);
  });
  afterAll(() => service.stop());

  const update = (workspace: object, files?: Record<string, string>): Promise<ImportReport> =>
    service.import(workspace, files, { update: true });

  async function notes(workspace: object, files?: Record<string, string>): Promise<unknown> {
    const { differences } = await update(workspace, files);
    return differences.map(({ field, updated, note }: ListedDifference) => ({ field, updated, note }));
  }

  const titleOf = async (id: string): Promise<string> =>
    (await service.api.as(keyOf('Ada')).get(`/recordings/${id}`)).body.data.title;

  describe('is refused as a whole', () => {
    it.each([
      [
        'if it would leave an organization without an OWNER',
        { members: [member('Ada', 'ADMIN')] },
        'organizations[0].members[0].role: An organization must have an OWNER, and this is the last one of "Acme".',
      ],
      [
        'if it restricts a folder to somebody who is not a member',
        { folders: [{ name: 'Board', restrictedTo: ['ada@acme.test', 'lin@acme.test'] }] },
        'organizations[0].folders[0].restrictedTo[1]: "lin@acme.test" is not a member of the organization',
      ],
      [
        'if it gives a folder the name of another one',
        { folders: [{ ...(acme['folders'] as object[])[0], name: 'Sales' }] },
        'organizations[0].folders[0].id: "Sales" already exists with the id ',
      ],
      [
        'if two of its folders are the same',
        { folders: [{ name: 'Board' }, { ...(acme['folders'] as object[])[0], name: 'Management' }] },
        'organizations[0].folders[1]: is the same folder as organizations[0].folders[0]',
      ],
    ])('%s', async (_, overrides, message) => {
      const workspace = {
        users: [{ ...ada, name: 'Renamed' }, user('Lin')],
        organizations: [{ ...acme, members: [], folders: [], plan: 'FREE', ...overrides }],
        recordings: [{ ...sync, folder: undefined, title: 'Renamed' }],
      };
      await expect(update(workspace)).rejects.toThrow(message);
      expect(await titleOf(sync.id)).toBe('Weekly sync');
      const users: unknown = await service.dataSource.query('SELECT name FROM users ORDER BY name');
      expect(users).toEqual([{ name: 'Ada' }, { name: 'Grace' }]);
      const [{ plan }] = await service.dataSource.query('SELECT plan FROM organizations WHERE id = $1', [
        acme.id,
      ]);
      expect(plan).toBe('ENTERPRISE');
    });

    it('if a recording would end before it started', async () => {
      await update({ recordings: [{ ...sync, startedAt: '2026-02-01T10:00:00Z' }] });
      await expect(update({ recordings: [{ ...sync, endedAt: '2026-02-01T09:00:00Z' }] })).rejects.toThrow(
        'recordings[0].endedAt: must not be before startedAt',
      );
    });
  });

  it('hands over an organization in one file, whatever the order of its members', async () => {
    const members = [member('Ada', 'EDITOR'), member('Grace', 'OWNER')];
    await update({ organizations: [{ ...acme, members }] });
    const roles: unknown = await service.dataSource.query(
      'SELECT role FROM organization_members WHERE organization_id = $1 ORDER BY user_id = $2',
      [acme.id, ada.id],
    );
    expect(roles).toEqual([{ role: 'OWNER' }, { role: 'EDITOR' }]);
  });

  it('revokes keys, and never un-revokes them', async () => {
    const key = { name: 'test', key: keyOf('Ada') };
    const ada2 = service.api.as(keyOf('Ada'));
    expect(await notes({ users: [{ ...ada, apiKeys: [{ ...key, revoked: true }] }] })).toEqual([
      { field: 'revoked', updated: true, note: null },
    ]);
    expect((await ada2.get('/me')).status).toBe(401);
    expect(await notes({ users: [{ ...ada, apiKeys: [{ ...key, revoked: false }] }] })).toEqual([
      { field: 'revoked', updated: false, note: 'a revoked key stays revoked' },
    ]);
    expect((await ada2.get('/me')).status).toBe(401);
    const { differences } = await update({ users: [{ ...ada, apiKeys: [{ ...key, revoked: false }] }] });
    expect(JSON.stringify(differences)).not.toContain(keyOf('Ada').slice(4, 12));
  });

  it('leaves to the service what it keeps itself, and says why', async () => {
    const given = { ...own, status: 'ERROR', progress: 0.5, transcribe: true, media: 'call.mp4' };
    const files = { 'call.mp4': 'not really a video' };
    const kept = 'this is maintained by the service';
    expect(await notes({ recordings: [given] }, files)).toEqual([
      { field: 'status', updated: false, note: kept },
      { field: 'progress', updated: false, note: kept },
      { field: 'transcribe', updated: false, note: 'this is set when a recording is created' },
      { field: 'media', updated: false, note: 'send it with POST /recordings/:id/upload' },
    ]);
    expect(await service.objects()).toEqual([]);
  });

  it('ends the share links of a recording that it moves to another organization, and finds it there', async () => {
    const links = `/recordings/${sync.id}/share-link`;
    expect((await service.api.as(keyOf('Ada')).post(links, { permission: 'view' })).status).toBe(201);
    expect(
      await notes({ recordings: [{ ...sync, title: 'Yearly plan', organization: 'Beta', folder: null }] }),
    ).toEqual([
      { field: 'title', updated: true, note: null },
      { field: 'organization', updated: true, note: 'its share links have ended' },
      { field: 'folder', updated: true, note: null },
    ]);
    const grace2 = service.api.as(keyOf('Grace'));
    expect((await grace2.get(`${links}s`)).body.data).toEqual([]);
    await eventually(async () => {
      const found = await grace2.get(`/recordings/search?q=yearly&organization_id=${beta.id}`);
      expect(found.body.data).toHaveLength(1);
    });
  });

  it('ends the share links of a personal recording that it gives to somebody else', async () => {
    const links = `/recordings/${own.id}/share-link`;
    expect((await service.api.as(keyOf('Ada')).post(links, { permission: 'view' })).status).toBe(201);
    expect(await notes({ recordings: [{ ...own, owner: 'grace@acme.test' }] })).toEqual([
      { field: 'owner', updated: true, note: 'its share links have ended' },
    ]);
    expect((await service.api.as(keyOf('Grace')).get(`${links}s`)).body.data).toEqual([]);
    expect((await service.api.as(keyOf('Ada')).get(`/recordings/${own.id}`)).status).toBe(404);
  });

  it('may run several times at once, and changes everything once', async () => {
    const changed = {
      users: [{ ...ada, name: 'Ada L.' }],
      organizations: [{ ...acme, plan: 'PRO' }],
      recordings: [{ ...sync, title: 'Sync' }],
    };
    const reports = await Promise.all([1, 2, 3].map(() => update(changed)));
    expect(reports.map(({ users }) => users.updated).sort()).toEqual([0, 0, 1]);
    expect(reports.map(({ organizations }) => organizations.updated).sort()).toEqual([0, 0, 1]);
    expect(reports.map(({ recordings }) => recordings.updated).sort()).toEqual([0, 0, 1]);
  });

  it('keeps the OWNER while members are demoted by requests at the same time', async () => {
    await update({ organizations: [{ ...acme, members: [member('Grace', 'OWNER')] }] });
    const api = service.api.as(keyOf('Ada'));
    await Promise.allSettled([
      update({ organizations: [{ ...acme, members: [member('Grace', 'EDITOR')] }] }),
      api.patch(`/organizations/${acme.id}/members/${ada.id}`, { role: 'EDITOR' }),
    ]);
    const [{ owners }] = await service.dataSource.query(
      "SELECT count(*)::int AS owners FROM organization_members WHERE organization_id = $1 AND role = 'OWNER'",
      [acme.id],
    );
    expect(owners).toBe(1);
  });

  it('does not take the organization of a stranger for the one that the file names', async () => {
    const named = 'Gamma';
    const stranger = (await service.api.as(keyOf('Grace')).post('/organizations', { name: named })).body.data;
    const gamma = { name: named, members: [member('Ada', 'OWNER')] };
    const minutes = recording('Ada', { organization: named });
    await expect(service.import({ organizations: [gamma] })).rejects.toThrow(
      'organizations[0].name: "Gamma" exists, but none of its OWNERs is one in the file; give the id, that of the existing one or a new one',
    );
    const ours = { ...gamma, id: organization(named).id };
    expect(await service.import({ organizations: [ours] })).toMatchObject({ organizations: { created: 1 } });
    // From now on, the file's own is found by its name, although there are two.
    const again = await service.import({ organizations: [gamma], recordings: [minutes] });
    expect(again).toMatchObject({ organizations: { created: 0 }, members: { created: 0 } });
    const placed = `SELECT organization_id AS home FROM recordings WHERE id = $1`;
    expect(await service.dataSource.query(placed, [minutes.id])).toEqual([{ home: ours.id }]);
    const { data } = (await service.api.as(keyOf('Grace')).get(`/organizations/${stranger.id}/members`)).body;
    expect(data).toMatchObject([{ name: 'Grace' }]);
  });

  it('finds no user by an address that they only claimed', async () => {
    const lin = user('Lin');
    await service.dataSource.query(
      `INSERT INTO users (id, email, name, plan) VALUES (gen_random_uuid(), $1, 'Mallory', 'FREE')`,
      [lin.email],
    );
    const members = [member('Ada', 'OWNER'), member('Lin', 'ADMIN')];
    await expect(update({ organizations: [{ ...acme, members }] })).rejects.toThrow(
      'organizations[0].members[1].email: no user "lin@acme.test"',
    );
    const { users } = await update({ users: [lin], organizations: [{ ...acme, members }] });
    expect(users).toMatchObject({ created: 1 });
    expect((await service.api.as(keyOf('Lin')).get('/me')).body.data).toMatchObject({ email_verified: true });
    expect((await service.api.as(keyOf('Lin')).get(`/organizations/${acme.id}`)).body.data.role).toBe(
      'ADMIN',
    );
  });

  it('restricts a folder to the user whose address it is, in place of one who only claims it', async () => {
    const [lin, mallory] = [user('Lin'), user('Mallory')];
    const members = [member('Ada', 'OWNER'), member('Lin', 'VIEWER'), member('Mallory', 'VIEWER')];
    const restricted = (restrictedTo: string[]) => ({
      ...acme,
      members,
      folders: [{ name: 'Board', restrictedTo }],
    });
    await update({ users: [lin, mallory], organizations: [restricted([mallory.email])] });
    await service.dataSource.query('UPDATE users SET email = $2, email_verified = false WHERE id = $1', [
      mallory.id,
      lin.email,
    ]);
    members.pop();
    await update({ organizations: [restricted([lin.email])] });
    expect(await service.dataSource.query('SELECT user_id FROM folder_members')).toEqual([
      { user_id: lin.id },
    ]);
  });

  it('does not find organizations and folders that have been deleted', async () => {
    const folderId = (acme['folders'] as { id: string }[])[0]!.id;
    await service.dataSource.query(
      'UPDATE folders SET active = false, name = id::text, deleted_at = now() WHERE id = $1',
      [folderId],
    );
    await expect(update({ recordings: [sync] })).rejects.toThrow(
      'recordings[0].folder: no folder "Board" in "Acme"',
    );
    await service.dataSource.query('UPDATE organizations SET deleted_at = now() WHERE id = $1', [acme.id]);
    await expect(update({ organizations: [acme] })).rejects.toThrow(
      'organizations[0].id: this organization has been deleted',
    );
  });
});
