import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { describe as printed } from '../../../src/modules/workspace/import-run.js';
import {
  folder,
  keyOf,
  member,
  organization,
  recording,
  summary,
  transcript,
  user,
} from '../../factories/workspace.js';
import { startService, type TestService } from '../../support/service.js';

const KEY = { name: 'laptop', key: 'mrs_laptop00000000000000' };
const ada = user('Ada', { apiKeys: [{ name: 'test', key: keyOf('Ada') }, KEY] });
const grace = user('Grace');
const [board, sales] = [folder('Board', { restrictedTo: ['ada@acme.test'] }), folder('Sales')];
const acme = organization('Acme', {
  members: [member('Ada', 'OWNER'), member('Grace', 'EDITOR')],
  folders: [board, sales],
});
const beta = organization('Beta', { members: [member('Ada', 'OWNER')], folders: [folder('Plans')] });
const sync = recording('Ada', {
  organization: 'Acme',
  folder: 'Sales',
  createdAt: '2026-01-31T09:30:00Z',
  transcript: transcript(45),
  summary,
});
const bare = recording('Ada', { title: 'Bare', organization: 'Acme', folder: 'Board' });
const before = { users: [ada, grace], organizations: [acme, beta], recordings: [sync, bare] };

/** The same workspace, with something else in most entries. */
const after = {
  users: [
    {
      ...ada,
      name: 'Ada L.',
      apiKeys: [{ ...KEY, name: 'desktop', expiresAt: '2098-01-01', revoked: true, scopes: ['questions'] }],
    },
    { ...grace, plan: 'FREE' },
  ],
  organizations: [
    {
      ...acme,
      name: 'Acme Inc.',
      plan: 'FREE',
      subscription: { status: 'past_due', endsAt: '2097-01-01T00:00:00Z' },
      features: { sharing: false },
      membersMayTakeRecordings: true,
      members: [member('Grace', 'ADMIN', { downloads: false, viewAllRecordings: true })],
      folders: [
        { ...board, restrictedTo: ['Grace@acme.test'] },
        { ...sales, name: 'Customers', active: false },
      ],
    },
    beta,
  ],
  recordings: [
    {
      ...sync,
      owner: 'grace@acme.test',
      organization: 'Beta',
      folder: 'Plans',
      title: 'Sync',
      status: 'ERROR',
      progress: 0.5,
      notes: 'Ship it',
      createdAt: '2026-02-01T09:30:00Z',
      startedAt: '2026-02-01T09:31:00Z',
      endedAt: '2026-02-01T10:00:00Z',
      language: 'de',
      transcribe: true,
      media: 'call.mp4',
      transcript: transcript(2),
      summary: { content: 'Ship it on Monday' },
    },
    { ...bare, organization: null, folder: null, transcript: transcript(1) },
  ],
};

