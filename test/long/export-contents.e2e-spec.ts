import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { folder, keyOf, member, organization, recording, transcript, user } from '../factories/workspace.js';
import type { Client } from '../support/client.js';
import { commandLine } from '../support/command-line.js';
import { createDatabase } from '../support/database.js';
import { exported, filesOf, jsonIn } from '../support/exports.js';
import { startService, type TestService } from '../support/service.js';

const HOSTILE = '../../etc/passwd\\..\\x: "<>|?*';
const VIDEO = Buffer.from('not really a video, but exported as it is');
const SUMMARY = {
  content: '## Decisions\n\n- Ship it',
  topics: [
    { title: 'Launch', start: 1, keyPoints: [{ point: 'Ship on Friday', start: 2, details: ['Green'] }] },
    { title: 'Hiring', start: null, keyPoints: [] },
  ],
  decisions: [{ text: 'Ship it', start: 3, segmentIds: [1], confidence: null }],
  actionItems: [
    {
      text: 'Test it',
      owner: 'Grace',
      due: 'by Friday',
      dueDate: '2026-02-06',
      start: 4,
      segmentIds: [2],
      done: true,
    },
    { text: 'Write it', owner: null, due: null, dueDate: null, start: 6, segmentIds: [], done: false },
  ],
};
const plans = folder('Plans', { restrictedTo: ['ada@acme.test'] });
const acme = organization('Acme', {
  members: [member('Ada', 'OWNER'), member('Grace', 'EDITOR', { downloads: false, viewAllRecordings: true })],
  folders: [plans, folder('Sales', { active: false })],
  features: { sharing: false },
  membersMayTakeRecordings: true,
  glossary: { terms: [{ term: 'LambdaClass', heard_as: ['lambda glass'] }] },
});
const sync = recording('Ada', {
  organization: 'Acme',
  folder: 'Plans',
  title: HOSTILE,
  notes: 'Line one\nLine two "quoted"',
  createdAt: '2026-01-31T09:30:00.123Z',
  startedAt: '2026-01-31T09:31:00.000Z',
  endedAt: '2026-01-31T10:00:00.000Z',
  language: 'de',
  media: 'call.mp4',
  transcript: transcript(45),
  summary: SUMMARY,
});
const hers = recording('Grace', {
  organization: 'Acme',
  title: 'Hers',
  transcript: transcript(2),
  summary: SUMMARY,
});
const orphan = { ...recording('Ada', { organization: 'Acme', title: 'Of somebody deleted' }), owner: null };
const personal = recording('Grace', { title: 'Private', createdAt: '2025-01-01T00:00:00Z' });
const world = {
  users: [user('Ada'), user('Grace', { plan: 'FREE' })],
  organizations: [acme],
  recordings: [sync, hers, orphan, personal],
};
const OF_SYNC = ['vtt', 'srt', 'txt', 'md', 'json'].map((format) => `transcripts/${sync.id}.${format}`);

