import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { ImportReport } from '../../../src/modules/workspace/import-report.js';
import { describe as printed } from '../../../src/modules/workspace/import-report.js';
import { folder, keyOf, member, organization, recording, user } from '../../factories/workspace.js';
import { startService, type TestService } from '../../support/service.js';

const lineOf = (report: ImportReport): string[] => printed(report).split('\n').slice(6);

const KEY = { name: 'laptop', key: 'mrs_laptop00000000000000' };
const ada = user('Ada', { apiKeys: [{ name: 'test', key: keyOf('Ada') }, KEY] });
const grace = user('Grace');
const acme = organization('Acme', {
  members: [member('Ada', 'OWNER'), member('Grace', 'EDITOR')],
  folders: [folder('Board', { restrictedTo: ['ada@acme.test'] }), folder('Sales')],
});
const beta = organization('Beta', { members: [member('Ada', 'OWNER')], folders: [folder('Plans')] });
const sync = recording('Ada', { organization: 'Acme', folder: 'Sales', createdAt: '2026-01-31T09:30:00Z' });
const before = { users: [ada, grace], organizations: [acme, beta], recordings: [sync] };

/** The same workspace, with something else in each entry. */
const after = {
  users: [
    { ...ada, name: 'Ada L.', apiKeys: [{ ...KEY, name: 'desktop', expiresAt: '2098-01-01' }] },
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
        { ...(acme['folders'] as object[])[0], restrictedTo: ['Grace@acme.test'] },
        { ...(acme['folders'] as object[])[1], name: 'Customers', active: false },
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
      notes: 'Ship it',
      createdAt: '2026-02-01T09:30:00Z',
      startedAt: '2026-02-01T09:31:00Z',
      endedAt: '2026-02-01T10:00:00Z',
      language: 'de',
    },
  ],
};