describe('A workspace file about what exists already', () => {
  let service: TestService;

  beforeAll(async () => {
    service = await startService();
  });
  beforeEach(async () => {
    await service.dataSource.query(
      'DELETE FROM recordings; DELETE FROM organizations; DELETE FROM users; DELETE FROM api_keys',
    );
    await service.import(before);
  });
  afterAll(() => service.stop());

  const titleOf = async (id: string): Promise<string> =>
    (await service.api.as(keyOf('Ada')).get(`/recordings/${id}`)).body.data.title;

  it('changes nothing, and lists by name what differs', async () => {
    const report = await service.import(after, { 'call.mp4': 'not really a video' });
    expect(printed(report).split('\n')).toEqual([
      'users: 0 created, 0 unchanged, 2 different',
      'apiKeys: 0 created, 1 unchanged, 1 different',
      'organizations: 0 created, 1 unchanged, 1 different',
      'folders: 0 created, 1 unchanged, 2 different',
      'members: 0 created, 1 unchanged, 1 different',
      'recordings: 0 created, 0 unchanged, 2 different',
      'user ada@acme.test: name differs',
      'key "laptop" of ada@acme.test: name, expiresAt, revoked, scopes differ',
      'user grace@acme.test: plan differs',
      'organization "Acme": name, plan, subscription.status, subscription.endsAt, features.sharing, membersMayTakeRecordings differ',
      'member grace@acme.test of "Acme": role, features.downloads, features.viewAllRecordings differ',
      'folder "Board" of "Acme": restrictedTo differs',
      'folder "Sales" of "Acme": name, active differ',
      `recording "Weekly sync" (${sync.id}): owner, organization, folder, title, status, progress, notes, createdAt, startedAt, endedAt, media, transcribe, language, transcript, summary differ`,
      `recording "Bare" (${bare.id}): organization, folder, transcript differ`,
      'Nothing was changed.',
      'What differs was left as it is; the API changes it.',
    ]);
    expect(await service.objects()).toEqual([]);
    expect((await service.import(before)).differences).toEqual([]);
  });

  it('adds what is missing, and takes nothing that it leaves out for a difference', async () => {
    const report = await service.import({
      users: [{ email: ada.email, name: 'Ada' }, user('Lin')],
      organizations: [{ name: 'Acme', members: [member('Lin', 'VIEWER')], folders: [{ name: 'Board' }] }],
      recordings: [
        { id: sync.id, owner: 'ada@acme.test', title: sync.title, status: sync.status },
        recording('Lin', { organization: 'Acme', folder: 'Board' }),
      ],
    });
    expect(report).toMatchObject({ differences: [], members: { created: 1 }, recordings: { created: 1 } });
    const placed = 'SELECT folder_id AS id FROM recordings JOIN users u ON u.id = owner_id WHERE u.name = $1';
    expect(await service.dataSource.query(placed, ['Lin'])).toEqual([{ id: board.id }]);
  });

  it('takes a summary as the API shows it for the same, and keeps its confidences', async () => {
    const given = {
      decisions: [{ text: 'Ship it', confidence: 0.6 }, { text: 'Hire two' }],
      actionItems: [{ text: 'Call Bo', confidence: 0.4 }, { text: 'Ask the bank' }],
    };
    const minutes = recording('Ada', { summary: given });
    const differences = async (changed: object) =>
      (await service.import({ recordings: [{ ...minutes, summary: { ...given, ...changed } }] })).differences;
    expect(await differences({})).toEqual([]);
    const { data } = (await service.api.as(keyOf('Ada')).get(`/recordings/${minutes.id}/summary`)).body;
    const [decisions, actionItems] = [data.decisions, data.actionItems];
    const confidences = [{ confidence: 0.6 }, { confidence: null }];
    expect([decisions, actionItems]).toMatchObject([confidences, [{ confidence: 0.4 }, confidences[1]]]);
    expect(await differences({ decisions, actionItems })).toEqual([]);
    for (const changed of [
      { decisions: [{ text: 'Ship it', confidence: 0.7 }, decisions[1]] },
      { actionItems: [actionItems[0], { ...actionItems[1], confidence: 0 }] },
    ])
      expect(await differences(changed)).toMatchObject([{ fields: ['summary'] }]);
  });

  it('names entries without control characters, shortened', async () => {
    const odd = recording('Ada');
    await service.import({ recordings: [odd] });
    // As 1.0.0 took it.
    const title = `\u001b[2J\u0007${'x'.repeat(400)}`;
    await service.dataSource.query('UPDATE recordings SET title = $1 WHERE id = $2', [title, odd.id]);
    expect((await service.import({ recordings: [{ ...odd, title: 'Plain' }] })).differences).toEqual([
      { entry: `recording " [2J ${'x'.repeat(35)}..." (${odd.id})`, fields: ['title'] },
    ]);
  });

  it('identifies recordings without an id by their content, also identical ones, whatever is to be done with them', async () => {
    const daily = { owner: 'ada@acme.test', title: 'Daily', status: 'COMPLETED' };
    expect((await service.import({ recordings: [daily, daily] })).recordings.created).toBe(2);
    const again = await service.import({
      recordings: [{ ...daily, transcribe: true, language: 'de' }, daily],
    });
    expect(again.recordings).toEqual({ created: 0, unchanged: 1, different: 1 });
  });

  it.each([
    [
      'if it restricts a new folder to somebody who is not a member',
      [{ name: 'New', restrictedTo: ['ada@acme.test', 'lin@acme.test'] }],
      'organizations[0].folders[0].restrictedTo[1]: "lin@acme.test" is not a member of the organization',
    ],
    [
      'if it gives the id of a folder to another name',
      [{ ...board, name: 'Sales' }],
      'organizations[0].folders[0].id: "Sales" already exists with the id ',
    ],
    [
      'if two of its folders are the same',
      [{ name: 'Board' }, { ...board, name: 'Management' }],
      'organizations[0].folders[1]: is the same folder as organizations[0].folders[0]',
    ],
  ])('is refused as a whole %s', async (_, folders, message) => {
    const organizations = [{ ...acme, members: [], folders }];
    await expect(service.import({ users: [user('Lin')], organizations })).rejects.toThrow(message);
    expect(await service.dataSource.query("SELECT FROM users WHERE name = 'Lin'")).toEqual([]);
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
    const members = [member('Lin', 'ADMIN')];
    const folders = [{ name: 'Private', restrictedTo: [lin.email] }];
    const organizations = [{ ...acme, members, folders }];
    await expect(service.import({ organizations })).rejects.toThrow(
      'organizations[0].members[0].email: no user "lin@acme.test"',
    );
    expect((await service.import({ users: [lin], organizations })).users.created).toBe(1);
    const found = `SELECT user_id AS id FROM folder_members m JOIN folders f ON f.id = folder_id WHERE f.name = 'Private'`;
    expect(await service.dataSource.query(found)).toEqual([{ id: lin.id }]);
    expect((await service.api.as(keyOf('Lin')).get('/me')).body.data).toMatchObject({ email_verified: true });
  });

  it('does not find organizations and folders that have been deleted', async () => {
    await service.dataSource.query(
      'UPDATE folders SET active = false, name = id::text, deleted_at = now() WHERE id = $1',
      [board.id],
    );
    await expect(service.import({ recordings: [bare] })).rejects.toThrow(
      'recordings[0].folder: no folder "Board" in "Acme"',
    );
    await service.dataSource.query('UPDATE organizations SET deleted_at = now() WHERE id = $1', [acme.id]);
    await expect(service.import({ organizations: [acme] })).rejects.toThrow(
      'organizations[0].id: this organization has been deleted',
    );
    expect(await titleOf(sync.id)).toBe('Weekly sync');
  });
});
