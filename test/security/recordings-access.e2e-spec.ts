import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  emailOf,
  folder,
  id,
  keyOf,
  member,
  organization,
  recording,
  transcript,
  user,
} from '../factories/workspace.js';
import { insertRows, narrowKeyRows } from '../factories/worlds.js';
import { refusal, type Client } from '../support/client.js';
import { startService, type TestService } from '../support/service.js';

/** Whether the recording is listed, then the statuses of get, transcript, share-link, patch and delete. */
type Outcome = readonly [boolean, number, number, number, number, number];

const CHANGES: Outcome = [true, 200, 200, 201, 200, 200];
const SEES: Outcome = [true, 200, 200, 201, 403, 403];
const NOTHING: Outcome = [false, 404, 404, 404, 404, 404];

type FolderKind =
  'none' | 'open' | 'naming the viewer' | 'naming another' | 'inactive' | 'inactive, naming the viewer';
interface Situation {
  /** Role of the viewer in the recording's organization; `null`: not a member; absent: a personal recording. */
  readonly role?: 'OWNER' | 'ADMIN' | 'EDITOR' | 'VIEWER' | null;
  readonly own: boolean;
  readonly folder?: FolderKind;
  readonly viewAll?: boolean;
  readonly viewFolder?: boolean;
  /** Was a member who has left. */
  readonly left?: boolean;
}

const others = (role: 'OWNER' | 'ADMIN' | 'EDITOR' | 'VIEWER', kind: FolderKind = 'none', flags = {}) => ({
  role,
  own: false,
  folder: kind,
  ...flags,
});
const own = (role: 'OWNER' | 'ADMIN' | 'EDITOR' | 'VIEWER', kind: FolderKind = 'none', flags = {}) => ({
  ...others(role, kind, flags),
  own: true,
});

const MATRIX: readonly (readonly [string, Situation, Outcome])[] = [
  ['owner of a personal recording', { own: true }, CHANGES],
  ["stranger to another's personal recording", { own: false }, NOTHING],

  ['OWNER', others('OWNER'), CHANGES],
  ['OWNER, in a restricted folder that does not list them', others('OWNER', 'naming another'), CHANGES],
  [
    'OWNER, in an inactive folder, view flags off',
    others('OWNER', 'inactive', { viewFolder: false }),
    CHANGES,
  ],
  ['ADMIN', others('ADMIN'), CHANGES],
  ['ADMIN, in a restricted folder that does not list them', others('ADMIN', 'naming another'), CHANGES],

  ['EDITOR, own', own('EDITOR'), CHANGES],
  ['EDITOR, own, in a restricted folder that lists others', own('EDITOR', 'naming another'), CHANGES],
  ['EDITOR, own, in an inactive folder', own('EDITOR', 'inactive'), CHANGES],
  [
    'EDITOR, own, in an open folder with viewFolder off',
    own('EDITOR', 'open', { viewFolder: false }),
    CHANGES,
  ],
  ["EDITOR, another's", others('EDITOR'), NOTHING],
  ["EDITOR with viewAll, another's", others('EDITOR', 'none', { viewAll: true }), SEES],
  [
    'EDITOR with viewAll and without viewFolder',
    others('EDITOR', 'open', { viewAll: true, viewFolder: false }),
    SEES,
  ],
  ['EDITOR with viewAll, restricted to others', others('EDITOR', 'naming another', { viewAll: true }), SEES],
  ['EDITOR, open folder', others('EDITOR', 'open'), SEES],
  ['EDITOR, restricted folder that lists them', others('EDITOR', 'naming the viewer'), SEES],
  ['EDITOR, restricted folder that does not', others('EDITOR', 'naming another'), NOTHING],
  ['EDITOR, inactive folder', others('EDITOR', 'inactive'), NOTHING],
  ['EDITOR, inactive folder that lists them', others('EDITOR', 'inactive, naming the viewer'), NOTHING],
  ['EDITOR without viewFolder, open folder', others('EDITOR', 'open', { viewFolder: false }), NOTHING],
  [
    'EDITOR without viewFolder, listed',
    others('EDITOR', 'naming the viewer', { viewFolder: false }),
    NOTHING,
  ],

  ['VIEWER, own', own('VIEWER'), SEES],
  ['VIEWER, own, in a restricted folder that lists others', own('VIEWER', 'naming another'), SEES],
  ['VIEWER, own, in an inactive folder', own('VIEWER', 'inactive'), SEES],
  ['VIEWER, own, in an open folder with viewFolder off', own('VIEWER', 'open', { viewFolder: false }), SEES],
  ["VIEWER, another's", others('VIEWER'), NOTHING],
  ["VIEWER with viewAll, another's", others('VIEWER', 'none', { viewAll: true }), SEES],
  ['VIEWER, open folder', others('VIEWER', 'open'), SEES],
  ['VIEWER, restricted folder that lists them', others('VIEWER', 'naming the viewer'), SEES],
  ['VIEWER, restricted folder that does not', others('VIEWER', 'naming another'), NOTHING],
  ['VIEWER, inactive folder', others('VIEWER', 'inactive'), NOTHING],
  ['VIEWER without viewFolder, open folder', others('VIEWER', 'open', { viewFolder: false }), NOTHING],

  ['non-member', { role: null, own: false, folder: 'open' }, NOTHING],
  ['non-member who owns it', { role: null, own: true }, NOTHING],
  ['former EDITOR who owns it', { ...own('EDITOR'), left: true }, NOTHING],
  [
    'former ADMIN, in a folder that named them',
    { ...own('ADMIN', 'naming the viewer'), left: true },
    NOTHING,
  ],
];