describe('the contents of exports', () => {
  let service: TestService;
  let [ada, grace]: Client[] = [];

  beforeAll(async () => {
    service = await startService({}, { worker: true });
    await service.import(world, { 'call.mp4': VIDEO });
    [ada, grace] = ['Ada', 'Grace'].map((name) => service.api.as(keyOf(name)));
  });
  afterAll(() => service?.stop());

  it('has all of a recording that who requests it may read, in files that are named after ids', async () => {
    const files = await filesOf(await exported(ada!, `/recordings/${sync.id}/exports`));
    expect([...files.keys()].toSorted()).toEqual(
      [
        ...OF_SYNC,
        `media/${sync.id}/original.mp4`,
        `metadata/${sync.id}.json`,
        `summaries/${sync.id}.json`,
        `summaries/${sync.id}.md`,
        'workspace.json',
      ].toSorted(),
    );
    expect(files.get(`media/${sync.id}/original.mp4`)).toEqual(VIDEO);
    expect(jsonIn(files, `metadata/${sync.id}.json`)).toMatchObject({ title: HOSTILE, videoUrl: null });
    expect(jsonIn(files, 'workspace.json')).toMatchObject({
      users: [{ email: 'ada@acme.test', plan: 'PRO' }],
      organizations: [{ name: 'Acme', members: [{ email: 'ada@acme.test' }], folders: [{ name: 'Plans' }] }],
    });
  });

  it('leaves out and names what who requests it may not read', async () => {
    const files = await filesOf(await exported(grace!, `/recordings/${sync.id}/exports`));
    expect([...files.keys()].some((name) => name.startsWith('media/'))).toBe(false);
    const reason = 'member_flag';
    expect(jsonIn(files, 'report.json').leftOut).toEqual([{ recordingId: sync.id, what: 'media', reason }]);
  });

  it('of a user has what they own, their profile, and no secret', async () => {
    const files = await filesOf(await exported(grace!, '/me/exports', {}));
    const { recordings, organizations, users } = jsonIn(files, 'workspace.json');
    expect(recordings.map(({ title }: { title: string }) => title)).toEqual(['Private', 'Hers']);
    expect([organizations.length, organizations[0].members.length]).toEqual([1, 1]);
    expect(users.map(({ email }: { email: string }) => email)).toEqual(['grace@acme.test']);
    expect(jsonIn(files, 'profile.json')).toMatchObject({
      user: { email: 'grace@acme.test', plan: 'FREE' },
      organizations: [{ name: 'Acme', role: 'EDITOR' }],
      apiKeys: [{ name: 'test', scopes: null }],
    });
    for (const content of files.values()) expect(content.includes(keyOf('Grace'))).toBe(false);
    const [{ hash }] = await service.dataSource.query(`SELECT hash FROM api_keys LIMIT 1`);
    expect(files.get('profile.json')!.includes(hash.toString('hex'))).toBe(false);
  });

  it('of a period has only the recordings that were created in it', async () => {
    const period = { created_from: '2025-01-01', created_to: '2026-01-01' };
    const files = await filesOf(await exported(grace!, '/me/exports', period));
    expect(jsonIn(files, 'workspace.json').recordings).toMatchObject([{ title: 'Private' }]);
  });

  it('of an organization has the voices that it remembers, also with what they are like', async () => {
    await service.dataSource.query(
      `INSERT INTO transcript_voices SELECT $1, n, $2, 'Ada', '2026-02-01T10:00:00Z', 9, 'voices.onnx', '\\x0102'
       FROM generate_series(0, 100) n`,
      [sync.id, acme.id],
    );
    const files = await filesOf(await exported(ada!, `/organizations/${acme.id}/exports`, {}));
    await service.dataSource.query('DELETE FROM transcript_voices');
    const voice = {
      name: 'Ada',
      named_at: '2026-02-01T10:00:00.000Z',
      recording_id: sync.id,
      seconds: 9,
      model: 'voices.onnx',
      embedding: 'AQI=',
    };
    expect(jsonIn(files, 'voices/1.json')).toEqual(Array.from({ length: 100 }, () => voice));
    expect(jsonIn(files, 'voices/2.json')).toEqual([voice]);
    const own = await filesOf(await exported(ada!, '/me/exports', {}));
    expect([...own.keys()].filter((name) => name.startsWith('voices'))).toEqual([]);
  });

  it('of an organization can be imported into an empty service, which then has the same', async () => {
    const files = await filesOf(await exported(ada!, `/organizations/${acme.id}/exports`, {}));
    expect([...files.keys()].some((name) => name.includes(personal.id))).toBe(false);
    const unpacked = join(service.dataDir, 'export');
    for (const [name, content] of files) {
      await mkdir(dirname(join(unpacked, name)), { recursive: true });
      await writeFile(join(unpacked, name), content);
    }
    const file = join(unpacked, 'workspace.json');
    const database = await createDatabase();
    const other = await startService({ DATABASE_URL: database.url });
    try {
      const settings = { DATABASE_URL: database.url, DATA_DIR: other.dataDir };
      const imported = await commandLine(settings, '--quiet', 'import', file, '--json');
      expect([imported.status, imported.stderr]).toEqual([0, '']);
      const again = await commandLine(settings, '--quiet', 'import', file, '--json');
      expect(JSON.parse(again.stdout)).toMatchObject({
        ...Object.fromEntries(
          Object.entries({ users: 2, organizations: 1, folders: 2, members: 2, recordings: 3 }).map(
            ([kind, count]) => [kind, { created: 0, unchanged: count, different: 0 }],
          ),
        ),
        differences: [],
      });
      expect(await rowsOf(other)).toEqual(await rowsOf(service));
      expect(await originalsOf(other)).toEqual([createHash('sha256').update(VIDEO).digest('hex')]);
    } finally {
      await other.stop();
      await database.drop();
    }
  });
});

/** What an import keeps, field by field, without ids of action items, and without personal recordings. */
async function rowsOf({ dataSource }: TestService): Promise<unknown[]> {
  const statements = [
    'SELECT id, email, name FROM users ORDER BY id',
    `SELECT id, name, plan, subscription_status, subscription_ends_at, feature_sharing, feature_downloads,
       members_may_take_recordings FROM organizations ORDER BY id`,
    'SELECT user_id, role, feature_downloads, feature_sharing, view_all_recordings, view_folder_recordings FROM organization_members ORDER BY 1',
    'SELECT id, name, active, restricted FROM folders ORDER BY id',
    'SELECT folder_id, user_id FROM folder_members ORDER BY 1, 2',
    'SELECT terms FROM glossaries',
    `SELECT id, owner_id, organization_id, folder_id, title, notes, created_at, started_at, ended_at, language
     FROM recordings WHERE organization_id IS NOT NULL ORDER BY id`,
    'SELECT recording_id, language, speakers, segments_count, duration, confidence_known FROM transcripts ORDER BY 1',
    'SELECT recording_id, chunk_index, segments::text FROM transcript_chunks ORDER BY 1, 2',
    'SELECT recording_id, content, topics, decisions, html FROM summaries ORDER BY 1',
    `SELECT recording_id, position, text, owner, due, due_date, start, segment_ids, confidence, done
     FROM action_items ORDER BY 1, 2`,
  ];
  const rows: unknown[] = [];
  for (const statement of statements) rows.push(await dataSource.query(statement));
  return rows;
}

/** SHA-256 of the original files. */
async function originalsOf({ dataSource }: TestService): Promise<string[]> {
  const rows: { sha256: string }[] = await dataSource.query(
    'SELECT COALESCE(source_sha256, media_sha256) AS sha256 FROM recordings WHERE media_key IS NOT NULL',
  );
  return rows.map(({ sha256 }) => sha256);
}
