import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { keyOf, summary } from '../../factories/workspace.js';
import { eventually, startService, type TestService } from '../../support/service.js';

const TABLES =
  'users api_keys organizations organization_members folders folder_members recordings transcripts transcript_chunks summaries'.split(
    ' ',
  );
const FILES = {
  'call.mp4': 'not really a video',
  'call.vtt': 'WEBVTT\n\n00:01.000 --> 00:02.500\n<v Ada>Hello\n\n00:03.000 --> 00:04.000\n<v Grace>Hi\n',
};
const created = (count: number): object => ({ created: count, unchanged: 0, different: 0 });
const unchanged = (count: number): object => ({ created: 0, unchanged: count, different: 0 });

/** Every field of the format except ids. */
const everything = {
  users: [
    {
      email: 'Ada@acme.test',
      name: ' Ada ',
      plan: 'PRO',
      apiKeys: [
        {
          name: 'laptop',
          key: 'mrs_laptop00000000000000',
          expiresAt: '2098-01-01T00:00:00Z',
          revoked: false,
        },
        { name: 'lost', key: 'mrs_lost0000000000000000', revoked: true },
      ],
    },
    { email: 'grace@acme.test', name: 'Grace', apiKeys: [{ name: 'test', key: keyOf('Grace') }] },
  ],
  organizations: [
    {
      name: 'Acme',
      plan: 'ENTERPRISE',
      subscription: { status: 'trialing', endsAt: '2098-01-01' },
      features: { downloads: false, sharing: true, transcription: true, summaries: true, questions: false },
      members: [
        { email: 'ada@ACME.test', role: 'OWNER' },
        {
          email: 'grace@acme.test',
          role: 'VIEWER',
          features: { viewFolderRecordings: true, sharing: false },
        },
      ],
      folders: [
        { name: 'Board', active: true, restrictedTo: ['ada@acme.test'] },
        { name: 'Open' },
        { name: 'Old', active: false },
      ],
    },
  ],
  recordings: [
    {
      owner: 'ada@acme.test',
      organization: 'Acme',
      folder: 'Open',
      title: ' Weekly sync ',
      status: 'COMPLETED',
      progress: 1,
      notes: ' as they are ',
      createdAt: '2026-01-31T09:30:00+01:00',
      startedAt: '2026-01-31T08:31:00Z',
      endedAt: '2026-01-31T09:00:00Z',
      media: 'call.mp4',
      transcript: 'call.vtt',
      summary,
    },
    { owner: 'grace@acme.test', title: 'Bare', status: 'RECORDING' },
  ],
};

describe('Importing a workspace', () => {
  let service: TestService;

  beforeAll(async () => {
    service = await startService();
  });
  beforeEach(async () => {
    await service.dataSource.query(
      'DELETE FROM recordings; DELETE FROM organizations; DELETE FROM users; DELETE FROM api_keys',
    );
    await rm(join(service.dataDir, 'objects', 'recordings'), { recursive: true, force: true });
  });
  afterAll(() => service.stop());

  /** All rows of all tables. */
  async function contents(): Promise<Record<string, string>> {
    const rows = TABLES.map(async (table): Promise<[string, string]> => {
      const found: { rows: string }[] = await service.dataSource.query(
        `SELECT coalesce(json_agg(t ORDER BY t::text), '[]')::text AS rows FROM ${table} t`,
      );
      return [table, found[0]?.rows ?? ''];
    });
    return Object.fromEntries(await Promise.all(rows));
  }

  it('imports every field of the file, with defaults for omitted ones', async () => {
    expect(await service.import(everything, FILES)).toEqual({
      users: created(2),
      apiKeys: created(3),
      organizations: created(1),
      members: created(2),
      folders: created(3),
      recordings: created(2),
      differences: [],
    });
    const ada = service.api.as('mrs_laptop00000000000000');
    const grace = service.api.as(keyOf('Grace'));
    expect((await ada.get('/me')).body.data).toMatchObject({
      email: 'Ada@acme.test',
      name: 'Ada',
      plan: 'PRO',
    });
    expect((await grace.get('/me')).body.data.plan).toBe('FREE');
    expect((await service.api.as('mrs_lost0000000000000000').get('/me')).status).toBe(401);
    const [acme] = (await ada.get('/organizations')).body.data;
    expect(acme).toMatchObject({ name: 'Acme', role: 'OWNER', member_count: 2 });
    const { body: folders } = await ada.get(`/organizations/${acme.id}/folders`);
    expect(folders.data.map((item: { name: string }) => item.name)).toEqual(['Board', 'Open']);
    const [listed] = (await ada.get('/recordings')).body.data;
    const { data } = (await grace.get(`/recordings/${listed.id}`)).body;
    expect(data).toMatchObject({
      title: 'Weekly sync',
      status: 'COMPLETED',
      progress: 1,
      notes: ' as they are ',
      createdAt: '2026-01-31T08:30:00.000Z',
      startedAt: '2026-01-31T08:31:00.000Z',
      endedAt: '2026-01-31T09:00:00.000Z',
      videoUrl: expect.stringMatching(/^http/),
      downloadUrl: null,
      organizationId: acme.id,
      transcription: { status: 'completed', segmentsCount: 2, speakers: ['Ada', 'Grace'] },
      summary: { status: 'completed', ...summary },
      capabilities: {
        canShare: false,
        canDownload: false,
        canAskQuestions: false,
        canViewTranscription: true,
      },
    });
    expect((await grace.get('/recordings?status=RECORDING')).body.data[0]).toMatchObject({
      title: 'Bare',
      progress: 0,
    });
  });

  it('changes nothing when run twice', async () => {
    await service.import(everything, FILES);
    const [before, objects] = [await contents(), await service.objects()];
    const report = await service.import(everything, FILES);
    const { differences, ...counts } = report;
    for (const count of Object.values(counts)) expect(count).toMatchObject({ created: 0, different: 0 });
    expect(counts.recordings).toEqual(unchanged(2));
    expect(differences).toEqual([]);
    expect(await contents()).toEqual(before);
    expect(await service.objects()).toEqual(objects);
  });

  it('lets two concurrent imports succeed, and creates everything once', async () => {
    const reports = await Promise.all([1, 2, 3].map(() => service.import(everything, FILES)));
    const [recordings, users] = [
      reports.map((report) => report.recordings),
      reports.map((report) => report.users),
    ];
    expect(recordings.map((count) => count.created).sort()).toEqual([0, 0, 2]);
    expect(users.map((count) => count.created).sort()).toEqual([0, 0, 2]);
    expect(await service.objects()).toHaveLength(1);
  });

  it('leaves nothing behind when a recording further down is invalid', async () => {
    const before = await contents();
    const workspace = {
      ...everything,
      recordings: [
        ...everything.recordings,
        { ...everything.recordings[0], title: 'Other', folder: 'Nowhere' },
      ],
    };
    await expect(service.import(workspace, FILES)).rejects.toThrow(
      'recordings[2].folder: no folder "Nowhere" in "Acme"',
    );
    expect(await contents()).toEqual(before);
    const worker = await startService({}, { beside: service, worker: true });
    try {
      await eventually(async () => expect(await service.objects()).toEqual([]));
    } finally {
      await worker.stop();
    }
  });
});