const viewer = (row: number): string => `Viewer${row}`;
const owner = (row: number): string => `Owner${row}`;

/** Keys of the viewer that are limited, and whether they reach the recording that a row is about. */
interface NarrowKey {
  readonly name: string;
  readonly userId: string;
  readonly organizationIds: readonly string[];
  readonly folderIds?: readonly string[];
  readonly reaches: boolean;
}

/** Of every row: to the organization of the recording, to another, to its folder, and to another folder. */
function narrowKeysOf(row: number): NarrowKey[] {
  const userId = prepared.users.find(({ name }) => name === viewer(row))?.id ?? '';
  const find = (name: string) => prepared.organizations.find((one) => one.name === name);
  const elsewhere = { name: `${viewer(row)}X`, userId, organizationIds: [find(`Home ${row}`)?.id ?? ''] };
  const home = find(`Acme ${row}`);
  if (!home) return [{ ...elsewhere, reaches: false }];
  const { folder: kind = 'none' } = MATRIX[row]?.[1] ?? {};
  const organizationIds = [home.id];
  const [board] = home['folders'] as { id: string }[];
  return [
    { ...elsewhere, reaches: false },
    { name: `${viewer(row)}O`, userId, organizationIds, reaches: true },
    {
      name: `${viewer(row)}F`,
      userId,
      organizationIds,
      folderIds: [board?.id ?? ''],
      reaches: kind !== 'none' && !kind.startsWith('inactive'),
    },
    { name: `${viewer(row)}G`, userId, organizationIds, folderIds: [id()], reaches: false },
  ];
}

/** Each row has its own users, organization and recording, so that rows do not affect one another. */
function world() {
  const rows = MATRIX.map(([, situation], row) => {
    const home = situation.role === undefined ? null : organizationOf(row, situation);
    const subject = recording(situation.own ? viewer(row) : owner(row), {
      transcript: transcript(2),
      ...(home && { organization: home.name }),
      ...(home && situation.folder !== undefined && situation.folder !== 'none' && { folder: 'Board' }),
    });
    return { home, subject };
  });
  return {
    users: MATRIX.flatMap((_, row) => [user(viewer(row)), user(owner(row))]),
    // Every viewer is the OWNER of another organization, which must not matter.
    organizations: [
      ...rows.flatMap(({ home }) => (home ? [home] : [])),
      ...MATRIX.map((_, row) => organization(`Home ${row}`, { members: [member(viewer(row), 'OWNER')] })),
    ],
    recordings: rows.map(({ subject }) => subject),
  };
}

function organizationOf(row: number, situation: Situation) {
  const { role, viewAll = false, viewFolder = true, folder: kind = 'none' } = situation;
  const flags = { viewAllRecordings: viewAll, viewFolderRecordings: viewFolder };
  const named = kind.endsWith('naming the viewer') ? viewer(row) : owner(row);
  return organization(`Acme ${row}`, {
    members: [member(owner(row), 'OWNER'), ...(role ? [member(viewer(row), role, flags)] : [])],
    folders: [
      folder('Board', {
        active: !kind.startsWith('inactive'),
        ...(kind.includes('naming') && { restrictedTo: [emailOf(named)] }),
      }),
    ],
  });
}

const prepared = world();