describe('A workspace file that differs from what exists', () => {
  let service: TestService;

  beforeAll(async () => {
    service = await startService();
  });
  beforeEach(async () => {
    await service.dataSource.query('TRUNCATE users, api_keys, organizations, recordings CASCADE');
    await service.import(before);
  });
  afterAll(() => service.stop());

  const update = (workspace: object): Promise<ImportReport> =>
    service.import(workspace, {}, { update: true });

  it('changes nothing without an update, and lists what is left as it is', async () => {
    const report = await service.import(after);
    expect(report).toMatchObject({
      users: { created: 0, existing: 2, updated: 0, unchanged: 0, different: 2 },
      apiKeys: { created: 0, existing: 2, updated: 0, unchanged: 1, different: 1 },
      organizations: { created: 0, existing: 2, updated: 0, unchanged: 1, different: 1 },
      members: { created: 0, existing: 2, updated: 0, unchanged: 1, different: 1 },
      folders: { created: 0, existing: 3, updated: 0, unchanged: 1, different: 2 },
      recordings: { created: 0, existing: 1, updated: 0, unchanged: 0, different: 1 },
      moreDifferences: 0,
    });
    expect(lineOf(report)).toEqual([
      'user ada@acme.test: name is "Ada", the file says "Ada L." (left as is)',
      'user grace@acme.test: plan is PRO, the file says FREE (left as is)',
      'key "laptop" of ada@acme.test: name is "laptop", the file says "desktop" (left as is)',
      'key "laptop" of ada@acme.test: expiresAt is none, the file says 2098-01-01T00:00:00.000Z (left as is)',
      'organization "Acme": name is "Acme", the file says "Acme Inc." (left as is)',
      'organization "Acme": plan is ENTERPRISE, the file says FREE (left as is)',
      'organization "Acme": subscription.status is active, the file says past_due (left as is)',
      'organization "Acme": subscription.endsAt is none, the file says 2097-01-01T00:00:00.000Z (left as is)',
      'organization "Acme": features.sharing is true, the file says false (left as is)',
      'organization "Acme": membersMayTakeRecordings is false, the file says true (left as is)',
      'member grace@acme.test of "Acme": role is EDITOR, the file says ADMIN (left as is)',
      'member grace@acme.test of "Acme": features.downloads is true, the file says false (left as is)',
      'member grace@acme.test of "Acme": features.viewAllRecordings is false, the file says true (left as is)',
      'folder "Board" of "Acme": restrictedTo is "ada@acme.test", the file says "grace@acme.test" (left as is)',
      'folder "Sales" of "Acme": name is "Sales", the file says "Customers" (left as is)',
      'folder "Sales" of "Acme": active is true, the file says false (left as is)',
      `recording "Weekly sync" (${sync.id}): title is "Weekly sync", the file says "Sync" (left as is)`,
      `recording "Weekly sync" (${sync.id}): owner is "ada@acme.test", the file says "grace@acme.test" (left as is)`,
      `recording "Weekly sync" (${sync.id}): organization is "Acme", the file says "Beta" (left as is)`,
      `recording "Weekly sync" (${sync.id}): folder is "Sales", the file says "Plans" (left as is)`,
      `recording "Weekly sync" (${sync.id}): notes is "", the file says "Ship it" (left as is)`,
      `recording "Weekly sync" (${sync.id}): createdAt is 2026-01-31T09:30:00.000Z, the file says 2026-02-01T09:30:00.000Z (left as is)`,
      `recording "Weekly sync" (${sync.id}): startedAt is none, the file says 2026-02-01T09:31:00.000Z (left as is)`,
      `recording "Weekly sync" (${sync.id}): endedAt is none, the file says 2026-02-01T10:00:00.000Z (left as is)`,
      `recording "Weekly sync" (${sync.id}): language is none, the file says de (left as is)`,
      'Nothing was changed.',
      'Run with --update to change these to the values in the file.',
    ]);
    expect((await service.import(before)).differences).toEqual([]);
  });

  it('is what exists after an update, which lists each change; a second one changes nothing and says so', async () => {
    const report = await update(after);
    expect(report).toMatchObject({
      users: { created: 0, existing: 2, updated: 2, unchanged: 0, different: 0 },
      apiKeys: { updated: 1, unchanged: 1 },
      organizations: { updated: 1, unchanged: 1 },
      members: { updated: 1, unchanged: 1 },
      folders: { updated: 2, unchanged: 1 },
      recordings: { updated: 1, unchanged: 0, different: 0 },
    });
    expect(report.differences).toHaveLength(25);
    expect(report.differences[1]).toEqual({
      entry: 'user grace@acme.test',
      field: 'plan',
      database: 'PRO',
      file: 'FREE',
      updated: true,
      note: null,
    });
    expect(lineOf(report)[1]).toBe('user grace@acme.test: plan was PRO, is now FREE');

    expect((await service.api.as(keyOf('Grace')).get('/me')).body.data.plan).toBe('FREE');
    const api = service.api.as(KEY.key);
    expect((await api.get('/me')).body.data.name).toBe('Ada L.');
    const keys = (await api.get('/api-keys')).body.data as { name: string; expires_at: string | null }[];
    expect(keys.find(({ name }) => name === 'desktop')?.expires_at).toBe('2098-01-01T00:00:00.000Z');
    const [row] = await service.dataSource.query(
      `SELECT o.name, o.plan, subscription_status, subscription_ends_at, o.feature_sharing, o.feature_downloads,
         o.members_may_take_recordings,
         m.role, m.feature_downloads AS member_downloads, m.view_all_recordings, m.feature_sharing AS member_sharing
       FROM organizations o JOIN organization_members m ON m.organization_id = o.id AND m.user_id = $2 WHERE o.id = $1`,
      [acme.id, grace.id],
    );
    expect(row).toEqual({
      name: 'Acme Inc.',
      plan: 'FREE',
      subscription_status: 'past_due',
      subscription_ends_at: new Date('2097-01-01'),
      feature_sharing: false,
      feature_downloads: true,
      members_may_take_recordings: true,
      role: 'ADMIN',
      member_downloads: false,
      view_all_recordings: true,
      member_sharing: true,
    });
    const folders: unknown = await service.dataSource.query(
      `SELECT f.name, f.active, array_agg(u.email) AS members FROM folders f
       LEFT JOIN folder_members fm ON fm.folder_id = f.id LEFT JOIN users u ON u.id = fm.user_id
       WHERE f.organization_id = $1 GROUP BY f.id ORDER BY f.name`,
      [acme.id],
    );
    expect(folders).toEqual([
      { name: 'Board', active: true, members: ['grace@acme.test'] },
      { name: 'Customers', active: false, members: [null] },
    ]);
    expect((await api.get(`/recordings/${sync.id}`)).body.data).toMatchObject({
      title: 'Sync',
      notes: 'Ship it',
      organizationId: beta.id,
      createdAt: '2026-02-01T09:30:00.000Z',
      startedAt: '2026-02-01T09:31:00.000Z',
      endedAt: '2026-02-01T10:00:00.000Z',
    });

    const again = await update(after);
    expect(again.differences).toEqual([]);
    expect(again.recordings).toEqual({ created: 0, existing: 1, updated: 0, unchanged: 1, different: 0 });
    expect(printed(again).split('\n').at(-1)).toBe('Nothing was changed.');
  });

  it('changes no field that it leaves out', async () => {
    await update(after);
    const report = await update({
      users: [{ email: 'GRACE@acme.test', name: 'Grace' }],
      organizations: [
        {
          name: 'Acme Inc.',
          members: [{ email: 'grace@acme.test', role: 'ADMIN' }],
          folders: [{ name: 'Board' }, { name: 'Customers' }],
        },
      ],
      recordings: [{ id: sync.id, owner: 'grace@acme.test', title: 'Sync', status: 'COMPLETED' }],
    });
    expect(report.differences).toEqual([]);
    expect((await update(after)).differences).toEqual([]);
  });

  it('creates what is missing and updates the rest, with members that it does not name kept', async () => {
    const report = await update({
      users: [user('Lin')],
      organizations: [
        {
          ...acme,
          members: [member('Grace', 'VIEWER'), member('Lin', 'EDITOR')],
          folders: [{ name: 'Board', restrictedTo: ['lin@acme.test', 'grace@acme.test'] }],
        },
      ],
      recordings: [recording('Lin', { organization: 'Acme', folder: 'Board', title: 'New' })],
    });
    expect(report).toMatchObject({
      users: { created: 1, existing: 0 },
      members: { created: 1, updated: 1 },
      folders: { created: 0, updated: 1 },
      recordings: { created: 1 },
    });
    const members: { role: string; email: string }[] = await service.dataSource.query(
      `SELECT u.email, m.role FROM organization_members m JOIN users u ON u.id = m.user_id
       WHERE m.organization_id = $1 ORDER BY u.email`,
      [acme.id],
    );
    expect(members).toEqual([
      { email: 'ada@acme.test', role: 'OWNER' },
      { email: 'grace@acme.test', role: 'VIEWER' },
      { email: 'lin@acme.test', role: 'EDITOR' },
    ]);
  });

  it('opens a folder, removes times and makes a recording personal where it says null', async () => {
    await update(after);
    const report = await update({
      users: [{ ...ada, name: 'Ada L.', apiKeys: [{ ...KEY, name: 'desktop', expiresAt: null }] }],
      organizations: [
        {
          name: 'Acme Inc.',
          subscription: { endsAt: null },
          folders: [{ name: 'Board', restrictedTo: null }],
        },
      ],
      recordings: [
        { ...after.recordings[0], organization: null, folder: null, startedAt: null, endedAt: null },
      ],
    });
    expect(lineOf(report)).toEqual([
      'key "desktop" of ada@acme.test: expiresAt was 2098-01-01T00:00:00.000Z, is now none',
      'organization "Acme Inc.": subscription.endsAt was 2097-01-01T00:00:00.000Z, is now none',
      'folder "Board" of "Acme Inc.": restrictedTo was "grace@acme.test", is now all members',
      `recording "Sync" (${sync.id}): organization was "Beta", is now none`,
      `recording "Sync" (${sync.id}): folder was "Plans", is now none`,
      `recording "Sync" (${sync.id}): startedAt was 2026-02-01T09:31:00.000Z, is now none`,
      `recording "Sync" (${sync.id}): endedAt was 2026-02-01T10:00:00.000Z, is now none`,
    ]);
  });

  it('finds a changed title by search', async () => {
    await update({ recordings: [{ ...sync, title: 'Quarterly forecast' }] });
    const found = await service.api.as(keyOf('Ada')).get('/recordings/search?q=forecast');
    expect(found.body.data).toHaveLength(1);
  });

  it('moves a recording out of its folder with its organization, unless it names another', async () => {
    await update({ recordings: [{ ...sync, organization: 'Beta', folder: undefined }] });
    const { data } = (await service.api.as(keyOf('Ada')).get(`/recordings/${sync.id}`)).body;
    expect(data).toMatchObject({ organizationId: beta.id, folderId: null });
  });

  it('is listed without control characters, shortened, and up to a limit', async () => {
    const many = Array.from({ length: 1_200 }, (_, index) =>
      recording('Ada', { title: `${index} \u001b[2J\u0007${'x'.repeat(400)}` }),
    );
    await service.import({ recordings: many });
    const report = await update({ recordings: many.map((one) => ({ ...one, title: 'Plain' })) });
    expect(report.recordings.updated).toBe(1_200);
    expect(report.differences).toHaveLength(1_000);
    expect(report.moreDifferences).toBe(200);
    const lines = lineOf(report);
    expect(lines).toHaveLength(1_001);
    expect(lines[7]).toBe(
      `recording "7  [2J ${'x'.repeat(33)}..." (${many[7]!.id}): title was "7  [2J ${'x'.repeat(33)}...", is now "Plain"`,
    );
    expect(lines.at(-1)).toBe('and 200 more');
  });

  it('identifies a recording without an id by its content, as every release has done', async () => {
    const daily = {
      owner: 'ada@acme.test',
      title: 'Daily',
      status: 'COMPLETED',
      createdAt: '2026-01-31T09:30:00Z',
    };
    const full = {
      ...daily,
      title: ' Full ',
      createdAt: '2026-01-31T09:30:00+01:00',
      startedAt: null,
      endedAt: '2026-01-31T10:30:00Z',
      organization: null,
      folder: null,
      progress: 1,
      notes: ' n ',
      transcript: { segments: [{ start: 0, end: 1, text: 'Hi' }] },
      summary: { content: 'x' },
      transcribe: true,
      language: 'en',
    };
    await service.import({ recordings: [daily, daily, full] });
    const rows: unknown = await service.dataSource.query(
      "SELECT title, id FROM recordings WHERE title IN ('Daily', 'Full') ORDER BY title, id",
    );
    expect(rows).toEqual([
      { title: 'Daily', id: '019c1363-49c0-77bf-88ec-f02085261c86' },
      { title: 'Daily', id: '019c1363-49c0-78a6-9b6d-28878073003f' },
      { title: 'Full', id: '019c132c-5b40-707d-8f96-3f4b040ee48e' },
    ]);
    expect(
      (await update({ recordings: [{ ...daily, transcribe: true, language: 'de' }] })).recordings,
    ).toEqual({
      created: 0,
      existing: 1,
      updated: 1,
      unchanged: 0,
      different: 0,
    });
  });
});