describe('access to a recording', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService();
    await service.import(prepared);
    const leaving = MATRIX.flatMap(([, { left }], row) => (left ? [emailOf(viewer(row))] : []));
    await service.dataSource.query(
      `DELETE FROM organization_members m USING users u, organizations o
       WHERE u.id = m.user_id AND u.email = ANY ($1) AND o.id = m.organization_id AND o.name LIKE 'Acme %'`,
      [leaving],
    );
    const keys = MATRIX.flatMap((_, row) => narrowKeysOf(row));
    await insertRows(service.dataSource, 'api_keys', narrowKeyRows(keys));
  });
  afterAll(() => service.stop());

  it.each(MATRIX.map(([name, , outcome], row) => [name, outcome, row] as const))(
    '%s: with a key that is limited to organizations or folders, no more than %j',
    async (_, outcome, row) => {
      const recordingId = `${prepared.recordings[row]?.id}`;
      for (const { name, reaches } of narrowKeysOf(row)) {
        const api = service.api.as(keyOf(name));
        const { body } = await api.get('/recordings');
        const listed = body.data.some((item: { id: string }) => item.id === recordingId);
        expect([name, body.pagination.total]).toEqual([name, listed ? 1 : 0]);
        const path = `/recordings/${recordingId}`;
        const reads = [await api.get(path), await api.get(`${path}/transcript`)];
        const statuses = reads.map(({ status }) => status);
        expect([name, listed, ...statuses]).toEqual([name, ...(reaches ? outcome : NOTHING).slice(0, 3)]);
        if (reaches) continue;
        const changes = [
          await api.post(`${path}/share-link`, { permission: 'view' }),
          await api.patch(path, { title: 'Renamed' }),
          await api.delete(path),
        ];
        for (const { status, body: refused } of changes)
          expect([name, status, refused]).toEqual([name, 404, refusal('RECORDING_NOT_FOUND')]);
      }
      await expectChanged(service, recordingId, false);
    },
  );

  it.each(MATRIX.map(([name, , outcome], row) => [name, outcome, row] as const))(
    '%s: [listed, get, transcript, share-link, patch, delete] is %j',
    async (_, outcome, row) => {
      const api = service.api.as(keyOf(viewer(row)));
      const path = `/recordings/${prepared.recordings[row]?.id}`;
      const list = await api.get('/recordings');
      const listed = list.body.data.some((item: { id: string }) => path.endsWith(item.id));
      expect(list.body.pagination.total).toBe(listed ? 1 : 0);
      await expectScoped(api, row, listed);
      const replies = [
        await api.get(path),
        await api.get(`${path}/transcript`),
        await api.post(`${path}/share-link`, { permission: 'view' }),
        await api.patch(path, { title: 'Renamed' }),
        await api.delete(path),
      ];
      expect([listed, ...replies.map(({ status }) => status)]).toEqual(outcome);
      for (const { status, body } of replies) {
        if (status === 403) expect(body).toEqual(refusal('FORBIDDEN'));
        if (status === 404) expect(body).toEqual(refusal('RECORDING_NOT_FOUND'));
      }
      await expectChanged(service, String(prepared.recordings[row]?.id), outcome === CHANGES);
    },
  );
});

/** For a member, the lists of the organization and of an active folder agree. */
async function expectScoped(api: Client, row: number, listed: boolean): Promise<void> {
  const { role, left, folder: kind = 'none' } = MATRIX[row]?.[1] ?? { own: false };
  const home = prepared.organizations.find(({ name }) => name === `Acme ${row}`);
  if (!role || left || !home) return;
  const { body } = await api.get(`/recordings?organization_id=${home.id}`);
  expect(body.pagination.total).toBe(listed ? 1 : 0);
  const folders = await api.get(`/organizations/${home.id}/folders`);
  for (const { id: folderId } of folders.body.data) {
    const scoped = await api.get(`/recordings?organization_id=${home.id}&folder_id=${folderId}`);
    expect(scoped.body.pagination.total).toBe(listed && kind !== 'none' ? 1 : 0);
  }
}

/** A rejected change has no effect; a successful deletion leaves nothing behind. */
async function expectChanged(
  { dataSource }: TestService,
  recordingId: string,
  changed: boolean,
): Promise<void> {
  const rows: unknown = await dataSource.query('SELECT title FROM recordings WHERE id = $1', [recordingId]);
  expect(rows).toEqual(changed ? [] : [{ title: 'Weekly sync' }]);
}
